// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Plan.Cell;
import io.memshard.bench.lab.run.BySecond;
import io.memshard.bench.lab.run.ForkProfiler;
import io.memshard.bench.result.MarkdownTable;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Sample;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;

/** Tables of calls at given rates. A latency counts from the time at which a request was due. */
public final class OpenLoopTables {

    /** Minimum warm-up. In a cold JVM, the number of waiting requests grows for seconds. */
    private static final double LEAST_WARM_UP_SECONDS = 10;

    /** Maximum delay of free threads, as a fraction of the median latency. A row with a longer delay is void. */
    private static final double MOST_LAG = 0.2;

    private static final double MOST_OFF = 0.01;

    /** Number of standard deviations by which the random number of requests may be below its mean. */
    private static final double DEVIATIONS = 3;

    /** Minimum number of requests for which the 99.9th percentile is shown. */
    private static final double LEAST_REQUESTS = 100_000;

    /** Fraction of the good answers before the outage, above which a client is whole again. */
    private static final double WHOLE = 0.95;

    private final LabData data;
    private final Forks forks;

    public OpenLoopTables(LabData data) {
        this.data = data;
        this.forks = data.forks(Clients.NAME);
    }

    public String latency() {
        Comparator<Condition> order = Comparator.comparingInt(Condition::threads)
                .thenComparingInt(Condition::roundTripMicros)
                .thenComparingInt(condition -> condition.number(Condition.SHARE, condition.rate()));
        return new MarkdownTable<Cell>()
                        .number("callers", row -> row.condition().threads())
                        .number("added round trip, us", row -> row.condition().roundTripMicros())
                        .number("% of its throughput", row -> row.condition().text(Condition.SHARE, "-"))
                        .number(
                                "offered a second",
                                "%,d",
                                row -> row.condition().rate())
                        .text("client", Cell::arm)
                        .number("served a second", "%,.0f", row -> median(row, Metric.THROUGHPUT))
                        .number("p50, us", row -> percentile(row, Measure.P50_US))
                        .number("p99, us", row -> percentile(row, Measure.P99_US))
                        .number("p99.9, us", row -> percentile(row, Measure.P999_US))
                        .number("callers late by (p99), us", "%,.0f", row -> median(row, ForkProfiler.LAG))
                        .text("", this::remark)
                        .of(forks.cells(order))
                + "\n" + data.lines();
    }

    public String outage() {
        return "Three figures are before / during / after the outage.\n\n"
                + new MarkdownTable<Cell>()
                        .text("outage", row -> row.condition().text(Condition.OUTAGE, ""))
                        .text("client", Cell::arm)
                        .number("callers", row -> row.condition().threads())
                        .number(
                                "offered a second",
                                "%,d",
                                row -> row.condition().rate())
                        .number("keys on the server", "%.0f %%", row -> median(row, Clients.SHARE))
                        .number("good a second", row -> parts(row, BySecond.GOOD, 1))
                        .number("missed a second", row -> parts(row, BySecond.MISSED, 1))
                        .number("failed a second", row -> parts(row, BySecond.FAILED, 1))
                        .number("p99, ms", row -> parts(row, BySecond.P99, 1e3))
                        .number("p99.9, ms", row -> parts(row, BySecond.P999, 1e3))
                        .number("longest, ms", row -> parts(row, BySecond.LONGEST, 1e3))
                        .number("seconds until good again", this::whole)
                        .text("", this::coldness)
                        .of(forks.cells(Comparator.comparing(Condition::label)))
                + "\n" + data.lines();
    }

    private double median(Cell row, String metric) {
        return forks.median(row.arm(), row.condition(), metric);
    }

    private String percentile(Cell row, Measure measure) {
        if (!remark(row).isEmpty()
                || (measure == Measure.P999_US && median(row, Measure.CYCLES.column()) < LEAST_REQUESTS)) {
            return "-";
        }
        return Bootstrap.STANDARD
                .median(forks.values(row.arm(), row.condition(), measure.column()))
                .text("%,.0f");
    }

    private String coldness(Cell row) {
        return median(row, ForkProfiler.WARM_UP) >= LEAST_WARM_UP_SECONDS
                ? ""
                : "void: a warm-up below " + Math.round(LEAST_WARM_UP_SECONDS) + " s";
    }

    private String remark(Cell row) {
        String cold = coldness(row);
        if (!cold.isEmpty() || isSaturated(row)) {
            return cold.isEmpty() ? "saturated" : cold;
        }
        return median(row, ForkProfiler.LAG) > MOST_LAG * median(row, Measure.P50_US.column())
                ? "void: late callers"
                : "";
    }

    private boolean isSaturated(Cell row) {
        double offered = row.condition().rate() * median(row, Measure.SECONDS.column());
        double served = median(row, Measure.CYCLES.column());
        double drift = median(row, Metric.DRIFT);
        return isLess(served, offered) && isLess(served * drift / (1 + drift), offered / 2);
    }

    private static boolean isLess(double served, double offered) {
        return offered - served > Math.max(MOST_OFF * offered, DEVIATIONS * Math.sqrt(offered));
    }

    private String parts(Cell row, String figure, double unit) {
        if (!coldness(row).isEmpty()) {
            return "-";
        }
        return BySecond.PARTS.stream()
                .map(part -> median(row, figure + part) / unit)
                .map(value -> String.format(Locale.ROOT, unit > 1 && value < 10 ? "%.1f" : "%,.0f", value))
                .collect(Collectors.joining(" / "));
    }

    private String whole(Cell row) {
        if (!coldness(row).isEmpty()) {
            return "-";
        }
        double seconds = Sample.median(forks.all().stream()
                .filter(fork -> fork.key().openedArm().equals(row.arm()))
                .filter(fork -> fork.key().condition().equals(row.condition()))
                .mapToDouble(OpenLoopTables::secondsUntilWhole)
                .toArray());
        return Double.isFinite(seconds) ? String.format(Locale.ROOT, "%.0f", seconds) : "not in the measurement";
    }

    /** Returns the seconds from the end of the outage to the last second with too few good answers. */
    private static double secondsUntilWhole(ForkResult fork) {
        int seconds = 0;
        while (fork.figures().containsKey(BySecond.GOOD + BySecond.of(seconds))) {
            seconds++;
        }
        int end = seconds * 2 / BySecond.PARTS.size();
        double least = WHOLE * Metric.of(BySecond.GOOD + BySecond.PARTS.get(0), fork);
        int whole = seconds;
        while (whole > end && Metric.of(BySecond.GOOD + BySecond.of(whole - 1), fork) >= least) {
            whole--;
        }
        return whole == seconds ? Double.POSITIVE_INFINITY : whole - end;
    }
}
