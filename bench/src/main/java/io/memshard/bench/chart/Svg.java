// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static java.util.Map.entry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A drawing as XML that is well-formed: every element is closed, every text and attribute escaped. The looks of an
 * element are in its attributes, because many viewers know no style sheet. A style sheet replaces the colours that
 * cannot be read on dark paper, where the reader prefers dark pages.
 *
 * <p>Threading: confined to one thread. Failure: {@link IllegalStateException} on an element that is closed and not
 * open, or open at the end.
 */
public final class Svg {

    private static final String INK = "#1c2126";
    private static final String PALE_INK = "#5d6770";
    private static final String PAPER = "#ffffff";

    private static final String GRID = "#e4e7ea";

    /** Colours on dark paper, by those on white paper. All others can be read on both. */
    private static final Map<String, String> DARK = new TreeMap<>(Map.of(
            INK, "#dfe3e8", PALE_INK, "#9198a1", PAPER, "#12161c", GRID, "#2b323b", "#0072b2", "#3d9bd6", "#00497a",
            "#7db7e0", "#000000", "#dfe3e8", "#6b7280", "#9aa3ad"));

    private static final Map<String, List<Object>> LOOKS = Map.ofEntries(
            entry("label", List.of("fill", INK)),
            entry("tick", List.of("fill", PALE_INK, "font-size", 12)),
            entry("unit", List.of("fill", PALE_INK, "font-size", 12)),
            entry("end", List.of("text-anchor", "end")),
            entry("middle", List.of("text-anchor", "middle")),
            entry("halo", List.of("paint-order", "stroke", "stroke", PAPER, "stroke-width", 4)),
            entry("grid", List.of("stroke", GRID, "stroke-width", 1)),
            entry("axis", List.of("stroke", PALE_INK, "stroke-width", 1)),
            entry("line", List.of("fill", "none", "stroke-width", 2, "stroke-linejoin", "round")),
            entry("leader", List.of("fill", "none", "stroke-width", 1, "opacity", "0.55")),
            entry("whisker", List.of("stroke-width", 2, "opacity", "0.65")),
            entry("mark", List.of("stroke", PAPER, "stroke-width", 1)));

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Creates a drawing that scales with the page, with a title for screen readers. Its paper is white, or dark where
     * the reader prefers that.
     */
    public Svg(String title, double width, double height) {
        Object[] attributes = {
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
            "0 0 " + Numbers.coordinate(width) + " " + Numbers.coordinate(height)
        };
        open("svg", attributes)
                .element("style", darkStyle())
                .empty("rect", "fill", PAPER, "width", width, "height", height);
    }

    private static String darkStyle() {
        StringBuilder rules = new StringBuilder("@media (prefers-color-scheme: dark) {");
        DARK.forEach((light, dark) -> {
            for (String property : List.of("fill", "stroke")) {
                rules.append(" [%1$s=%2$s] { %1$s: %3$s }".formatted(property, light.replace("#", "\\#"), dark));
            }
        });
        return rules.append(" }").toString();
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

    /** Draws a straight line. */
    public void line(String looks, double x1, double y1, double x2, double y2) {
        empty("line", look(looks, "x1", x1, "y1", y1, "x2", x2, "y2", y2));
    }

    /** Writes {@code text} at a point. */
    public void text(String looks, double x, double y, String text) {
        element("text", text, look(looks, "x", x, "y", y));
    }

    /**
     * Starts an element.
     *
     * @param attributes name, value, name, value and so on; a number may stand for a value
     */
    public Svg open(String tag, Object... attributes) {
        startTag(tag, attributes);
        out.append('>');
        open.push(tag);
        return this;
    }

    /** Ends the innermost element, which must be {@code tag}. */
    public Svg close(String tag) {
        if (open.isEmpty() || !open.peek().equals(tag)) {
            throw new IllegalStateException("</" + tag + "> inside of " + open);
        }
        open.pop();
        out.append("</").append(tag).append(">\n");
        return this;
    }

    /** Adds an element without content. */
    public Svg empty(String tag, Object... attributes) {
        startTag(tag, attributes);
        out.append("></").append(tag).append(">\n");
        return this;
    }

    /** Adds an element with only text in it. */
    public Svg element(String tag, String text, Object... attributes) {
        open(tag, attributes);
        escape(text);
        return close(tag);
    }

    private void startTag(String tag, Object... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            Object value = attributes[i + 1];
            escape(value instanceof Double number ? Numbers.coordinate(number) : value.toString());
            out.append('"');
        }
    }

    private void escape(String text) {
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isCharacterOfXml(point) ? point : 0xFFFD);
            }
        });
    }

    /** Returns whether {@code point} is of the production Char of XML 1.0. */
    private static boolean isCharacterOfXml(int point) {
        return point == '\t'
                || point == '\n'
                || point == '\r'
                || (point >= 0x20 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || point >= 0x10000;
    }

    /** Returns the drawing, which this ends; every other element must be closed. */
    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
        return out.toString();
    }
}
