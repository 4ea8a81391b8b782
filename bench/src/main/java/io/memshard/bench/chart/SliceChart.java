// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Chart of every single observation as a dot, so that two modes of a contender are seen. A panel for each number of
 * threads has a row for each contender; the colour of a dot says which JVM it is of. Threading: stateless.
 */
public final class SliceChart {

    private static final double WIDTH = 860;
    private static final double ROW = 36;

    /** Part of a row that the JVMs of a contender take, one below the other. */
    private static final double SPREAD = 0.6;

    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7280", "#a67c00");

    private SliceChart() {}

    /** Observation of a contender in a JVM, with a number of threads. */
    public record Dot(double threads, String label, int fork, double value) {}

    /** Draws at least one of {@code dots}; labels in the order of the dots. */
    public static Picture draw(String title, String finding, String unit, List<Dot> dots) {
        List<String> labels =
                List.copyOf(new LinkedHashSet<>(dots.stream().map(Dot::label).toList()));
        Set<Integer> forks =
                new LinkedHashSet<>(dots.stream().map(Dot::fork).sorted().toList());
        int last = forks.stream().mapToInt(Integer::intValue).max().orElse(1);
        Plot.Table table = new Plot.Table("x", "y", "jvm", "threads");
        for (Dot dot : dots) {
            double within = last == 1 ? 0 : SPREAD * (0.5 - (dot.fork() - 1.0) / (last - 1.0));
            table.row(dot.value(), within - labels.indexOf(dot.label()), "JVM " + dot.fork(), dot.threads());
        }
        List<Double> rows =
                Stream.iterate(0.0, row -> row - 1).limit(labels.size()).toList();
        return new Plot(title, finding, WIDTH, labels.size() * ROW + 110)
                .without("axis_title_y")
                .theme("legend_position", "top")
                .facets("threads", "threads: {d}")
                .layer("point", table, Plot.map("x", "x", "y", "y", "color", "jvm"), "size", 2.2, "alpha", 0.75)
                .scale("x", "name", unit, "format", ",d", "limits", Plot.FROM_ZERO)
                .scale("y", "breaks", rows, "labels", labels)
                .scale("color", "name", "", "values", COLOURS.subList(0, forks.size()))
                .draw();
    }
}
