// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Picture;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.chart.SliceChart;
import io.memshard.bench.chart.StackChart;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Sample;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Pictures of the first workload of a comparison. The map {@code names} has the contenders to draw, with their names in
 * the picture. If the map is empty, all contenders are drawn under their own names. Threading: stateless. Failure:
 * {@link IllegalArgumentException} if nothing was compared, or a contender did not take part.
 */
public final class ComparisonCharts {

    /** Text between a contender and its number of connections. */
    private static final String TIMES = " \u00d7 ";

    private ComparisonCharts() {}

    /** Draws the throughput over the number of threads. */
    public static Picture throughput(ComparisonResult comparison, Map<String, String> names) {
        Workload workload = Workload.of(comparison, names);
        List<Integer> threads = workload.threads();
        List<String> labels = labels(workload, names);
        Map<String, SeriesStyle> styles =
                SeriesStyle.of(labels.stream().map(ComparisonCharts::contender).toList());
        List<LineChart.Series> series = labels.stream()
                .map(label -> new LineChart.Series(
                        names.getOrDefault(label, label),
                        style(styles, label),
                        threads.stream()
                                .map(number -> throughput(workload, label, number))
                                .toList()))
                .toList();
        int last = threads.get(threads.size() - 1);
        String finding = labels.stream()
                .sorted(Comparator.comparingDouble((String label) ->
                                throughput(workload, label, last).mid())
                        .reversed())
                .map(label -> names.getOrDefault(label, label) + " "
                        + Numbers.compact(throughput(workload, label, last).mid()))
                .collect(Collectors.joining(", ", "Operations a second with " + last + " threads: ", "."));
        String bars = comparison.hasIntervals()
                ? "bars: 95 % intervals over " + comparison.plan().forks() + " JVMs"
                : "one JVM, so no intervals";
        Frame frame = new Frame(
                "Operations a second over the number of threads: " + workload.title(),
                finding,
                "calling threads",
                "operations a second; " + bars);
        return LineChart.draw(frame, threads.stream().map(String::valueOf).toList(), series);
    }

    /** Draws a dot for every slice whose number of threads is in {@code threads}. */
    public static Picture slices(ComparisonResult comparison, List<Integer> threads, Map<String, String> names) {
        Workload workload = Workload.of(comparison, names);
        List<String> labels = labels(workload, names);
        List<SliceChart.Dot> dots = labels.stream()
                .flatMap(label -> comparison.slices().stream()
                        .filter(slice -> slice.contender().equals(label)
                                && threads.contains(slice.condition().threads()))
                        .map(slice -> new SliceChart.Dot(
                                slice.condition().threads(),
                                names.getOrDefault(label, label),
                                slice.fork(),
                                slice.throughput())))
                .toList();
        String finding = labels.stream()
                .map(label -> names.getOrDefault(label, label)
                        + threads.stream()
                                .map(number -> " " + range(dots, names.getOrDefault(label, label), number))
                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining(
                        "; ",
                        "Operations a second of the slowest and the fastest slice with "
                                + threads.stream().map(String::valueOf).collect(Collectors.joining(", "))
                                + " threads: ",
                        "."));
        return SliceChart.draw(
                new Frame("Every slice: " + workload.title(), finding, "operations a second, a dot for each slice"),
                dots);
    }

    private static String range(List<SliceChart.Dot> dots, String label, int threads) {
        double[] values = dots.stream()
                .filter(dot -> dot.label().equals(label) && dot.threads() == threads)
                .mapToDouble(SliceChart.Dot::value)
                .toArray();
        return Numbers.compact(Arrays.stream(values).min().orElse(Double.NaN)) + " to "
                + Numbers.compact(Arrays.stream(values).max().orElse(Double.NaN));
    }

    /** Draws the CPU time of client and server for an operation, with the context switches of the client. */
    public static Picture cpu(ComparisonResult comparison, int threads, Map<String, String> names) {
        Workload workload = Workload.of(comparison, names);
        List<StackChart.Bar> bars = workload.at(threads).stream()
                .filter(line -> names.isEmpty() || names.containsKey(workload.label(line)))
                .sorted(Comparator.comparingDouble(
                        line -> line.cpuMicrosPerOperation() + line.serverCpuMicrosPerOperation()))
                .map(line -> new StackChart.Bar(
                        names.getOrDefault(workload.label(line), workload.label(line)),
                        line.cpuMicrosPerOperation(),
                        line.serverCpuMicrosPerOperation(),
                        note(comparison, line)))
                .toList();
        String finding = bars.stream()
                .map(bar -> bar.label() + " " + String.format(Locale.ROOT, "%.1f + %.1f us", bar.first(), bar.second()))
                .collect(Collectors.joining(
                        ", ", "CPU time of client and server for an operation with " + threads + " threads: ", "."));
        return StackChart.draw(
                new Frame(
                        "CPU time for an operation, " + threads + " threads",
                        finding,
                        "microseconds of CPU time for an operation, " + threads + " threads"),
                "client",
                "server",
                bars);
    }

    private static String note(ComparisonResult comparison, ContenderSummary line) {
        double switches = Sample.median(comparison.slicesOf(line).stream()
                .filter(slice -> slice.operations() > 0)
                .mapToDouble(slice -> slice.readings().switches() / slice.operations())
                .toArray());
        return String.format(Locale.ROOT, "%.1f us", line.cpuMicrosPerOperation() + line.serverCpuMicrosPerOperation())
                + (Double.isNaN(switches) ? "" : String.format(Locale.ROOT, "; %.1f context switches", switches));
    }

    /**
     * Lines of a comparison whose conditions differ from the first only in the number of threads, without the second
     * run of the baseline. Threading: immutable.
     */
    private record Workload(Condition first, List<ContenderSummary> lines) {

        static Workload of(ComparisonResult comparison, Map<String, String> names) {
            if (comparison.slices().isEmpty()) {
                throw new IllegalArgumentException("there is no slice to draw a chart of");
            }
            List<ContenderSummary> all = comparison.summaries();
            Condition first = all.get(0).condition();
            Workload workload = new Workload(
                    first,
                    all.stream()
                            .filter(line -> !line.isAgain() && line.condition().isLike(first))
                            .toList());
            for (String name : names.keySet()) {
                if (!workload.labels().contains(name)) {
                    throw new IllegalArgumentException("contender \"" + name + "\" did not take part");
                }
            }
            return workload;
        }

        /** Returns the numbers of threads, ascending. */
        List<Integer> threads() {
            return lines.stream()
                    .map(line -> line.condition().threads())
                    .distinct()
                    .sorted()
                    .toList();
        }

        List<ContenderSummary> at(int threads) {
            return lines.stream()
                    .filter(line -> line.condition().threads() == threads)
                    .toList();
        }

        List<String> labels() {
            return lines.stream().map(this::label).distinct().toList();
        }

        /** Returns the contender, and the number of connections if it ran with several. */
        String label(ContenderSummary line) {
            return line.label(lines, TIMES);
        }

        /** Returns words such as {@code get of 100 B, blocking threads}. */
        String title() {
            String callers = switch (first.callers()) {
                case BLOCKING -> "blocking threads";
                case ASYNC -> "asynchronous threads with " + first.inFlight() + " in flight each";
                case VIRTUAL -> "virtual threads";
            };
            return first.loadTitle() + ", " + callers;
        }
    }

    private static List<String> labels(Workload workload, Map<String, String> names) {
        return workload.labels().stream()
                .filter(label -> names.isEmpty() || names.containsKey(label))
                .toList();
    }

    private static Interval throughput(Workload workload, String label, int threads) {
        return workload.at(threads).stream()
                .filter(line -> workload.label(line).equals(label))
                .map(ContenderSummary::throughput)
                .findFirst()
                .orElse(Interval.UNKNOWN);
    }

    /** Returns the contender in {@code label}, without the number of connections that may follow it. */
    private static String contender(String label) {
        int times = label.indexOf(TIMES);
        return times < 0 ? label : label.substring(0, times);
    }

    private static SeriesStyle style(Map<String, SeriesStyle> styles, String label) {
        return Objects.requireNonNull(styles.get(contender(label)), label);
    }
}
