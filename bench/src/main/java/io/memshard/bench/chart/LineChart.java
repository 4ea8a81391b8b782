// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chart of a figure over the number of threads: one line for each contender, each named at its end.
 *
 * <p>The numbers of threads stand at equal distances: they grow by factors, and a reader looks one up
 * rather than measuring between them. Threading: stateless.
 */
public final class LineChart {

    private static final double WIDTH = 900;
    private static final double HEIGHT = 400;
    private static final double LEFT = 64;
    private static final double RIGHT = 574;
    private static final double TOP = 34;
    private static final double BOTTOM = 350;
    private static final double LABEL_X = RIGHT + 56;
    private static final double LABEL_GAP = 17;
    private static final double SAMPLE = 26;

    private LineChart() {}

    /** Line with a point and its interval for each category; NaN where there is none. */
    public record Series(String label, SeriesStyle style, List<Interval> values) {}

    /** Draws at least one of {@code series} over {@code categories}; screen readers read {@code title}. */
    public static Svg draw(
            String title, String unit, List<String> categories, String unitOfCategories, List<Series> series) {
        return draw(title, unit, categories, unitOfCategories, series, Scale.fromZero(greatest(series), BOTTOM, TOP));
    }

    /** Draws the same by the logarithm; all values are above 0. */
    public static Svg drawLogarithmic(
            String title, String unit, List<String> categories, String unitOfCategories, List<Series> series) {
        double least = series.stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(value -> Double.isFinite(value.low()) ? value.low() : value.mid())
                .filter(Double::isFinite)
                .min()
                .orElse(1);
        Scale y = Scale.logarithmic(least, greatest(series), BOTTOM, TOP);
        return draw(title, unit, categories, unitOfCategories, series, y);
    }

    private static double greatest(List<Series> series) {
        return series.stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(value -> Double.isFinite(value.high()) ? value.high() : value.mid())
                .filter(Double::isFinite)
                .max()
                .orElse(1);
    }

    private static Svg draw(
            String title, String unit, List<String> categories, String unitOfCategories, List<Series> series, Scale y) {
        Svg svg = new Svg(title, WIDTH, HEIGHT);
        for (double tick : y.ticks()) {
            svg.line(tick == 0 ? "axis" : "grid", LEFT, y.at(tick), RIGHT, y.at(tick));
            svg.text("tick end", LEFT - 8, y.at(tick) + 4, Numbers.tick(tick));
        }
        svg.text("unit", LEFT - 8, TOP - 16, unit);
        for (int i = 0; i < categories.size(); i++) {
            svg.text("tick middle", x(i, categories.size()), BOTTOM + 20, categories.get(i));
        }
        svg.text("unit middle", (LEFT + RIGHT) / 2, BOTTOM + 42, unitOfCategories);
        for (Series line : series) {
            line(svg, line, y, categories);
        }
        labels(svg, series, y, categories.size());
        return svg.close("svg");
    }

    private static double x(int category, int categories) {
        double step = (RIGHT - LEFT) / categories;
        return LEFT + step * (category + 0.5);
    }

    private static void line(Svg svg, Series series, Scale y, List<String> categories) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        for (int i = 0; i < categories.size(); i++) {
            double value = series.values().get(i).mid();
            if (Double.isFinite(value)) {
                path.append(drawing ? 'L' : 'M')
                        .append(Numbers.coordinate(x(i, categories.size())))
                        .append(' ')
                        .append(Numbers.coordinate(y.at(value)));
            }
            drawing = Double.isFinite(value);
        }
        series.style().path(svg, "line", path.toString());
        for (int i = 0; i < categories.size(); i++) {
            Interval values = series.values().get(i);
            double value = values.mid();
            if (Double.isFinite(value)) {
                if (values.high() > values.low()) {
                    double x = x(i, categories.size());
                    series.style().solid().line(svg, "whisker", x, y.at(values.low()), x, y.at(values.high()));
                }
                series.style()
                        .point(
                                svg,
                                x(i, categories.size()),
                                y.at(value),
                                series.label() + ", " + categories.get(i) + ": " + Numbers.compact(value));
            }
        }
    }

    private record End(Series series, double x, double y) {}

    /** Draws the names, at the height of the ends of their lines as far as they do not collide. */
    private static void labels(Svg svg, List<Series> series, Scale y, int categories) {
        List<End> ends = new ArrayList<>();
        for (Series line : series) {
            for (int i = categories - 1; i >= 0; i--) {
                double value = line.values().get(i).mid();
                if (Double.isFinite(value)) {
                    ends.add(new End(line, x(i, categories), y.at(value)));
                    break;
                }
            }
        }
        ends.sort(Comparator.comparingDouble(End::y));
        double[] heights = Scale.spread(ends.stream().mapToDouble(End::y).toArray(), LABEL_GAP, TOP, BOTTOM);
        for (int i = 0; i < heights.length; i++) {
            End end = ends.get(i);
            SeriesStyle style = end.series().style();
            style.solid()
                    .path(
                            svg,
                            "leader",
                            "M" + Numbers.coordinate(end.x() + 7) + " " + Numbers.coordinate(end.y()) + "L"
                                    + Numbers.coordinate(LABEL_X - SAMPLE - 4) + " " + Numbers.coordinate(heights[i]));
            style.line(svg, "line", LABEL_X - SAMPLE, heights[i], LABEL_X, heights[i]);
            style.point(svg, LABEL_X - SAMPLE / 2, heights[i], end.series().label());
            svg.text("label", LABEL_X + 8, heights[i] + 4, end.series().label());
        }
    }
}
