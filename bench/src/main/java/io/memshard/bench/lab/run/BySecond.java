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

    /** Ends of the names of figures of the parts, which are equally long. The second part is the outage. */
    public static final List<String> PARTS = List.of("_before", "_during", "_after");

    private BySecond() {}

    /** Returns the end of the names of figures of this second. */
    public static String of(int second) {
        return String.format(Locale.ROOT, "_%02d", second);
    }

    static Map<String, Double> figures(List<Caller> callers, int seconds) {
        Map<String, Double> figures = new HashMap<>();
        int each = seconds / PARTS.size();
        for (int part = 0; part < PARTS.size(); part++) {
            CallRecorder all = new CallRecorder();
            for (int second = each * part; second < each * (part + 1); second++) {
                CallRecorder sum = new CallRecorder();
                for (Caller caller : callers) {
                    sum.add(Objects.requireNonNullElseGet(caller.seconds.get(second), CallRecorder::new));
                }
                put(figures, of(second), sum, 1);
                all.add(sum);
            }
            put(figures, PARTS.get(part), all, each);
        }
        return figures;
    }

    private static void put(Map<String, Double> figures, String suffix, CallRecorder calls, double seconds) {
        figures.put(GOOD + suffix, (calls.calls - calls.missed) / seconds);
        figures.put(MISSED + suffix, calls.missed / seconds);
        figures.put(FAILED + suffix, (calls.errors + calls.timeouts) / seconds);
        figures.put(P99 + suffix, calls.micros(99));
        figures.put(P999 + suffix, calls.micros(99.9));
        figures.put(LONGEST + suffix, calls.longestNanos / 1e3);
    }
}
