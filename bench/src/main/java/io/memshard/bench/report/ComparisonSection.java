// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.DotChart;
import io.memshard.bench.chart.DotChart.Frame;
import io.memshard.bench.chart.DotChart.Row;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.LineChart.Series;
import io.memshard.bench.chart.Markup;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Latency;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.table.Loss;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** The charts and tables of a comparison. Threading: stateless. */
final class ComparisonSection {

    private static final Interval NONE = new Interval(Double.NaN, Double.NaN, Double.NaN);

    private ComparisonSection() {}

    /** Throughput over threads of the first workload: the chart that also stands alone. */
    static Markup throughput(Workload workload, int forks) {
        return overThreads(
                workload,
                "Operations a second over the number of threads: " + workload.title(),
                "operations a second; "
                        + (forks > 1 ? "bars are 95 % intervals over " + forks + " JVMs" : "one JVM, so no intervals"),
                ContenderSummary::throughput);
    }

    static void write(Markup page, ComparisonResult result) {
        List<ContenderSummary> lines = result.summaries();
        for (Workload workload : Workload.of(lines)) {
            page.element("h2", capital(workload.title()));
            Page.figure(
                    page,
                    "Throughput over threads",
                    "Median over the forks of the medians of their rounds, and its 95 % interval. The higher the better.",
                    throughput(workload, result.plan().forks()));
            Page.figure(
                    page,
                    "Client CPU per operation",
                    "CPU time of the whole client process, all threads, for one operation. The lower the better.",
                    overThreads(
                            workload,
                            "Client CPU for one operation over the number of threads: " + workload.title(),
                            "\u00b5s per operation",
                            line -> {
                                double cpu = line.cpuMicrosPerOperation();
                                return new Interval(Double.NaN, cpu, Double.NaN);
                            }));
            if (lines.stream()
                    .noneMatch(line -> Double.isNaN(line.perCoreSecond().mid()))) {
                Page.figure(
                        page,
                        "Operations for a second of CPU time",
                        "Of client and server together. The higher the better.",
                        overThreads(
                                workload,
                                "Operations a core-second over the number of threads: " + workload.title(),
                                "operations a core-second",
                                ContenderSummary::perCoreSecond));
            }
            ratios(page, result, workload);
            latencies(page, workload);
            numbers(page, result, workload);
        }
        losses(page, result);
        failures(page, result);
    }

    private static Markup overThreads(
            Workload workload, String title, String unit, Function<ContenderSummary, Interval> figure) {
        List<Integer> threads = workload.threads();
        List<Series> series = workload.labels().stream()
                .map(label -> new Series(
                        label,
                        style(label),
                        threads.stream()
                                .map(number -> {
                                    ContenderSummary line = workload.line(label, number);
                                    return line == null ? NONE : figure.apply(line);
                                })
                                .toList()))
                .toList();
        return LineChart.draw(title, unit, threads.stream().map(String::valueOf).toList(), "calling threads", series);
    }

    private static void ratios(Markup page, ComparisonResult result, Workload workload) {
        String baseline = result.plan().baseline();
        page.element("h3", "Ratio to " + baseline)
                .element(
                        "p",
                        "Throughput over that of both runs of " + baseline + " in the same round, with its 95 %"
                                + " interval, on a logarithmic axis. Right of the line at 1 is faster.");
        page.open("div", "class", "panels");
        for (int threads : workload.threads()) {
            List<Row> rows = workload.at(threads).stream()
                    .filter(line -> line.ratio() != null)
                    .sorted(Comparator.comparingDouble(
                                    (ContenderSummary line) -> ratio(line).mid())
                            .reversed())
                    .map(line -> new Row(
                            workload.label(line),
                            style(line.contender()),
                            ratio(line).isKnown()
                                    ? ratio(line).low()
                                    : ratio(line).mid(),
                            List.of(ratio(line).mid()),
                            ratio(line).isKnown()
                                    ? ratio(line).high()
                                    : ratio(line).mid(),
                            Numbers.ratio(ratio(line).mid())))
                    .toList();
            if (!rows.isEmpty()) {
                Page.panel(
                        page,
                        Page.threads(threads),
                        DotChart.draw(
                                new Frame(
                                        "Ratio to " + baseline + " at " + Page.threads(threads),
                                        "ratio to " + baseline,
                                        1,
                                        "ratio",
                                        Numbers::ratio),
                                rows));
            }
        }
        page.close("div");
    }

    private static Interval ratio(ContenderSummary line) {
        Interval ratio = line.ratio();
        return ratio == null ? NONE : ratio;
    }

    private static void latencies(Markup page, Workload workload) {
        page.element("h3", "Latency")
                .element(
                        "p",
                        "Three points a line: p50, p99 and p99.9 of the time from call to result, all rounds together, on"
                                + " a logarithmic axis. Left is better.");
        page.open("div", "class", "panels");
        for (int threads : workload.threads()) {
            List<Row> rows = workload.at(threads).stream()
                    .filter(line -> line.latency().p50Micros() > 0)
                    .sorted(Comparator.comparingDouble(
                            (ContenderSummary line) -> line.latency().p99Micros()))
                    .map(line -> latency(workload, line))
                    .toList();
            if (!rows.isEmpty()) {
                Page.panel(
                        page,
                        Page.threads(threads),
                        DotChart.draw(
                                new Frame(
                                        "Latency at " + Page.threads(threads),
                                        "\u00b5s",
                                        Double.NaN,
                                        "p99",
                                        Numbers::micros),
                                rows));
            }
        }
        page.close("div");
    }

    private static Row latency(Workload workload, ContenderSummary line) {
        Latency latency = line.latency();
        return new Row(
                workload.label(line),
                style(line.contender()),
                latency.p50Micros(),
                List.of(latency.p50Micros(), latency.p99Micros(), latency.p999Micros()),
                latency.p999Micros(),
                Numbers.micros(latency.p99Micros()));
    }

    private static void numbers(Markup page, ComparisonResult result, Workload workload) {
        page.open("details").element("summary", "All numbers of this workload");
        Page.table(
                page,
                List.of(
                        "threads",
                        "*contender",
                        "sockets",
                        "ratio to " + result.plan().baseline(),
                        "95 %",
                        "*",
                        "ops/s",
                        "client \u00b5s/op",
                        "server \u00b5s/op",
                        "ops/core-s",
                        "p50 \u00b5s",
                        "p99 \u00b5s",
                        "p99.9 \u00b5s",
                        "longest \u00b5s",
                        "Jain"),
                workload.lines().stream()
                        .map(line -> List.of(
                                "" + line.condition().threads(),
                                line.contender(),
                                "" + line.connections(),
                                number(ratio(line).mid(), Numbers::ratio),
                                interval(ratio(line)),
                                line.verdict(),
                                Numbers.significant(line.operationsPerSecond()),
                                Numbers.significant(line.cpuMicrosPerOperation()),
                                number(line.serverCpuMicrosPerOperation(), Numbers::significant),
                                number(line.perCoreSecond().mid(), Numbers::significant),
                                Numbers.significant(line.latency().p50Micros()),
                                Numbers.significant(line.latency().p99Micros()),
                                Numbers.significant(line.latency().p999Micros()),
                                Numbers.significant(line.latency().maxMicros()),
                                number(line.jain(), Numbers::ratio)))
                        .toList());
        page.close("details");
    }

    private static String number(double number, DoubleFunction<String> format) {
        return Double.isNaN(number) ? "\u2013" : format.apply(number);
    }

    private static String interval(Interval interval) {
        return interval.isKnown()
                ? Numbers.ratio(interval.low()) + "\u2013" + Numbers.ratio(interval.high())
                : "\u2013";
    }

    private static void losses(Markup page, ComparisonResult result) {
        page.element("h2", "Where Memshard loses", "id", "losses");
        if (!Loss.tookPart(result)) {
            page.element("p", "Memshard with its defaults did not take part in this comparison.");
            return;
        }
        List<Loss> losses = Loss.of(result);
        if (losses.isEmpty()) {
            page.element(
                    "p",
                    "In no cell of this run was another contender ahead of Memshard with its defaults, in operations a"
                            + " second, CPU or a percentile.");
            return;
        }
        page.element(
                "p",
                "Every cell in which another contender was ahead of Memshard with its defaults, paired in each round."
                        + " \u201cInconclusive\u201d: the interval reaches the margin of 5 % in which two are equal."
                        + " Cells in which the whole interval is within it are left out.");
        Page.table(
                page,
                List.of("*load", "*measure", "*ahead", "with", "Memshard", "by", "95 %", "*"),
                losses.stream()
                        .map(loss -> List.of(
                                loss.condition().title(),
                                loss.measure(),
                                loss.contender(),
                                Numbers.compact(loss.theirs()),
                                Numbers.compact(loss.our()),
                                Numbers.ratio(loss.factor().mid()),
                                interval(loss.factor()),
                                loss.isInconclusive() ? "inconclusive" : ""))
                        .toList());
    }

    private static void failures(Markup page, ComparisonResult result) {
        page.element("h2", "Errors, timeouts, wrong values");
        List<ContenderSummary> failed = result.summaries().stream()
                .filter(line -> line.errors() + line.timeouts() + line.wrongValues() > 0)
                .toList();
        if (failed.isEmpty()) {
            page.element(
                    "p",
                    "None: in all " + result.summaries().size()
                            + " cells every call returned the right value, compared to the last byte.");
            return;
        }
        page.element("p", "Cells without a line here had none. A failed call is in no throughput and no latency.");
        Page.table(
                page,
                List.of("*contender", "threads", "value bytes", "errors", "timeouts", "wrong values"),
                failed.stream()
                        .map(line -> List.of(
                                line.contender(),
                                "" + line.condition().threads(),
                                "" + line.condition().valueSize(),
                                "" + line.errors(),
                                "" + line.timeouts(),
                                "" + line.wrongValues()))
                        .toList());
    }

    /** The style of a label, in which the number of connections may follow the contender. */
    private static SeriesStyle style(String label) {
        int times = label.indexOf(" \u00d7 ");
        return SeriesStyle.of(times < 0 ? label : label.substring(0, times));
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
