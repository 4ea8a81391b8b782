// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.locks.LockReport;
import io.memshard.bench.result.ComparisonFiles;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.TextFile;
import io.memshard.bench.statistics.Interval;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * The report of a results folder, in that folder: a page that never changes, the data that it shows, and {@code
 * chart.svg} if something was compared. Threading: stateless. Failure: {@link UncheckedIOException} in one sentence.
 */
public final class ReportRun {

    /** Names of the page and of the script that shows the data on it. */
    private static final List<String> PAGE = List.of("report.html", "report.js");

    private static final JsonMapper MAPPER = new JsonMapper();

    private ReportRun() {}

    /** Draws the results in a folder: a comparison, lock profiles or both. Returns whether it holds one of them. */
    public static boolean run(Path folder, PrintWriter out) {
        ComparisonResult comparison = ComparisonFiles.isIn(folder) ? ComparisonFiles.read(folder) : null;
        LockReport locks = LockReport.isIn(folder) ? LockReport.read(folder) : null;
        if (comparison == null && locks == null) {
            return false;
        }
        ReportData data = new ReportData(comparison == null ? null : ReportData.Comparison.of(comparison), locks);
        TextFile.write(folder.resolve("report-data.js"), "var report = " + MAPPER.writeValueAsString(data) + ";\n");
        PAGE.forEach(name -> copy(name, folder.resolve(name)));
        if (comparison != null && !comparison.slices().isEmpty()) {
            TextFile.write(folder.resolve("chart.svg"), chart(comparison));
        }
        out.println("- report: " + folder.resolve(PAGE.get(0)));
        return true;
    }

    /**
     * Returns the throughput over threads of the first workload, as a separate SVG file.
     *
     * @throws IllegalArgumentException if nothing was compared
     */
    public static String chart(ComparisonResult comparison) {
        return chart(comparison, Map.of());
    }

    /**
     * Returns the same chart of some contenders.
     *
     * @param names names in the chart by contender; empty for all contenders under their own names
     * @throws IllegalArgumentException if nothing was compared, or a contender did not take part
     */
    public static String chart(ComparisonResult comparison, Map<String, String> names) {
        if (comparison.slices().isEmpty()) {
            throw new IllegalArgumentException("there is no slice to draw a chart of");
        }
        Workload workload = Workload.of(comparison.summaries()).get(0);
        List<Integer> threads = workload.threads();
        for (String name : names.keySet()) {
            if (!workload.labels().contains(name)) {
                throw new IllegalArgumentException("contender \"" + name + "\" did not take part");
            }
        }
        List<LineChart.Series> series = workload.labels().stream()
                .filter(label -> names.isEmpty() || names.containsKey(label))
                .map(label -> new LineChart.Series(
                        names.getOrDefault(label, label),
                        style(label),
                        threads.stream()
                                .map(number -> throughput(workload, label, number))
                                .toList()))
                .toList();
        return LineChart.draw(
                        "Operations a second over the number of threads: " + workload.title(),
                        "operations a second; "
                                + (comparison.hasIntervals()
                                        ? "bars are 95 % intervals over "
                                                + comparison.plan().forks() + " JVMs"
                                        : "one JVM, so no intervals"),
                        threads.stream().map(String::valueOf).toList(),
                        "calling threads",
                        series)
                .toString();
    }

    private static Interval throughput(Workload workload, String label, int threads) {
        ContenderSummary line = workload.line(label, threads);
        return line == null ? Interval.UNKNOWN : line.throughput();
    }

    /** Returns the style of a label, in which the number of connections may follow the contender. */
    private static SeriesStyle style(String label) {
        int times = label.indexOf(Workload.TIMES);
        return SeriesStyle.of(times < 0 ? label : label.substring(0, times));
    }

    private static void copy(String resource, Path file) {
        try (InputStream in = Objects.requireNonNull(ReportRun.class.getResourceAsStream(resource), resource)) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw TextFile.failure("write", file, e);
        }
    }
}
