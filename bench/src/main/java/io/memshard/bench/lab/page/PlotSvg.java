// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static java.util.Map.entry;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writer of SVG. The style sheet only changes colours for dark pages, because many viewers ignore it. */
final class PlotSvg {

    static final double TEXT_PX = 12;

    /** Colours for a dark background, by colour for a white background. Other colours are readable on both. */
    private static final Map<String, String> DARK = new TreeMap<>(Map.ofEntries(
            entry(Plot.INK, "#dfe3e8"),
            entry(Plot.PALE_INK, "#9198a1"),
            entry(Plot.PAPER, "#12161c"),
            entry(Plot.GRID, "#2b323b"),
            entry("#0072b2", "#3d9bd6"),
            entry("#00497a", "#7db7e0"),
            entry("#000000", "#dfe3e8"),
            entry("#6b7280", "#9aa3ad")));

    private static final Pattern TEXT = Pattern.compile("<text ([^>]*)>");
    private static final Pattern STYLE = Pattern.compile("fill:(#[0-9a-f]{6});(?:.*)font-size:(\\d+)");
    private static final String PALE = "class=\"(axis-t.*-x|axis-title-y|legend-title)\"";
    private static final Pattern NUMBER = Pattern.compile("-?\\d+\\.\\d+(?:E-?\\d+)?(?=[^<>]*>)");
    private static final Pattern RGB = Pattern.compile("rgb\\((\\d+),(\\d+),(\\d+)\\)");

    private static final String DROPPED = "(?s)<(style|defs)\\b.*?</\\1>"
            + "| (id|class|style|clip-path|clip-bounds-jfx|fill-rule)=\"[^\"]*\"| (fill|stroke)-opacity=\"1(\\.0)?\"";

    private PlotSvg() {}

    static String of(String raw, String title, String finding) {
        Matcher size =
                Pattern.compile("width=\"([0-9.]+)\" height=\"([0-9.]+)\">").matcher(raw);
        if (!size.find()) {
            throw new IllegalStateException("the chart library Lets-Plot returned no SVG");
        }
        String svg = TEXT.matcher(raw.substring(size.end())).replaceAll(PlotSvg::text);
        svg = RGB.matcher(svg.replaceAll(DROPPED, ""))
                .replaceAll(rgb -> "#%02x%02x%02x".formatted(number(rgb, 1), number(rgb, 2), number(rgb, 3)));
        svg = NUMBER.matcher(svg).replaceAll(number -> rounded(number.group()));
        svg = svg.replaceAll(">\\s+", ">").replaceAll("\\s+<", "<").replaceAll("\\s+\\)\\s*", ")");
        for (String before = ""; !before.equals(svg); ) {
            before = svg;
            svg = svg.replaceAll("<g\\b[^>]*></g>", "");
        }
        svg = svg.replaceAll("<(\\w+)([^>]*)></\\1>", "<$1$2/>").replace("><", ">\n<") + "\n";
        return """
                <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %1$s %2$s" width="%1$s" height="%2$s"\
                 font-family="system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif">
                <title>%3$s</title>
                <desc>%4$s</desc>
                <style>@media (prefers-color-scheme: dark) {%5$s }</style>
                """.formatted(
                        rounded(size.group(1)), rounded(size.group(2)), escaped(title), escaped(finding), dark(svg))
                + svg;
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String dark(String svg) {
        StringBuilder rules = new StringBuilder();
        DARK.forEach((light, dark) -> {
            for (String property : List.of("fill", "stroke")) {
                if (svg.contains(property + "=\"" + light + "\"")) {
                    rules.append(" [%1$s=\"%2$s\"] { %1$s: %3$s }".formatted(property, light, dark));
                }
            }
        });
        return rules.toString();
    }

    private static String text(MatchResult text) {
        String attributes = text.group(1).replaceAll("fill(-opacity)?=\"[^\"]*\" ?", "");
        Matcher own = STYLE.matcher(attributes);
        boolean isStyled = own.find();
        String pale = Pattern.compile(PALE).matcher(attributes).find() ? Plot.PALE_INK : Plot.INK;
        return "<text %s fill=\"%s\" font-size=\"%s\">"
                .formatted(attributes, isStyled ? own.group(1) : pale, isStyled ? own.group(2) : rounded("" + TEXT_PX));
    }

    private static int number(MatchResult found, int group) {
        return Integer.parseInt(found.group(group));
    }

    private static String rounded(String number) {
        return String.format(Locale.ROOT, "%.1f", Double.valueOf(number)).replaceFirst("\\.0$", "");
    }
}
