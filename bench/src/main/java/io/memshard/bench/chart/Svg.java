// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The few SVG elements that all charts use. How they look is in their attributes, because many viewers know no style
 * sheet. Threading: stateless.
 */
public final class Svg {

    private static final String INK = "#1c2126";
    private static final String PALE_INK = "#5d6770";
    private static final String PAPER = "#ffffff";

    private static final Map<String, List<Object>> LOOKS = Map.ofEntries(
            entry("label", List.of("fill", INK)),
            entry("tick", List.of("fill", PALE_INK, "font-size", 12)),
            entry("unit", List.of("fill", PALE_INK, "font-size", 12)),
            entry("end", List.of("text-anchor", "end")),
            entry("middle", List.of("text-anchor", "middle")),
            entry("halo", List.of("paint-order", "stroke", "stroke", PAPER, "stroke-width", 4)),
            entry("grid", List.of("stroke", "#e4e7ea", "stroke-width", 1)),
            entry("axis", List.of("stroke", PALE_INK, "stroke-width", 1)),
            entry("line", List.of("fill", "none", "stroke-width", 2, "stroke-linejoin", "round")),
            entry("leader", List.of("fill", "none", "stroke-width", 1, "opacity", "0.55")),
            entry("whisker", List.of("stroke-width", 2, "opacity", "0.65")),
            entry("mark", List.of("stroke", PAPER, "stroke-width", 1)));

    private Svg() {}

    /** Returns a drawing on white paper that scales with the page, with a title for screen readers; left open. */
    public static Markup open(String title, double width, double height) {
        return new Markup()
                .open(
                        "svg",
                        "xmlns",
                        "http://www.w3.org/2000/svg",
                        "class",
                        "chart",
                        "role",
                        "img",
                        "aria-label",
                        title,
                        "font-family",
                        "system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif",
                        "font-size",
                        13,
                        "width",
                        width,
                        "height",
                        height,
                        "viewBox",
                        "0 0 " + Numbers.coordinate(width) + " " + Numbers.coordinate(height))
                .empty("rect", "fill", PAPER, "width", width, "height", height);
    }

    /** Returns {@code attributes} after those of the looks, which are names with spaces between. */
    public static Object[] look(String looks, Object... attributes) {
        List<Object> all = new ArrayList<>();
        for (String look : looks.split(" ", -1)) {
            all.addAll(Objects.requireNonNull(LOOKS.get(look), look));
        }
        all.addAll(List.of(attributes));
        return all.toArray();
    }

    public static void line(Markup svg, String looks, double x1, double y1, double x2, double y2) {
        svg.empty("line", look(looks, "x1", x1, "y1", y1, "x2", x2, "y2", y2));
    }

    public static void text(Markup svg, String looks, double x, double y, String text) {
        svg.element("text", text, look(looks, "x", x, "y", y));
    }
}
