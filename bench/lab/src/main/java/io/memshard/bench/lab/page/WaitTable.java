// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.locks.Wait.WaitBucket;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.table.MarkdownTable;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Markdown table of the lock profiles of an experiment. Threading: stateless. */
final class WaitTable {

    private static final int PLACES = 3;

    private WaitTable() {}

    /** Lock profile of one arm under one condition. */
    private record LockProfile(ForkKey key, List<WaitRow> rows) {

        double millis(WaitBucket bucket, boolean ofCallers) {
            return sum(bucket, ofCallers, WaitRow::millisPerSecond);
        }

        double sum(WaitBucket bucket, boolean ofCallers, ToDoubleFunction<WaitRow> figure) {
            return rows.stream()
                    .filter(row -> row.isTotal() && row.isOf(bucket, ofCallers))
                    .mapToDouble(figure)
                    .sum();
        }
    }

    static String of(LabData data, String experiment, Profile machine) {
        List<LockProfile> profiles = data.waits().stream()
                .filter(row ->
                        row.key().experiment().equals(experiment) && row.key().profile() == machine)
                .collect(Collectors.groupingBy(WaitRow::key, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(profile -> new LockProfile(profile.getKey(), profile.getValue()))
                .toList();
        if (profiles.isEmpty()) {
            return "";
        }
        Forks timed = new Forks(data.forks(), experiment, machine);
        StringBuilder text = new StringBuilder();
        text.append("## What threads waited for\n\n");
        text.append("Milliseconds of each second: of each caller, and of all other threads together. *Held or other* is"
                + " the time for which an experiment keeps what it got, and waits that no rule knows. The last column is"
                + " the throughput while waits were recorded over the timed one: far from 1, the profile is of another"
                + " load.\n\n");
        text.append(new MarkdownTable<LockProfile>("---:")
                .text("arm", profile -> profile.key.arm())
                .text("condition", profile -> profile.key.condition().label())
                .number(
                        "callers: locks in 1,000 cycles",
                        "%.2f",
                        profile -> profile.sum(WaitBucket.LOCK, true, WaitRow::waitsPerThousand))
                .number("callers: lock", "%.1f", profile -> profile.millis(WaitBucket.LOCK, true))
                .number("callers: all lent out", "%.1f", profile -> profile.millis(WaitBucket.POOL_EXHAUSTED, true))
                .number("callers: reply", "%.1f", profile -> profile.millis(WaitBucket.REPLY, true))
                .number(
                        "callers: held or other",
                        "%.1f",
                        profile ->
                                profile.millis(WaitBucket.IDLE, true) + profile.millis(WaitBucket.UNCLASSIFIED, true))
                .number("others: lock", "%.1f", profile -> profile.millis(WaitBucket.LOCK, false))
                .number("others: all lent out", "%.1f", profile -> profile.millis(WaitBucket.POOL_EXHAUSTED, false))
                .number("profiled over timed", profile -> profiledOverTimed(timed, profile.rows.get(0)))
                .of(profiles));
        text.append("\nWhere callers waited longest for locks:\n\n");
        profiles.forEach(profile -> profile.rows.stream()
                .filter(row -> !row.isTotal() && row.isOf(WaitBucket.LOCK, true))
                .sorted(Comparator.comparingDouble((WaitRow row) -> row.waits().totalMillis())
                        .reversed())
                .limit(PLACES)
                .forEach(row -> text.append(String.format(
                        Locale.ROOT,
                        "- %s, %s: %.1f ms a second and caller at `%s`, for `%s`%n",
                        row.key().arm(),
                        row.key().condition().label(),
                        row.millisPerSecond(),
                        row.frame(),
                        row.lockClass()))));
        return text.append('\n').toString();
    }

    private static String profiledOverTimed(Forks forks, WaitRow row) {
        double timed = forks.median(row.key().arm(), row.key().condition(), Metric.THROUGHPUT);
        return Double.isNaN(timed)
                ? "not timed"
                : String.format(Locale.ROOT, "%.2f", row.cycles() / row.seconds() / timed)
                        + (row.dataLost() ? ", events lost" : "");
    }
}
