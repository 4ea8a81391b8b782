// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Style in which a contender is drawn, the same in every chart. Families differ by colour (Okabe and Ito's, which the
 * colour-blind can tell apart), members by dash, mark and shade. The colour is an attribute of each element, so
 * that a drawing needs no style sheet to have it. Threading: immutable.
 *
 * @param colour of lines and marks, as {@code #0072b2}
 * @param dash of lines: lengths of strokes and gaps; "none" for a solid line
 * @param mark shape of a point
 */
public record SeriesStyle(String colour, String dash, Mark mark) {

    /** Shape of a point. */
    public enum Mark {
        CIRCLE,
        SQUARE,
        DIAMOND
    }

    private static final String SOLID = "none";
    private static final String BLUE = "#0072b2";
    private static final String OCHRE = "#a67c00";

    private static final Map<String, SeriesStyle> KNOWN = Map.ofEntries(
            entry("template", new SeriesStyle("#d55e00", SOLID, Mark.SQUARE)),
            entry("connection", new SeriesStyle("#e69f00", SOLID, Mark.SQUARE)),
            entry("spymemcached-array-round-robin", new SeriesStyle(OCHRE, "7 3", Mark.SQUARE)),
            entry("spymemcached-array-thread-id", new SeriesStyle(OCHRE, "2 3", Mark.SQUARE)),
            entry("spymemcached-bare", new SeriesStyle("#e69f00", "3 3", Mark.SQUARE)),
            entry("spymemcached-optimized", new SeriesStyle("#e69f00", "12 4", Mark.SQUARE)),
            entry("memshard-classic", new SeriesStyle("#56b4e9", "4 3", Mark.CIRCLE)),
            entry("xmemcached-array", new SeriesStyle("#cc79a7", "7 3", Mark.DIAMOND)),
            entry("xmemcached", new SeriesStyle("#cc79a7", SOLID, Mark.DIAMOND)),
            entry("folsom", new SeriesStyle("#009e73", SOLID, Mark.DIAMOND)),
            entry("socket-per-thread", new SeriesStyle("#6b7280", "10 4", Mark.DIAMOND)),
            entry("memshard-single", new SeriesStyle("#56b4e9", SOLID, Mark.CIRCLE)),
            entry("memshard-sticky", new SeriesStyle(BLUE, SOLID, Mark.CIRCLE)),
            entry("memshard-round-robin", new SeriesStyle(BLUE, "12 4 2 4", Mark.CIRCLE)),
            entry("memshard-thread-id", new SeriesStyle(BLUE, "8 4", Mark.CIRCLE)),
            entry("memshard-mixed-thread-id", new SeriesStyle(BLUE, "2 3", Mark.CIRCLE)),
            entry("memshard-least-in-flight", new SeriesStyle("#00497a", "12 3 3 3", Mark.CIRCLE)));

    private static final SeriesStyle OTHER_MEMSHARD = new SeriesStyle("#00497a", "1 3", Mark.CIRCLE);
    private static final SeriesStyle OTHER = new SeriesStyle("#000000", "1 3", Mark.DIAMOND);

    /** Returns the style of {@code contender}; one that is not known is drawn in a neutral colour. */
    public static SeriesStyle of(String contender) {
        return KNOWN.getOrDefault(contender, contender.startsWith("memshard") ? OTHER_MEMSHARD : OTHER);
    }

    /** Draws a straight line of this style. */
    void line(Svg svg, String look, double x1, double y1, double x2, double y2) {
        svg.empty("line", stroked(look, "x1", x1, "y1", y1, "x2", x2, "y2", y2));
    }

    /** Draws a line of this style along {@code path}. */
    void path(Svg svg, String look, String path) {
        svg.empty("path", stroked(look, "d", path));
    }

    private Object[] stroked(String look, Object... attributes) {
        List<Object> all = new ArrayList<>(List.of("stroke", colour, "stroke-dasharray", dash));
        all.addAll(List.of(attributes));
        return Svg.look(look, all.toArray());
    }

    /** Returns this style with solid lines. */
    SeriesStyle solid() {
        return new SeriesStyle(colour, SOLID, mark);
    }

    /** Draws a point of this style. */
    void point(Svg svg, double x, double y, String tooltip) {
        switch (mark) {
            case CIRCLE -> svg.open("circle", Svg.look("mark", "fill", colour, "cx", x, "cy", y, "r", 4.2));
            case SQUARE ->
                svg.open(
                        "rect",
                        Svg.look("mark", "fill", colour, "x", x - 3.5, "y", y - 3.5, "width", 7.0, "height", 7.0));
            case DIAMOND -> svg.open("path", Svg.look("mark", "fill", colour, "d", diamond(x, y)));
        }
        svg.element("title", tooltip);
        svg.close(mark == Mark.CIRCLE ? "circle" : mark == Mark.SQUARE ? "rect" : "path");
    }

    private static String diamond(double x, double y) {
        String mid = Numbers.coordinate(y);
        String centre = Numbers.coordinate(x);
        return "M" + centre + " " + Numbers.coordinate(y - 5) + "L" + Numbers.coordinate(x + 5) + " " + mid + "L"
                + centre + " " + Numbers.coordinate(y + 5) + "L" + Numbers.coordinate(x - 5) + " " + mid + "Z";
    }
}
