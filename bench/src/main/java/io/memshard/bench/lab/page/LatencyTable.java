// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.run.ForkProfiler;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.statistics.Bootstrap;
import java.util.Comparator;
import java.util.List;

/** Table of latencies, counted from the time at which a request was due. */
public final class LatencyTable {

    /** Minimum warm-up. In a cold JVM, the number of waiting requests grows for seconds. */
    private static final double LEAST_WARM_UP_SECONDS = 10;

    /** Maximum delay of free threads, as a fraction of the median latency. A row with a longer delay is void. */
    private static final double MOST_LAG = 0.2;

    private static final double MOST_OFF = 0.01;

    /** Number of standard deviations by which the random number of requests may be below its mean. */
    private static final double DEVIATIONS = 3;

    /** Minimum number of requests for which the 99.9th percentile is shown. */
    private static final double LEAST_REQUESTS = 100_000;

    private final Forks forks;

    private LatencyTable(LabData data) {
        this.forks = data.forks(Clients.NAME);
    }

    private record Row(String arm, Condition condition) {}

    public static String of(LabData data) {
        LatencyTable table = new LatencyTable(data);
        List<Row> rows = table.forks.all().stream()
                .map(fork -> new Row(fork.key().openedArm(), fork.key().condition()))
                .distinct()
                .sorted(Comparator.comparingInt((Row row) -> row.condition.threads())
                        .thenComparing(row -> row.condition.roundTripMicros())
                        .thenComparing(row -> row.condition.number(Condition.SHARE, row.condition.rate()))
                        .thenComparing(Row::arm))
                .toList();
        return new MarkdownTable<Row>()
                        .number("callers", row -> row.condition.threads())
                        .number("added round trip, us", row -> row.condition.roundTripMicros())
                        .number("% of its throughput", row -> row.condition.text(Condition.SHARE, "-"))
                        .number("offered a second", "%,d", row -> row.condition.rate())
                        .text("client", Row::arm)
                        .number("served a second", "%,.0f", row -> table.median(row, Metric.THROUGHPUT))
                        .number("p50, us", row -> table.cell(row, Measure.P50_US))
                        .number("p99, us", row -> table.cell(row, Measure.P99_US))
                        .number("p99.9, us", row -> table.cell(row, Measure.P999_US))
                        .number("callers late by (p99), us", "%,.0f", row -> table.median(row, ForkProfiler.LAG))
                        .text("", table::remark)
                        .of(rows)
                + "\n" + data.lines();
    }

    private String cell(Row row, Measure measure) {
        if (!remark(row).isEmpty()
                || (measure == Measure.P999_US && median(row, Measure.CYCLES.column()) < LEAST_REQUESTS)) {
            return "-";
        }
        return Bootstrap.STANDARD.median(values(row, measure.column())).text("%,.0f");
    }

    private String remark(Row row) {
        String cold = coldness(median(row, ForkProfiler.WARM_UP));
        if (!cold.isEmpty() || isSaturated(row)) {
            return cold.isEmpty() ? "saturated" : cold;
        }
        return median(row, ForkProfiler.LAG) > MOST_LAG * median(row, Measure.P50_US.column())
                ? "void: late callers"
                : "";
    }

    /** Returns why figures after this warm-up are void, or an empty text. */
    static String coldness(double warmUpSeconds) {
        return warmUpSeconds >= LEAST_WARM_UP_SECONDS
                ? ""
                : "void: a warm-up below " + Math.round(LEAST_WARM_UP_SECONDS) + " s";
    }

    private boolean isSaturated(Row row) {
        double offered = row.condition.rate() * median(row, Measure.SECONDS.column());
        double served = median(row, Measure.CYCLES.column());
        double drift = median(row, Metric.DRIFT);
        return isLess(served, offered) && isLess(served * drift / (1 + drift), offered / 2);
    }

    private static boolean isLess(double served, double offered) {
        return offered - served > Math.max(MOST_OFF * offered, DEVIATIONS * Math.sqrt(offered));
    }

    private double median(Row row, String metric) {
        return forks.median(row.arm, row.condition, metric);
    }

    private double[] values(Row row, String metric) {
        return forks.values(row.arm, row.condition, metric);
    }
}
