// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Chart of every single observation as a dot, which shows whether the figures of a contender have two modes. There is a
 * panel for each number of threads, with a row for each contender. The colour of a dot identifies its JVM. Threading:
 * stateless.
 */
public final class SliceChart {

    private static final double ROW = 36;

    /** Part of a row over which the dots are spread, one JVM below the other. */
    private static final double SPREAD = 0.6;

    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7280", "#a67c00");

    private SliceChart() {}

    /** Observation of a contender in a JVM, with a number of threads. */
    public record Dot(double threads, String label, int fork, double value) {}

    /**
     * Draws {@code dots}, at least one. The rows are in the order in which their labels first appear in {@code dots}.
     */
    public static Picture draw(Frame frame, List<Dot> dots) {
        List<String> labels =
                List.copyOf(new LinkedHashSet<>(dots.stream().map(Dot::label).toList()));
        int last = dots.stream().mapToInt(Dot::fork).max().orElse(1);
        Plot.Table table = new Plot.Table("x", "y", "jvm", "threads");
        for (Dot dot : dots) {
            double within = last == 1 ? 0 : SPREAD * (0.5 - (dot.fork() - 1.0) / (last - 1.0));
            table.row(dot.value(), within - labels.indexOf(dot.label()), "JVM " + dot.fork(), dot.threads());
        }
        Map<String, String> colours = new LinkedHashMap<>();
        for (int fork = 1; fork <= last; fork++) {
            colours.put("JVM " + fork, COLOURS.get((fork - 1) % COLOURS.size()));
        }
        return new Plot(frame, labels.size() * ROW + 110)
                .facets("threads", "threads: {d}")
                .layer("point", table, Plot.map("x", "x", "y", "y", "color", "jvm"), "size", 2.2, "alpha", 0.75)
                .scale("x", "name", frame.x(), "format", ",d", "limits", Plot.FROM_ZERO)
                .rows(labels)
                .legend("color", colours)
                .draw();
    }
}
