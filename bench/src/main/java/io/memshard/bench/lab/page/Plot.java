// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.result.Picture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jetbrains.letsPlot.core.util.PlotSvgExportCommon;

final class Plot {

    static final double WIDTH = 860;
    static final String INK = "#1c2126";
    static final String PALE_INK = "#5d6770";
    static final String PAPER = "#ffffff";
    static final String GRID = "#e4e7ea";

    /** Choices of ticks within a power of ten. The first choice with at least {@link #FEWEST_TICKS} ticks is used. */
    private static final List<List<Double>> STEPS =
            List.of(List.of(1.0), List.of(1.0, 2.0, 5.0), List.of(1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0));

    private static final int FEWEST_TICKS = 4;
    private static final String NO = "blank";

    private final Map<String, Object> spec;
    private final List<Object> layers = new ArrayList<>();
    private final List<Object> scales = new ArrayList<>();

    Plot(double height, String... absent) {
        Map<String, Object> theme = map("name", "minimal", "panel_grid_minor", NO, "axis_ticks", NO);
        theme.put("legend_position", "top");
        theme.put("panel_grid", map("name", "line", NO, false, "color", GRID));
        for (String text : List.of("axis_title", "axis_text", "legend_text", "legend_title", "strip_text")) {
            theme.put(text, map("name", "text", NO, false, "size", PlotSvg.TEXT_PX));
        }
        for (String part : absent) {
            theme.put(part, NO);
        }
        Map<String, Object> size = map("width", WIDTH, "height", height);
        spec = map("kind", "plot", "ggsize", size, "layers", layers, "scales", scales, "theme", theme);
    }

    Plot facets(String column, Object... settings) {
        Map<String, Object> facet = map("name", "wrap", "facets", List.of(column), "nrow", 1.0);
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

    Plot labels(String aesthetic, String name, List<String> labels) {
        List<Double> places =
                IntStream.range(0, labels.size()).mapToObj(i -> (double) i).toList();
        return scale(aesthetic, "name", name, "breaks", places, "labels", labels);
    }

    <T> Plot values(String aesthetic, List<T> series, Function<T, Object> value) {
        return scale(aesthetic, "name", "", "values", series.stream().map(value).toList());
    }

    Plot legend(String aesthetic, Map<String, ?> values) {
        return scale(
                aesthetic, "name", "", "limits", List.copyOf(values.keySet()), "values", List.copyOf(values.values()));
    }

    Plot logarithmic(String aesthetic, String name, double least, double greatest, List<Double> limits) {
        List<Double> ticks = List.of();
        for (int i = 0; i < STEPS.size() && ticks.size() < FEWEST_TICKS; i++) {
            ticks = ticks(STEPS.get(i), least, greatest);
        }
        List<String> labels = ticks.stream().map(Plot::tick).toList();
        List<Double> expand = List.of(0.0, 0.0);
        Object[] axis = {"name", name, "trans", "log10", "limits", limits, "expand", expand};
        return scale(
                aesthetic,
                Stream.concat(Stream.of(axis), Stream.of("breaks", ticks, "labels", labels))
                        .toArray());
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

    private static String tick(double value) {
        double size = Math.abs(value);
        double unit = size >= 1e6 ? 1e6 : size >= 10_000 ? 1e3 : 1;
        String number = String.format(Locale.ROOT, "%,.3f", value / unit).replaceAll("\\.?0+$", "");
        return number + (unit == 1e6 ? " M" : unit == 1e3 ? " k" : "");
    }

    /**
     * Adds a layer, unless {@code data} is empty. Each of {@code words} sets an aesthetic: {@code name:constant} to a
     * constant, {@code name=column} to a column, and {@code name} to the column of the same name.
     */
    Plot layer(String geom, Table data, String words) {
        Map<String, Object> mapping = new LinkedHashMap<>();
        Map<String, Object> layer = map("geom", geom, "data", data.columns, "mapping", mapping, "tooltips", "none");
        layer.put("sampling", "none");
        for (String word : words.split(" ", -1)) {
            String[] constant = word.split(":", 2);
            if (constant.length == 2) {
                layer.put(constant[0], constant(constant[1]));
            } else {
                mapping.put(word.replaceFirst("=.*", ""), word.replaceFirst(".*=", ""));
            }
        }
        if (data.hasRows) {
            layers.add(layer);
        }
        return this;
    }

    private static Object constant(String text) {
        if (text.equals("false")) {
            return false;
        }
        return text.matches("-?\\d.*") ? Double.valueOf(text) : text;
    }

    Picture draw(String title, String finding) {
        String raw = PlotSvgExportCommon.INSTANCE.buildSvgImageFromRawSpecs(
                spec,
                null,
                (width, height, pixels) -> {
                    throw new IllegalStateException("the chart contains a raster image, which is not supported");
                },
                false);
        return new Picture(finding, PlotSvg.of(raw, title, finding));
    }

    private static Map<String, Object> map(Object... entries) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < entries.length; i += 2) {
            map.put((String) entries[i], entries[i + 1]);
        }
        return map;
    }

    static final class Table {

        private final Map<String, List<Object>> columns = new LinkedHashMap<>();
        private boolean hasRows;

        Table(String names) {
            for (String name : names.split(" ", -1)) {
                columns.put(name, new ArrayList<>());
            }
        }

        void row(Object... cells) {
            hasRows = true;
            int i = 0;
            for (List<Object> column : columns.values()) {
                column.add(cells[i++]);
            }
        }
    }
}
