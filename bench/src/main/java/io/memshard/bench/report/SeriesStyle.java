package io.memshard.bench.report;

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

    private static final Map<String, String> KNOWN = Map.of(
            "template", "s-template",
            "connection", "s-connection",
            "spymemcached-array-round-robin", "s-spy-rr",
            "spymemcached-array-thread-id", "s-spy-tid",
            "xmemcached", "s-xmemcached",
            "folsom", "s-folsom",
            "socket-per-thread", "s-socket");

    /** The style of {@code contender}; one that nobody knows is drawn in a neutral colour. */
    static SeriesStyle of(String contender) {
        if (contender.startsWith("memshard")) {
            String member = contender.contains("single")
                    ? "s-memshard-single"
                    : contender.contains("thread") ? "s-memshard-tid" : "s-memshard-rr";
            return new SeriesStyle(member + " s-memshard", Mark.CIRCLE);
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
            case SQUARE -> svg.open(
                    "rect", "class", css, "x", x - 3.5, "y", y - 3.5, "width", 7.0, "height", 7.0);
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
