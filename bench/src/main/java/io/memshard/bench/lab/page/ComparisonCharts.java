// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.page.Comparison.Line;
import io.memshard.bench.result.Picture;
import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Pictures of comparisons. {@code names} has a label for each contender to draw; an empty map draws all. */
public final class ComparisonCharts {

    private static final String TEMPLATE = "template";
    private static final String CONNECTION = "connection";

    private ComparisonCharts() {}

    /** Draws the throughput. A ring marks where {@value #CONNECTION} overtakes {@value #TEMPLATE}. */
    public static Picture panels(List<Comparison> comparisons, Map<String, String> names) {
        List<Curves> all = comparisons.stream()
                .map(comparison -> Curves.of(comparison, names))
                .toList();
        List<Integer> threads = all.stream()
                .flatMap(curves -> curves.threads().stream())
                .distinct()
                .sorted()
                .toList();
        List<String> ranked = all.get(0).ranked();
        Plot.Table points = new Plot.Table("x y low high series panel");
        Plot.Table notes = new Plot.Table("x y below align text panel");
        List<String> findings = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Curves curves = all.get(i);
            String panel = title(comparisons.get(i));
            String finding = panel + ", " + curves.ranks(names);
            for (String contender : ranked) {
                curves.of(contender)
                        .forEach((number, found) -> points.row(
                                (double) threads.indexOf(number),
                                found.mid(),
                                found.isKnown() ? found.low() : found.mid(),
                                found.isKnown() ? found.high() : found.mid(),
                                names.getOrDefault(contender, contender),
                                panel));
            }
            int passing = curves.passing();
            if (passing > 0) {
                int before = curves.threads().get(passing - 1);
                int after = curves.threads().get(passing);
                double part = curves.lead(passing - 1) / (curves.lead(passing - 1) - curves.lead(passing));
                double x = threads.indexOf(before) + part * (threads.indexOf(after) - threads.indexOf(before));
                double pool = curves.at(TEMPLATE, before);
                double y = pool + part * (curves.at(TEMPLATE, after) - pool);
                notes.row(x, y, 0.4 * y, x > threads.size() / 2.0 ? 1.0 : 0.0, "one client passes the pool", panel);
                finding += "; one client passes the pool between %d and %d threads".formatted(before, after);
            }
            findings.add(finding);
        }
        Condition first = all.get(0).first;
        List<SeriesStyle> styles = List.copyOf(SeriesStyle.of(ranked).values());
        return new Plot(380, "panel_grid_major_x")
                .facets("panel", "scales", "free_y", "order", List.of(-1.0))
                .layer("linerange", points, "x ymin=low ymax=high color=series size:1 alpha:0.6 show_legend:false")
                .layer("line", points, "x y color=series linetype=series size:1")
                .layer("point", points, "x y color=series shape=series size:3.2")
                .layer("point", notes, "x y shape:1 size:7 color:" + Plot.INK)
                .layer("text", notes, "x y=below hjust=align label=text size:6 color:" + Plot.INK)
                .labels(
                        "x",
                        "calling threads",
                        threads.stream().map(String::valueOf).toList())
                .values("color", styles, SeriesStyle::colour)
                .values("linetype", styles, SeriesStyle::dash)
                .values("shape", styles, SeriesStyle::shape)
                .scale("y", "name", "operations a second", "limits", Arrays.asList(0.0, null), "format", ",d")
                .draw(
                        "Operations a second over the number of threads: " + Comparison.load(first) + ", "
                                + first.text(Condition.CALLERS, "blocking") + " threads",
                        "Operations a second: " + String.join(". ", findings) + ".");
    }

    private static String title(Comparison comparison) {
        return "%s processors, a pool of %d, %s"
                .formatted(
                        comparison.run().facts().get("cpus"),
                        comparison.run().profile().poolSize(),
                        comparison.forks() > 1 ? comparison.forks() + " JVMs" : "one JVM");
    }

    private record Curves(Condition first, Map<String, TreeMap<Integer, Interval>> byContender) {

        static Curves of(Comparison comparison, Map<String, String> names) {
            comparison.requireKnown(names.keySet());
            if (comparison.lines().isEmpty()) {
                throw new IllegalArgumentException(
                        "the results contain no measurement of the clients, so there is nothing to draw");
            }
            Condition first = comparison.lines().get(0).condition();
            Map<String, TreeMap<Integer, Interval>> curves = new LinkedHashMap<>();
            for (Line line : comparison.lines()) {
                Interval found = line.throughput();
                boolean isNamed = names.isEmpty() ? !line.isAgain() : names.containsKey(line.contender());
                if (isNamed
                        && line.condition().withThreads(first.threads()).equals(first)
                        && !Double.isNaN(found.mid())) {
                    curves.computeIfAbsent(line.contender(), contender -> new TreeMap<>())
                            .put(line.condition().threads(), found);
                }
            }
            return new Curves(first, curves);
        }

        TreeMap<Integer, Interval> of(String contender) {
            return byContender.getOrDefault(contender, new TreeMap<>());
        }

        List<Integer> threads() {
            return byContender.values().stream()
                    .flatMap(curve -> curve.keySet().stream())
                    .distinct()
                    .sorted()
                    .toList();
        }

        double at(String contender, int threads) {
            return of(contender).getOrDefault(threads, Interval.UNKNOWN).mid();
        }

        private double last(String contender) {
            return of(contender).lastEntry().getValue().mid();
        }

        List<String> ranked() {
            return byContender.keySet().stream()
                    .sorted(Comparator.comparingDouble(this::last).reversed())
                    .toList();
        }

        String ranks(Map<String, String> names) {
            return ranked().stream()
                    .map(contender -> names.getOrDefault(contender, contender) + " " + compact(last(contender)))
                    .collect(Collectors.joining(", ", threads().get(threads().size() - 1) + " threads: ", ""));
        }

        double lead(int index) {
            int number = threads().get(index);
            return at(TEMPLATE, number) - at(CONNECTION, number);
        }

        int passing() {
            int index = threads().size() - 1;
            while (index > 0 && !(lead(index - 1) > 0 && lead(index) < 0)) {
                index--;
            }
            return Math.max(0, index);
        }
    }

    private static String compact(double value) {
        double unit = value >= 1e6 ? 1e6 : value >= 10_000 ? 1e3 : 1;
        double number = value / unit;
        int decimals = number >= 100 ? 0 : number >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", number)
                + (unit == 1e6 ? " M" : unit == 1e3 ? " k" : "");
    }
}
