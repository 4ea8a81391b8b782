// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import io.memshard.bench.statistics.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Chart of a figure over the number of threads: one line for each contender, with its intervals.
 *
 * <p>The numbers of threads grow by factors, but are evenly spaced: a reader looks up a number instead of measuring
 * distances. Threading: stateless.
 */
public final class LineChart {

    private static final double HEIGHT = 380;

    private static final double OPEN_CIRCLE = 1;

    /** Size of the text of a note, in the unit of Lets-Plot: 12 px. */
    private static final double NOTE_SIZE = 6;

    /** Height of the text of a note, as a part of the height of its point. */
    private static final double BELOW = 0.4;

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

    /** Ring around a point, with a text below; {@code category} is an index and may be between two categories. */
    public record Note(double category, double value, String text) {}

    /** Lines under a title, at least one, with notes. */
    public record Panel(String title, List<Series> series, List<Note> notes) {}

    /**
     * Draws {@code panels} side by side, in descending order of their titles. They have the same categories, and each
     * has a separate axis that starts at 0.
     */
    public static Picture draw(Frame frame, List<String> categories, List<Panel> panels) {
        Plot.Table notes = new Plot.Table("x", "y", "below", "align", "text", "panel");
        for (Panel panel : panels) {
            for (Note note : panel.notes()) {
                double align = note.category() > categories.size() / 2.0 ? 1 : 0;
                double below = BELOW * note.value();
                notes.row(note.category(), note.value(), below, align, note.text(), panel.title());
            }
        }
        Map<String, Object> places = Plot.map("x", "x", "y", "y");
        Map<String, Object> texts = Plot.map("x", "x", "y", "below", "hjust", "align", "label", "text");
        return plot(frame, categories, panels)
                .facets("panel", "nrow", 1.0, "scales", "free_y", "order", List.of(-1.0))
                .layer("point", notes, places, "shape", OPEN_CIRCLE, "size", 7, "color", Plot.INK)
                .layer("text", notes, texts, "size", NOTE_SIZE, "color", Plot.INK)
                .draw();
    }

    private static Plot plot(Frame frame, List<String> categories, List<Panel> panels) {
        // The legend lists the lines in the order of their right ends in the first panel, from top to bottom.
        List<Series> ordered = panels.get(0).series().stream()
                .sorted(Comparator.comparingDouble(Series::last).reversed())
                .toList();
        Plot.Table points = new Plot.Table("x", "y", "low", "high", "series", "panel");
        for (Panel panel : panels) {
            for (Series first : ordered) {
                panel.series().stream()
                        .filter(line -> line.label().equals(first.label()))
                        .forEach(line -> add(points, line, panel.title()));
            }
        }
        Map<String, Object> bars = Plot.map("x", "x", "ymin", "low", "ymax", "high", "color", "series");
        Map<String, Object> lines = Plot.map("x", "x", "y", "y", "color", "series", "linetype", "series");
        Map<String, Object> marks = Plot.map("x", "x", "y", "y", "color", "series", "shape", "series");
        return new Plot(frame, HEIGHT)
                .without("panel_grid_major_x")
                .layer("linerange", points, bars, "alpha", 0.6, "size", 1.0, "show_legend", false)
                .layer("line", points, lines, "size", 1.0)
                .layer("point", points, marks, "size", 3.2)
                .columns(frame.x(), categories)
                .scale("color", named(ordered, SeriesStyle::colour))
                .scale("linetype", named(ordered, SeriesStyle::dash))
                .scale("shape", named(ordered, style -> style.mark().number))
                .scale("y", "name", frame.y(), "limits", Plot.FROM_ZERO, "format", ",d");
    }

    private static void add(Plot.Table points, Series line, String panel) {
        for (int i = 0; i < line.values().size(); i++) {
            Interval value = line.values().get(i);
            if (Double.isFinite(value.mid())) {
                boolean known = value.isKnown();
                points.row(
                        (double) i,
                        value.mid(),
                        known ? value.low() : value.mid(),
                        known ? value.high() : value.mid(),
                        line.label(),
                        panel);
            }
        }
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
