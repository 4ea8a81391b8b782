// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jetbrains.letsPlot.core.util.PlotSvgExportCommon;

/**
 * Chart that Lets-Plot draws, described in the grammar of Lets-Plot: layers over tables, and a scale for each
 * aesthetic. {@link PlotSvg} makes the SVG the same for the same data. Threading: confined to one thread.
 */
final class Plot {

    static final String INK = "#1c2126";

    /** Colour of axes, and of notes next to the figures. */
    static final String PALE_INK = "#5d6770";

    static final String PAPER = "#ffffff";

    static final String GRID = "#e4e7ea";

    private static final double WIDTH = 860;

    /** Size of text in a layer, in the unit of Lets-Plot: 12 px. */
    private static final double TEXT = 6;

    /** Limits of an axis that begins at 0. */
    static final List<Double> FROM_ZERO = Collections.unmodifiableList(Arrays.asList(0.0, null));

    /**
     * Choices of ticks within a power of ten. The first choice that gives at least {@link #FEWEST_TICKS} ticks is used.
     */
    private static final List<List<Double>> STEPS =
            List.of(List.of(1.0), List.of(1.0, 2.0, 5.0), List.of(1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0));

    private static final int FEWEST_TICKS = 4;
    private static final String NO = "blank";

    private final Frame frame;
    private final Map<String, Object> theme = new LinkedHashMap<>();
    private final Map<String, Object> spec = new LinkedHashMap<>();
    private final List<Map<String, Object>> layers = new ArrayList<>();
    private final List<Object> scales = new ArrayList<>();

    /** Creates a plot without layers. Its axes get their names when scales are added. */
    Plot(Frame frame, double height) {
        this.frame = frame;
        spec.put("kind", "plot");
        spec.put("ggsize", map("width", WIDTH, "height", height));
        spec.put("layers", layers);
        spec.put("scales", scales);
        spec.put("theme", theme);
        theme.put("name", "minimal");
        theme.put("panel_grid_minor", NO);
        theme.put("axis_ticks", NO);
        theme.put("legend_position", "top");
        theme.put("panel_grid", map("name", "line", NO, false, "color", GRID));
        for (String text : List.of("axis_title", "axis_text", "legend_text", "legend_title", "strip_text")) {
            theme.put(text, map("name", "text", NO, false, "size", PlotSvg.TEXT_PX));
        }
    }

    Plot without(String... parts) {
        for (String part : parts) {
            theme.put(part, NO);
        }
        return this;
    }

    /** Draws a panel for each value of {@code column}, side by side. {@code settings} are those of a wrapped facet. */
    Plot facets(String column, Object... settings) {
        Map<String, Object> facet = map("name", "wrap", "facets", List.of(column));
        facet.putAll(map(settings));
        spec.put("facet", facet);
        return this;
    }

    Plot scale(String aesthetic, Object... settings) {
        Map<String, Object> scale = map("aesthetic", aesthetic);
        scale.putAll(map(settings));
        scales.add(scale);
        return this;
    }

    /** Adds rows with these labels, from top to bottom at 0, -1, -2 and so on. */
    Plot rows(List<String> labels) {
        List<Double> rows =
                IntStream.range(0, labels.size()).mapToObj(i -> -1.0 * i).toList();
        return without("axis_title_y").scale("y", "breaks", rows, "labels", labels);
    }

    /** Adds columns with these labels, from left to right at 0, 1, 2 and so on. */
    Plot columns(String name, List<String> labels) {
        List<Double> columns =
                IntStream.range(0, labels.size()).mapToObj(i -> 1.0 * i).toList();
        return scale("x", "name", name, "breaks", columns, "labels", labels);
    }

    /**
     * Adds a scale that maps names to {@code values} of an aesthetic, such as colours, with a legend in their order.
     */
    Plot legend(String aesthetic, Map<String, ?> values) {
        List<String> names = List.copyOf(values.keySet());
        return scale(aesthetic, "name", "", "limits", names, "values", List.copyOf(values.values()));
    }

    /** Adds a layer of text. With {@code align} 0 a text starts at its position, and with 1 it ends there. */
    Plot text(Table data, Map<String, Object> mapping, String colour, double align, Object... constants) {
        layer("text", data, mapping, "size", TEXT, "color", colour, "hjust", align);
        layers.get(layers.size() - 1).putAll(map(constants));
        return this;
    }

    /** Adds a logarithmic scale with ticks at the round numbers from {@code least} to {@code greatest}. */
    Plot logarithmic(String aesthetic, String name, double least, double greatest, List<Double> limits) {
        List<Double> ticks = STEPS.stream()
                .map(steps -> ticks(steps, least, greatest))
                .filter(some -> some.size() >= FEWEST_TICKS)
                .findFirst()
                .orElseGet(() -> ticks(STEPS.get(STEPS.size() - 1), least, greatest));
        return scale(
                aesthetic,
                "name",
                name,
                "trans",
                "log10",
                "breaks",
                ticks,
                "labels",
                ticks.stream().map(Numbers::tick).toList(),
                "limits",
                limits,
                "expand",
                List.of(0.0, 0.0));
    }

    private static List<Double> ticks(List<Double> steps, double least, double greatest) {
        List<Double> ticks = new ArrayList<>();
        for (int exponent = (int) Math.floor(Math.log10(least)); Math.pow(10, exponent) <= greatest; exponent++) {
            for (double step : steps) {
                double tick = step * Math.pow(10, exponent);
                if (tick >= least * 0.999 && tick <= greatest * 1.001) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    /** Adds a layer; {@code mapping} names the column of {@code data} for each aesthetic. */
    Plot layer(String geom, Table data, Map<String, Object> mapping, Object... constants) {
        Map<String, Object> layer =
                map("geom", geom, "data", data.columns(), "mapping", mapping, "sampling", "none", "tooltips", "none");
        layer.putAll(map(constants));
        layers.add(layer);
        return this;
    }

    Picture draw() {
        String raw = PlotSvgExportCommon.INSTANCE.buildSvgImageFromRawSpecs(
                spec,
                null,
                (width, height, pixels) -> {
                    throw new IllegalStateException("a chart has no raster image");
                },
                false);
        return new Picture(frame.finding(), PlotSvg.of(raw, frame));
    }

    /** Returns a map of {@code entries}, which are name, value, name, value and so on. */
    static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    /** Rows under named columns. Threading: confined to one thread. */
    static final class Table {

        private final Map<String, List<Object>> columns = new LinkedHashMap<>();

        Table(String... names) {
            for (String name : names) {
                columns.put(name, new ArrayList<>());
            }
        }

        Table row(Object... cells) {
            int i = 0;
            for (List<Object> column : columns.values()) {
                column.add(cells[i++]);
            }
            return this;
        }

        boolean isEmpty() {
            return columns.values().iterator().next().isEmpty();
        }

        Map<String, List<Object>> columns() {
            return columns;
        }
    }
}
