// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Picture;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Pictures of the first workload of a comparison. The map {@code names} has the contenders to draw, with their names in
 * the picture. If the map is empty, all contenders are drawn under their own names. Threading: stateless. Failure:
 * {@link IllegalArgumentException} if nothing was compared, or a contender did not take part.
 */
public final class ComparisonCharts {

    /** Text between a contender and its number of connections. */
    private static final String TIMES = " \u00d7 ";

    private static final String TEMPLATE = "template";
    private static final String CONNECTION = "connection";

    private ComparisonCharts() {}

    /**
     * Draws the throughput of each of {@code comparisons} over the number of threads, in panels side by side. A ring
     * marks where {@value #CONNECTION} passes {@value #TEMPLATE}.
     */
    public static Picture panels(List<ComparisonResult> comparisons, Map<String, String> names) {
        List<Workload> workloads = comparisons.stream()
                .map(comparison -> Workload.of(comparison, names))
                .toList();
        List<Integer> threads = workloads.stream()
                .flatMap(workload -> workload.threads().stream())
                .distinct()
                .sorted()
                .toList();
        List<LineChart.Panel> panels = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        for (int i = 0; i < workloads.size(); i++) {
            Workload workload = workloads.get(i);
            String title = title(comparisons.get(i));
            List<LineChart.Note> notes = new ArrayList<>();
            StringBuilder finding = new StringBuilder(title + ", " + ranks(workload, names));
            Crossing.of(workload).ifPresent(crossing -> {
                notes.add(crossing.note(threads));
                finding.append("; one client passes the pool between %d and %d threads"
                        .formatted(crossing.before(), crossing.after()));
            });
            panels.add(new LineChart.Panel(title, series(workload, threads, names), notes));
            findings.add(finding.toString());
        }
        Frame frame = new Frame(
                "Operations a second over the number of threads: "
                        + workloads.get(0).title(),
                "Operations a second: " + String.join(". ", findings) + ".",
                "calling threads",
                "operations a second");
        return LineChart.draw(frame, threads.stream().map(String::valueOf).toList(), panels);
    }

    private static String title(ComparisonResult comparison) {
        return "%d processors, a pool of %d, %s"
                .formatted(
                        Integer.parseInt(comparison.environment().get("cpus")),
                        comparison.plan().poolSize(),
                        comparison.hasIntervals() ? comparison.plan().forks() + " JVMs" : "one JVM");
    }

    private static List<LineChart.Series> series(Workload workload, List<Integer> threads, Map<String, String> names) {
        List<String> labels = labels(workload, names);
        Map<String, SeriesStyle> styles =
                SeriesStyle.of(labels.stream().map(ComparisonCharts::contender).toList());
        return labels.stream()
                .map(label -> new LineChart.Series(
                        names.getOrDefault(label, label),
                        style(styles, label),
                        threads.stream()
                                .map(number -> throughput(workload, label, number))
                                .toList()))
                .toList();
    }

    /** Returns the throughput of each contender with the most threads, from the greatest to the least. */
    private static String ranks(Workload workload, Map<String, String> names) {
        List<Integer> threads = workload.threads();
        int last = threads.get(threads.size() - 1);
        return labels(workload, names).stream()
                .sorted(Comparator.comparingDouble((String label) ->
                                throughput(workload, label, last).mid())
                        .reversed())
                .map(label -> names.getOrDefault(label, label) + " "
                        + Numbers.compact(throughput(workload, label, last).mid()))
                .collect(Collectors.joining(", ", last + " threads: ", ""));
    }

    /**
     * Place where one client passes the pool for good.
     *
     * @param before greatest number of threads with which the pool is ahead
     * @param after next number of threads
     * @param part place between the two, from 0 to 1
     * @param value throughput of both there
     */
    private record Crossing(int before, int after, double part, double value) {

        static Optional<Crossing> of(Workload workload) {
            List<Integer> threads = workload.threads();
            for (int i = threads.size() - 1;
                    i > 0 && workload.labels().containsAll(List.of(TEMPLATE, CONNECTION));
                    i--) {
                double pool = mid(workload, TEMPLATE, threads.get(i - 1));
                double ahead = pool - mid(workload, CONNECTION, threads.get(i - 1));
                double behind = mid(workload, CONNECTION, threads.get(i)) - mid(workload, TEMPLATE, threads.get(i));
                if (ahead > 0 && behind > 0) {
                    double part = ahead / (ahead + behind);
                    double value = pool + part * (mid(workload, TEMPLATE, threads.get(i)) - pool);
                    return Optional.of(new Crossing(threads.get(i - 1), threads.get(i), part, value));
                }
            }
            return Optional.empty();
        }

        private static double mid(Workload workload, String label, int threads) {
            return throughput(workload, label, threads).mid();
        }

        LineChart.Note note(List<Integer> threads) {
            double left = threads.indexOf(before);
            return new LineChart.Note(
                    left + part * (threads.indexOf(after) - left), value, "one client passes the pool");
        }
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
