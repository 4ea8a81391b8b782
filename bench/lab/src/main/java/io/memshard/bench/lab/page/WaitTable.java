// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.statistics.Sample;
import io.memshard.bench.table.MarkdownTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Markdown table of the lock profiles of an experiment. Threading: stateless. */
final class WaitTable {

    private static final int PLACES = 3;

    private WaitTable() {}

    private record Subject(String arm, Condition condition) {}

    static String of(LabData data, Claim claim) {
        Map<Subject, List<WaitRow>> profiles = new LinkedHashMap<>();
        data.waits().stream()
                .filter(row -> row.experiment().equals(claim.experiment()) && row.profile() == claim.profile())
                .forEach(row -> profiles.computeIfAbsent(
                                new Subject(row.arm(), row.condition()), subject -> new ArrayList<>())
                        .add(row));
        if (profiles.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append("## What threads waited for\n\n");
        text.append("Milliseconds of each second: of each caller, and of all other threads together. *Held or other* is"
                + " the time for which an experiment keeps what it got, and waits that no rule knows. The last column is"
                + " the throughput while waits were recorded over the timed one: far from 1, the profile is of another"
                + " load.\n\n");
        text.append(new MarkdownTable<Map.Entry<Subject, List<WaitRow>>>("---:")
                .text("arm", profile -> profile.getKey().arm())
                .text("condition", profile -> profile.getKey().condition().label())
                .number(
                        "callers: locks in 1,000 cycles",
                        "%.2f",
                        profile -> sum(profile.getValue(), "lock", true, WaitRow::waitsPerThousand))
                .number("callers: lock", "%.1f", profile -> millis(profile.getValue(), "lock", true))
                .number("callers: all lent out", "%.1f", profile -> millis(profile.getValue(), "pool_exhausted", true))
                .number("callers: reply", "%.1f", profile -> millis(profile.getValue(), "reply", true))
                .number(
                        "callers: held or other",
                        "%.1f",
                        profile -> millis(profile.getValue(), "idle", true)
                                + millis(profile.getValue(), "unclassified", true))
                .number("others: lock", "%.1f", profile -> millis(profile.getValue(), "lock", false))
                .number("others: all lent out", "%.1f", profile -> millis(profile.getValue(), "pool_exhausted", false))
                .number(
                        "profiled over timed",
                        profile -> profiledOverTimed(
                                data,
                                claim,
                                profile.getKey(),
                                profile.getValue().get(0)))
                .of(profiles.entrySet()));
        text.append("\nWhere callers waited longest for locks:\n\n");
        profiles.forEach((subject, rows) -> rows.stream()
                .filter(row -> !row.isTotal() && row.ofCallers() && row.bucket().equals("lock"))
                .sorted(Comparator.comparingDouble(WaitRow::totalMillis).reversed())
                .limit(PLACES)
                .forEach(row -> text.append(String.format(
                        Locale.ROOT,
                        "- %s, %s: %.1f ms a second and caller at `%s`, for `%s`%n",
                        subject.arm(),
                        subject.condition().label(),
                        row.millisPerSecond(),
                        row.frame(),
                        row.lockClass()))));
        return text.append('\n').toString();
    }

    private static double millis(List<WaitRow> rows, String bucket, boolean ofCallers) {
        return sum(rows, bucket, ofCallers, WaitRow::millisPerSecond);
    }

    private static double sum(List<WaitRow> rows, String bucket, boolean ofCallers, ToDoubleFunction<WaitRow> figure) {
        return rows.stream()
                .filter(row -> row.isTotal() && row.bucket().equals(bucket) && row.ofCallers() == ofCallers)
                .mapToDouble(figure)
                .sum();
    }

    private static String profiledOverTimed(LabData data, Claim claim, Subject subject, WaitRow row) {
        double[] timed = data.forks().stream()
                .filter(fork -> fork.isThere()
                        && !fork.key().profiled()
                        && fork.key().experiment().equals(claim.experiment())
                        && fork.key().profile() == claim.profile()
                        && fork.key().openedArm().equals(subject.arm())
                        && fork.key().condition().equals(subject.condition()))
                .mapToDouble((ForkResult fork) -> Metric.of(Metric.THROUGHPUT, fork))
                .toArray();
        return timed.length == 0
                ? "not timed"
                : String.format(Locale.ROOT, "%.2f", row.cycles() / row.seconds() / Sample.median(timed))
                        + (row.dataLost() ? ", events lost" : "");
    }
}
