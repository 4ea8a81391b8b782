// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;

/**
 * Tables side by side in which the colour of a cell says how far it is from the best of its column. Threading:
 * stateless.
 */
public final class HeatMap {

    private static final double WIDTH = 860;
    private static final double ROW = 30;

    private HeatMap() {}

    /** Cell of a table: {@code times} the best of its column, at least 1, and what is written in it. */
    public record Cell(String table, String row, String column, double times, String text) {}

    /** Draws at least one of {@code cells}; tables by name, rows and columns in the order of the cells. */
    public static Picture draw(String title, String finding, String columns, String colours, List<Cell> cells) {
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
        return new Plot(title, finding, WIDTH, rows.size() * ROW + 110)
                .without("axis_title_y", "panel_grid")
                .facets("table", "")
                .layer("tile", table, Plot.map("x", "x", "y", "y", "fill", "times"), "color", Plot.PAPER, "size", 1.0)
                .layer(
                        "text",
                        table,
                        Plot.map("x", "x", "y", "y", "label", "text", "color", "ink"),
                        "size",
                        5.5,
                        "show_legend",
                        false)
                .scale("color", "values", List.of("#1d2730", "#fefefe"), "limits", List.of("dark", "pale"))
                .scale(
                        "fill",
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
                        List.of("1", "3", "10", "30"))
                .scale("x", "name", columns, "breaks", positions(heads, 1), "labels", heads)
                .scale("y", "breaks", positions(rows, -1), "labels", rows)
                .draw();
    }

    private static List<Double> positions(List<String> names, double step) {
        return names.stream().map(name -> step * names.indexOf(name)).toList();
    }

    private static List<String> distinct(List<Cell> cells, Function<Cell, String> name) {
        return List.copyOf(new LinkedHashSet<>(cells.stream().map(name).toList()));
    }
}
