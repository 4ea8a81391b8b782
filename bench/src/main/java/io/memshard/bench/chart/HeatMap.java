// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Chart of tables side by side. The colour of a cell shows how far its figure is from the best figure of its column.
 * Threading: stateless.
 */
public final class HeatMap {

    private static final double ROW = 30;

    private HeatMap() {}

    /**
     * Cell of a table, which shows {@code text}. {@code times} is the factor between its figure and the best figure of
     * its column, at least 1.
     */
    public record Cell(String table, String row, String column, double times, String text) {}

    /**
     * Draws {@code cells}, at least one. Tables are ordered by name, rows and columns by their first cell. {@code
     * colours} is the title of the colour legend.
     */
    public static Picture draw(Frame frame, String colours, List<Cell> cells) {
        List<String> rows = distinct(cells, Cell::row);
        List<String> heads = distinct(cells, Cell::column);
        Plot.Table table = new Plot.Table("x", "y", "times", "text", "table", "ink");
        cells.forEach(cell -> table.row(
                (double) heads.indexOf(cell.column()),
                -1.0 * rows.indexOf(cell.row()),
                Math.log10(cell.times()),
                cell.text(),
                cell.table(),
                cell.times() > 3.5 ? "pale" : "dark"));
        Map<String, Object> tiles = Plot.map("x", "x", "y", "y", "fill", "times");
        Map<String, Object> texts = Plot.map("x", "x", "y", "y", "label", "text", "color", "ink");
        Object[] gradient = {
            "name",
            colours,
            "scale_mapper_kind",
            "color_gradient",
            "low",
            "#fde9b8",
            "high",
            "#7a1f4b",
            "breaks",
            List.of(0.0, 0.5, 1.0, 1.5),
            "labels",
            List.of("1", "3", "10", "30")
        };
        return new Plot(frame, rows.size() * ROW + 110)
                .without("panel_grid")
                .facets("table", "nrow", 1.0, "scales", "free_x")
                .layer("tile", table, tiles, "color", Plot.PAPER, "size", 1.0)
                .layer("text", table, texts, "size", 5.5, "show_legend", false)
                .legend("color", Plot.map("dark", "#1d2730", "pale", "#fefefe"))
                .scale("fill", gradient)
                .columns(frame.x(), heads)
                .rows(rows)
                .draw();
    }

    private static List<String> distinct(List<Cell> cells, Function<Cell, String> name) {
        return List.copyOf(new LinkedHashSet<>(cells.stream().map(name).toList()));
    }
}
