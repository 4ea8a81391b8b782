package io.memshard.bench.report;

import static java.util.Map.entry;

import java.util.Map;

/**
 * How a contender is drawn, the same in every chart: families by colour (Okabe and Ito's, which hold
 * for the colour-blind), members by dash and mark. Colours are in {@code chart.css}, one set for light
 * and one for dark.
 *
 * <p>Threading: immutable.
 *
 * @param cssClass class with the colour and the dash
 * @param mark shape of a point
 */
record SeriesStyle(String cssClass, Mark mark) {

    /** Shape of a point. */
    enum Mark {
        CIRCLE,
        SQUARE,
        DIAMOND
    }

    private static final Map<String, String> KNOWN = Map.ofEntries(
            entry("template", "s-template"),
            entry("connection", "s-connection"),
            entry("spymemcached-array-round-robin", "s-spy-rr"),
            entry("spymemcached-array-thread-id", "s-spy-tid"),
            entry("spymemcached-bare", "s-spy-bare"),
            entry("xmemcached", "s-xmemcached"),
            entry("folsom", "s-folsom"),
            entry("socket-per-thread", "s-socket"),
            entry("memshard-single", "s-memshard-single"),
            entry("memshard-round-robin", "s-memshard-rr"),
            entry("memshard-sticky", "s-memshard-sticky"),
            entry("memshard-thread-id", "s-memshard-tid"),
            entry("memshard-mixed-thread-id", "s-memshard-mixed"),
            entry("memshard-least-in-flight", "s-memshard-least"));

    /** The style of {@code contender}; one that nobody knows is drawn in a neutral colour. */
    static SeriesStyle of(String contender) {
        if (contender.startsWith("memshard")) {
            return new SeriesStyle(KNOWN.getOrDefault(contender, "s-memshard-rr") + " s-memshard", Mark.CIRCLE);
        }
        String cssClass = KNOWN.getOrDefault(contender, "s-other");
        boolean spymemcached =
                contender.equals("template") || contender.equals("connection") || contender.startsWith("spymemcached");
        return new SeriesStyle(cssClass, spymemcached ? Mark.SQUARE : Mark.DIAMOND);
    }

    /** Draws a point of this style. */
    void point(Markup svg, double x, double y, String tooltip) {
        String css = "mark " + cssClass;
        switch (mark) {
            case CIRCLE -> svg.open("circle", "class", css, "cx", x, "cy", y, "r", 4.2);
            case SQUARE -> svg.open("rect", "class", css, "x", x - 3.5, "y", y - 3.5, "width", 7.0, "height", 7.0);
            case DIAMOND -> svg.open("path", "class", css, "d", diamond(x, y));
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
