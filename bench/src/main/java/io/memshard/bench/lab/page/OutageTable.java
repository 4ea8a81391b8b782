// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.run.BySecond;
import io.memshard.bench.lab.run.BySecond.Part;
import io.memshard.bench.lab.run.ForkProfiler;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.statistics.Sample;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Table of the calls before, during and after an outage. A figure is the median over the JVMs. */
public final class OutageTable {

    /** Fraction of the good answers before the outage, above which a client is whole again. */
    private static final double WHOLE = 0.95;

    private record Row(Condition condition, String client, List<ForkResult> forks) {

        private double median(ToDoubleFunction<ForkResult> figure) {
            return Sample.median(forks.stream().mapToDouble(figure).toArray());
        }

        private String remark() {
            return LatencyTable.coldness(median(fork -> Metric.of(ForkProfiler.WARM_UP, fork)));
        }

        private String parts(String figure, double unit) {
            if (!remark().isEmpty()) {
                return "-";
            }
            return Stream.of(Part.values())
                    .map(part -> median(fork -> Metric.of(BySecond.name(figure, part), fork)) / unit)
                    .map(value -> String.format(Locale.ROOT, unit > 1 && value < 10 ? "%.1f" : "%,.0f", value))
                    .collect(Collectors.joining(" / "));
        }

        private String whole() {
            if (!remark().isEmpty()) {
                return "-";
            }
            double seconds = median(OutageTable::secondsUntilWhole);
            return Double.isFinite(seconds) ? String.format(Locale.ROOT, "%.0f", seconds) : "not in the measurement";
        }
    }

    private OutageTable() {}

    public static String of(LabData data) {
        List<Row> rows = data.forks(Clients.NAME).all().stream()
                .collect(Collectors.groupingBy(fork ->
                        fork.key().condition().label() + " " + fork.key().arm()))
                .values()
                .stream()
                .map(forks -> new Row(
                        forks.get(0).key().condition(), forks.get(0).key().arm(), forks))
                .sorted(Comparator.comparing((Row row) -> row.condition.label()).thenComparing(Row::client))
                .toList();
        return "Three figures are before / during / after the outage.\n\n"
                + new MarkdownTable<Row>()
                        .text("outage", row -> row.condition.text(Condition.OUTAGE, ""))
                        .text("client", Row::client)
                        .number("callers", row -> row.condition.threads())
                        .number("offered a second", "%,d", row -> row.condition.rate())
                        .number(
                                "keys on the server",
                                "%.0f %%",
                                row -> row.median(fork -> Metric.of(Clients.SHARE, fork)))
                        .number("good a second", row -> row.parts(BySecond.GOOD, 1))
                        .number("missed a second", row -> row.parts(BySecond.MISSED, 1))
                        .number("failed a second", row -> row.parts(BySecond.FAILED, 1))
                        .number("p99, ms", row -> row.parts(BySecond.P99, 1e3))
                        .number("p99.9, ms", row -> row.parts(BySecond.P999, 1e3))
                        .number("longest, ms", row -> row.parts(BySecond.LONGEST, 1e3))
                        .number("seconds until good again", Row::whole)
                        .text("", Row::remark)
                        .of(rows)
                + "\n" + data.lines();
    }

    /** Returns the seconds from the end of the outage to the last second with too few good answers. */
    private static double secondsUntilWhole(ForkResult fork) {
        int seconds = 0;
        while (fork.figures().containsKey(BySecond.name(BySecond.GOOD, seconds))) {
            seconds++;
        }
        int end = seconds * Part.AFTER.ordinal() / Part.values().length;
        double least = WHOLE * Metric.of(BySecond.name(BySecond.GOOD, Part.BEFORE), fork);
        int whole = seconds;
        while (whole > end && Metric.of(BySecond.name(BySecond.GOOD, whole - 1), fork) >= least) {
            whole--;
        }
        return whole == seconds ? Double.POSITIVE_INFINITY : whole - end;
    }
}
