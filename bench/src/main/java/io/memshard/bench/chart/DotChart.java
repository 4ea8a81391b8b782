// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import io.memshard.bench.statistics.Interval;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Chart with a row for each subject: a figure above 0 on the bar of its interval, along a logarithmic axis. Threading:
 * stateless.
 */
public final class DotChart {

    private static final double WIDTH = 860;
    private static final double ROW = 21;
    private static final double LEFT = 290;
    private static final double LETTER = 6.5;
    private static final double AROUND = 24;
    private static final double INDENT = 18;

    private DotChart() {}

    /**
     * Row of a chart, and a note to the right of the bar. A row that is only text has an unknown figure.
     *
     * @param group group of the subject, which determines the colour of the row
     * @param mark figure from another source, drawn as a separate mark; NaN for none
     */
    public record Row(String label, String group, Interval figure, String note, double mark) {

        private DoubleStream all() {
            return DoubleStream.of(figure.low(), figure.mid(), figure.high(), mark)
                    .filter(Double::isFinite);
        }
    }

    /**
     * Draws the chart.
     *
     * @param reference value at which a vertical line is drawn
     * @param colours colour of each group; the legend shows the groups of {@code rows}
     * @param rows the rows from top to bottom, at least one
     */
    public static Picture draw(Frame frame, double reference, Map<String, String> colours, List<Row> rows) {
        DoubleSummaryStatistics all = rows.stream().flatMapToDouble(Row::all).summaryStatistics();
        double least = Math.min(all.getMin(), reference);
        double greatest = Math.max(Math.max(all.getMax(), reference), least * 1.2);
        double right = 12
                + LETTER
                        * rows.stream()
                                .mapToInt(row -> row.note().length())
                                .max()
                                .orElse(0);
        // The panel includes the names and notes to the left and right of the points: an axis would cut them off.
        double unit = Math.log(greatest / least) / (WIDTH - LEFT - right - 2 * AROUND);
        double from = least * Math.exp(-(LEFT + AROUND) * unit);
        double to = greatest * Math.exp((right + AROUND) * unit);
        Plot.Table texts = new Plot.Table("y", "label", "note", "group");
        Plot.Table bars = new Plot.Table("y", "low", "high", "group");
        Plot.Table points = new Plot.Table("y", "x", "group");
        Plot.Table marks = new Plot.Table("y", "x");
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            double y = -i;
            texts.row(y, row.label(), row.note(), row.group());
            Interval figure = row.figure();
            if (figure.high() > figure.low()) {
                bars.row(y, figure.low(), figure.high(), row.group());
            }
            if (!Double.isNaN(figure.mid())) {
                points.row(y, figure.mid(), row.group());
            }
            if (Double.isFinite(row.mark())) {
                marks.row(y, row.mark());
            }
        }
        Map<String, String> shown = new LinkedHashMap<>(colours);
        shown.keySet().retainAll(rows.stream().map(Row::group).toList());
        Plot plot = new Plot(frame, rows.size() * ROW + 90)
                .without("axis_title_y", "axis_text_y", "panel_grid_major_y")
                .logarithmic("x", frame.x(), least, greatest, List.of(from, to))
                .scale("y", "limits", List.of(0.6 - rows.size(), 0.6), "expand", List.of(0.0, 0.0))
                .legend("color", shown);
        plot.layer("vline", new Plot.Table("x"), Map.of(), "xintercept", reference, "color", Plot.PALE_INK);
        Map<String, Object> named = Plot.map("y", "y", "label", "label");
        Map<String, Object> noted = Plot.map("y", "y", "label", "note");
        plot.text(texts, named, Plot.INK, 0, "x", from * Math.exp(INDENT * unit))
                .text(texts, noted, Plot.PALE_INK, 1, "x", to);
        if (!bars.isEmpty()) {
            Map<String, Object> bar = Plot.map("y", "y", "yend", "y", "x", "low", "xend", "high", "color", "group");
            plot.layer("segment", bars, bar, "size", 2.0, "alpha", 0.6, "show_legend", false);
        }
        Map<String, Object> key = Plot.map("y", "y", "color", "group");
        plot.layer("point", texts, key, "x", from * Math.exp(INDENT / 2 * unit), "size", 3.0, "show_legend", false);
        plot.layer("point", points, Plot.map("y", "y", "x", "x", "color", "group"), "size", 4.0);
        if (!marks.isEmpty()) {
            Map<String, Object> mark = Plot.map("y", "y", "x", "x");
            plot.layer("point", marks, mark, "shape", 23.0, "size", 3.6, "color", Plot.INK, "fill", Plot.PAPER);
        }
        return plot.draw();
    }
}
