// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.lab.run.ArmLoad.Caller;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Figures of each second of a measurement, and of its three parts. A call belongs to the second in which it ends. */
public final class BySecond {

    public static final String GOOD = "good";
    public static final String MISSED = "missed";
    public static final String FAILED = "failed";
    public static final String P99 = "p99_us";
    public static final String P999 = "p999_us";
    public static final String LONGEST = "longest_us";

    /** Parts of equal length. The outage begins and ends with {@code DURING}. */
    public enum Part {
        BEFORE,
        DURING,
        AFTER
    }

    private BySecond() {}

    public static String name(String figure, int second) {
        return String.format(Locale.ROOT, "%s_%02d", figure, second);
    }

    public static String name(String figure, Part part) {
        return figure + "_" + part.name().toLowerCase(Locale.ROOT);
    }

    static Map<String, Double> figures(List<Caller> callers, int seconds) {
        Map<String, Double> figures = new HashMap<>();
        int each = seconds / Part.values().length;
        for (Part part : Part.values()) {
            CallRecorder all = new CallRecorder();
            for (int second = each * part.ordinal(); second < each * (part.ordinal() + 1); second++) {
                CallRecorder sum = new CallRecorder();
                for (Caller caller : callers) {
                    sum.add(Objects.requireNonNullElseGet(caller.seconds.get(second), CallRecorder::new));
                }
                figures.put(name(GOOD, second), (double) (sum.calls - sum.missed));
                figures.put(name(MISSED, second), (double) sum.missed);
                figures.put(name(FAILED, second), (double) (sum.errors + sum.timeouts));
                figures.put(name(P99, second), sum.micros(99));
                all.add(sum);
            }
            figures.put(name(GOOD, part), (double) (all.calls - all.missed) / each);
            figures.put(name(MISSED, part), (double) all.missed / each);
            figures.put(name(FAILED, part), (double) (all.errors + all.timeouts) / each);
            figures.put(name(P99, part), all.micros(99));
            figures.put(name(P999, part), all.micros(99.9));
            figures.put(name(LONGEST, part), all.longestNanos / 1e3);
        }
        return figures;
    }
}
