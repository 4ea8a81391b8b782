// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.Wait.WaitBucket;
import io.memshard.bench.lab.data.WaitRow;
import io.memshard.bench.result.MarkdownTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

final class WaitTable {

    private static final int PLACES = 3;

    private WaitTable() {}

    static String of(List<WaitRow> rows, Forks forks) {
        List<List<WaitRow>> profiles = List.copyOf(rows.stream()
                .collect(Collectors.groupingBy(WaitRow::key, LinkedHashMap::new, Collectors.toList()))
                .values());
        if (profiles.isEmpty()) {
            return "";
        }
        MarkdownTable<List<WaitRow>> table = new MarkdownTable<List<WaitRow>>()
                .text("arm", profile -> profile.get(0).key().arm())
                .text("condition", profile -> profile.get(0).key().condition().label())
                .number(
                        "locks in 1,000 cycles",
                        "%.2f",
                        profile -> sum(profile, WaitBucket.LOCK, true, WaitRow::waitsPerThousand));
        for (WaitBucket bucket : WaitBucket.values()) {
            String name = bucket.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            table.number(name, "%.1f", profile -> sum(profile, bucket, true, WaitRow::millisPerSecond));
        }
        table.number(
                        "lock, other threads",
                        "%.1f",
                        profile -> sum(profile, WaitBucket.LOCK, false, WaitRow::millisPerSecond))
                .number("profiled over timed", profile -> profiledOverTimed(forks, profile.get(0)));
        StringBuilder text = new StringBuilder("## What threads waited for\n\n");
        text.append("Milliseconds per second and caller, or per second of all other threads. The last column is the"
                + " throughput of the profile divided by the timed one. If it is far from 1, the profile shows another"
                + " load.\n\n");
        text.append(table.of(profiles)).append("\nWhere callers waited longest for locks:\n\n");
        profiles.forEach(profile -> profile.stream()
                .filter(row -> !row.isTotal() && row.isOf(WaitBucket.LOCK, true))
                .sorted(WaitRow.LONGEST_FIRST)
                .limit(PLACES)
                .forEach(row -> text.append(String.format(
                        Locale.ROOT,
                        "- %s, %s: %.1f ms per second and caller at `%s`, for `%s`%n",
                        row.key().arm(),
                        row.key().condition().label(),
                        row.millisPerSecond(),
                        row.waits().frame(),
                        row.waits().lockClass()))));
        return text.append('\n').toString();
    }

    private static double sum(
            List<WaitRow> profile, WaitBucket bucket, boolean ofCallers, ToDoubleFunction<WaitRow> figure) {
        return profile.stream()
                .filter(row -> row.isTotal() && row.isOf(bucket, ofCallers))
                .mapToDouble(figure)
                .sum();
    }

    private static String profiledOverTimed(Forks forks, WaitRow row) {
        double timed = forks.median(row.key().arm(), row.key().condition(), Metric.THROUGHPUT);
        return (Double.isNaN(timed)
                        ? "not timed"
                        : String.format(Locale.ROOT, "%.2f", row.cycles() / row.seconds() / timed))
                + (row.dataLost() ? ", events lost" : "");
    }
}
