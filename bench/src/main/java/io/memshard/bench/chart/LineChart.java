// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import io.memshard.bench.statistics.Interval;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * Chart of a figure over the number of threads: one line for each contender, with its intervals.
 *
 * <p>The numbers of threads grow by factors, but are evenly spaced: a reader looks up a number instead of measuring
 * distances. Threading: stateless.
 */
public final class LineChart {

    private static final double HEIGHT = 380;

    /** Factor by which a logarithmic axis extends beyond the least and the greatest figure. */
    private static final double AROUND = 1.2;

    private LineChart() {}

    /** Line with a point and its interval for each category; NaN where there is none. */
    public record Series(String label, SeriesStyle style, List<Interval> values) {

        private double last() {
            return values.stream()
                    .mapToDouble(Interval::mid)
                    .filter(Double::isFinite)
                    .reduce(0, (before, value) -> value);
        }
    }

    /** Draws {@code series}, at least one, over {@code categories}, on an axis that starts at 0. */
    public static Picture draw(Frame frame, List<String> categories, List<Series> series) {
        return plot(frame, categories, series)
                .scale("y", "name", frame.y(), "limits", Plot.FROM_ZERO, "format", ",d")
                .draw();
    }

    /** Draws the chart of {@link #draw} on a logarithmic axis; all values must be above 0. */
    public static Picture drawLogarithmic(Frame frame, List<String> categories, List<Series> series) {
        DoubleSummaryStatistics ends = series.stream()
                .flatMap(line -> line.values().stream())
                .flatMapToDouble(value -> DoubleStream.of(value.low(), value.mid(), value.high()))
                .filter(Double::isFinite)
                .summaryStatistics();
        double low = ends.getMin() / AROUND;
        double high = ends.getMax() * AROUND;
        return plot(frame, categories, series)
                .logarithmic("y", frame.y(), low, high, List.of(low, high))
                .draw();
    }

    private static Plot plot(Frame frame, List<String> categories, List<Series> series) {
        // The legend lists the lines in the order of their right ends, from top to bottom.
        List<Series> ordered = series.stream()
                .sorted(Comparator.comparingDouble(Series::last).reversed())
                .toList();
        Plot.Table points = new Plot.Table("x", "y", "low", "high", "series");
        for (Series line : ordered) {
            for (int i = 0; i < categories.size(); i++) {
                Interval value = line.values().get(i);
                if (Double.isFinite(value.mid())) {
                    boolean known = value.isKnown();
                    points.row(
                            (double) i,
                            value.mid(),
                            known ? value.low() : value.mid(),
                            known ? value.high() : value.mid(),
                            line.label());
                }
            }
        }
        Map<String, Object> bars = Plot.map("x", "x", "ymin", "low", "ymax", "high", "color", "series");
        Map<String, Object> lines = Plot.map("x", "x", "y", "y", "color", "series", "linetype", "series");
        Map<String, Object> marks = Plot.map("x", "x", "y", "y", "color", "series", "shape", "series");
        return new Plot(frame, HEIGHT)
                .without("panel_grid_major_x")
                .theme("legend_position", "right")
                .layer("linerange", points, bars, "alpha", 0.6, "size", 1.0, "show_legend", false)
                .layer("line", points, lines, "size", 1.0)
                .layer("point", points, marks, "size", 3.2)
                .columns(frame.x(), categories)
                .scale("color", named(ordered, SeriesStyle::colour))
                .scale("linetype", named(ordered, SeriesStyle::dash))
                .scale("shape", named(ordered, style -> style.mark().number));
    }

    private static Object[] named(List<Series> series, Function<SeriesStyle, Object> look) {
        return new Object[] {
            "name",
            "",
            "values",
            series.stream().map(line -> look.apply(line.style())).toList()
        };
    }
}
