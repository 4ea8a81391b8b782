// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.LineChart;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Picture;
import io.memshard.bench.chart.SeriesStyle;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.page.Comparison.Line;
import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Picture of the first workload of comparisons. The map {@code names} has the contenders to draw, with their names in
 * the picture. If the map is empty, all contenders are drawn under their own names. Threading: stateless. Failure:
 * {@link IllegalArgumentException} if nothing was compared, or a contender did not take part.
 */
public final class ComparisonCharts {

    private static final String TEMPLATE = "template";
    private static final String CONNECTION = "connection";

    private ComparisonCharts() {}

    /**
     * Draws the throughput of each of {@code comparisons} over the number of threads, in panels side by side. A ring
     * marks where {@value #CONNECTION} passes {@value #TEMPLATE}.
     */
    public static Picture panels(List<Comparison> comparisons, Map<String, String> names) {
        List<Curves> all = comparisons.stream()
                .map(comparison -> Curves.of(comparison, names))
                .toList();
        List<Integer> threads = all.stream()
                .flatMap(curves -> curves.threads().stream())
                .distinct()
                .sorted()
                .toList();
        List<LineChart.Panel> panels = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Curves curves = all.get(i);
            String title = title(comparisons.get(i));
            List<LineChart.Note> notes = new ArrayList<>();
            StringBuilder finding = new StringBuilder(title + ", " + curves.ranks(names));
            Crossing.of(curves).ifPresent(crossing -> {
                notes.add(crossing.note(threads));
                finding.append("; one client passes the pool between %d and %d threads"
                        .formatted(crossing.before(), crossing.after()));
            });
            panels.add(new LineChart.Panel(title, curves.series(threads, names), notes));
            findings.add(finding.toString());
        }
        Condition first = all.get(0).first;
        Frame frame = new Frame(
                "Operations a second over the number of threads: " + Comparison.load(first) + ", "
                        + first.text(Condition.CALLERS, "blocking") + " threads",
                "Operations a second: " + String.join(". ", findings) + ".",
                "calling threads",
                "operations a second");
        return LineChart.draw(frame, threads.stream().map(String::valueOf).toList(), panels);
    }

    private static String title(Comparison comparison) {
        return "%s processors, a pool of %d, %s"
                .formatted(
                        comparison.run().facts().get("cpus"),
                        comparison.run().profile().poolSize(),
                        comparison.forks() > 1 ? comparison.forks() + " JVMs" : "one JVM");
    }

    /**
     * Throughput by number of threads of each contender, under conditions that differ from {@code first} only in the
     * number of threads. Threading: immutable.
     */
    private record Curves(Condition first, Map<String, TreeMap<Integer, Interval>> byContender) {

        static Curves of(Comparison comparison, Map<String, String> names) {
            comparison.requireKnown(names.keySet());
            if (comparison.lines().isEmpty()) {
                throw new IllegalArgumentException("there is no fork to draw a chart of");
            }
            Condition first = comparison.lines().get(0).condition();
            Map<String, TreeMap<Integer, Interval>> curves = new LinkedHashMap<>();
            for (Line line : comparison.lines()) {
                Condition condition = line.condition();
                boolean isNamed = names.isEmpty() ? !line.isAgain() : names.containsKey(line.contender());
                if (isNamed && condition.withThreads(first.threads()).equals(first)) {
                    curves.computeIfAbsent(line.contender(), contender -> new TreeMap<>())
                            .put(condition.threads(), line.throughput());
                }
            }
            return new Curves(first, curves);
        }

        List<Integer> threads() {
            return byContender.values().stream()
                    .flatMap(curve -> curve.keySet().stream())
                    .distinct()
                    .sorted()
                    .toList();
        }

        double at(String contender, int threads) {
            return interval(contender, threads).mid();
        }

        private Interval interval(String contender, int threads) {
            return Objects.requireNonNull(byContender.get(contender), contender)
                    .getOrDefault(threads, Interval.UNKNOWN);
        }

        List<LineChart.Series> series(List<Integer> threads, Map<String, String> names) {
            Map<String, SeriesStyle> styles = SeriesStyle.of(byContender.keySet());
            return byContender.keySet().stream()
                    .map(contender -> new LineChart.Series(
                            names.getOrDefault(contender, contender),
                            Objects.requireNonNull(styles.get(contender), contender),
                            threads.stream()
                                    .map(number -> interval(contender, number))
                                    .toList()))
                    .toList();
        }

        /** Returns the throughput of each contender with the most threads, from the greatest to the least. */
        String ranks(Map<String, String> names) {
            List<Integer> threads = threads();
            int last = threads.get(threads.size() - 1);
            return byContender.keySet().stream()
                    .sorted(Comparator.comparingDouble((String contender) -> at(contender, last))
                            .reversed())
                    .map(contender ->
                            names.getOrDefault(contender, contender) + " " + Numbers.compact(at(contender, last)))
                    .collect(Collectors.joining(", ", last + " threads: ", ""));
        }
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

        static Optional<Crossing> of(Curves curves) {
            List<Integer> threads = curves.threads();
            boolean hasBoth = curves.byContender.keySet().containsAll(List.of(TEMPLATE, CONNECTION));
            for (int i = threads.size() - 1; i > 0 && hasBoth; i--) {
                double pool = curves.at(TEMPLATE, threads.get(i - 1));
                double ahead = pool - curves.at(CONNECTION, threads.get(i - 1));
                double behind = curves.at(CONNECTION, threads.get(i)) - curves.at(TEMPLATE, threads.get(i));
                if (ahead > 0 && behind > 0) {
                    double part = ahead / (ahead + behind);
                    double value = pool + part * (curves.at(TEMPLATE, threads.get(i)) - pool);
                    return Optional.of(new Crossing(threads.get(i - 1), threads.get(i), part, value));
                }
            }
            return Optional.empty();
        }

        LineChart.Note note(List<Integer> threads) {
            double left = threads.indexOf(before);
            return new LineChart.Note(
                    left + part * (threads.indexOf(after) - left), value, "one client passes the pool");
        }
    }
}
