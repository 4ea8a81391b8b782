// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Chart with a row for each contender and one or more points along a logarithmic axis, joined by a line. The points are
 * a median between its quartiles, or percentiles of a latency. Threading: stateless.
 */
public final class DotChart {

    private static final double WIDTH = 560;
    private static final double LEFT = 232;
    private static final double RIGHT = 488;
    private static final double TOP = 26;
    private static final double ROW = 22;

    private DotChart() {}

    /** Row of a chart: ascending points above 0 on a line from {@code low} to {@code high}, and a note at its right. */
    public record Row(String label, SeriesStyle style, double low, List<Double> points, double high, String note) {}

    /**
     * Parts of the chart outside the rows. A reference is a value with a line of its own; NaN for none. Values under
     * the pointer have {@code format}.
     */
    public record Frame(String title, String unit, double reference, String noteTitle, DoubleFunction<String> format) {}

    /** Draws the chart; {@code rows} from top to bottom, at least one. */
    public static Svg draw(Frame frame, List<Row> rows) {
        double least = rows.stream().mapToDouble(Row::low).min().orElse(1);
        double greatest = rows.stream().mapToDouble(Row::high).max().orElse(1);
        double reference = frame.reference();
        boolean referenced = !Double.isNaN(reference);
        Scale x = Scale.logarithmic(
                referenced ? Math.min(least, reference) : least,
                referenced ? Math.max(greatest, reference) : greatest,
                LEFT,
                RIGHT);
        double bottom = TOP + rows.size() * ROW;
        Svg svg = new Svg(frame.title(), WIDTH, bottom + 44);
        for (double tick : x.ticks()) {
            svg.line("grid", x.at(tick), TOP, x.at(tick), bottom);
            svg.text("tick middle", x.at(tick), bottom + 16, Numbers.tick(tick));
        }
        if (referenced) {
            svg.line("axis", x.at(reference), TOP - 4, x.at(reference), bottom);
        }
        svg.text("unit middle", (LEFT + RIGHT) / 2, bottom + 36, frame.unit());
        svg.text("unit end", WIDTH - 4, TOP - 10, frame.noteTitle());
        for (int i = 0; i < rows.size(); i++) {
            row(svg, frame, rows.get(i), x, TOP + ROW * (i + 0.5));
        }
        return svg.close("svg");
    }

    private static void row(Svg svg, Frame frame, Row row, Scale x, double y) {
        svg.text("label end", LEFT - 12, y + 4, row.label());
        row.style().solid().line(svg, "whisker", x.at(row.low()), y, x.at(row.high()), y);
        for (double point : row.points()) {
            row.style()
                    .point(
                            svg,
                            x.at(point),
                            y,
                            row.label() + ": " + frame.format().apply(point));
        }
        svg.text("tick end", WIDTH - 4, y + 4, row.note());
    }
}
