package io.memshard.bench.report;

/** The few SVG elements that all charts use. Threading: stateless. */
final class Svg {

    private Svg() {}

    /** A drawing on white paper that scales with the page, with a title for screen readers; left open. */
    static Markup open(String title, double width, double height) {
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
                        "width",
                        width,
                        "height",
                        height,
                        "viewBox",
                        "0 0 " + Numbers.coordinate(width) + " " + Numbers.coordinate(height))
                .empty("rect", "class", "paper", "fill", "#ffffff", "width", width, "height", height);
    }

    static void line(Markup svg, String css, double x1, double y1, double x2, double y2) {
        svg.empty("line", "class", css, "x1", x1, "y1", y1, "x2", x2, "y2", y2);
    }

    static void text(Markup svg, String css, double x, double y, String text) {
        svg.element("text", text, "class", css, "x", x, "y", y);
    }

    /** A rectangle that shows {@code tooltip} under the pointer. */
    static void bar(Markup svg, String css, double x, double y, double width, double height, String tooltip) {
        svg.open("rect", "class", css, "x", x, "y", y, "width", width, "height", height)
                .element("title", tooltip)
                .close("rect");
    }
}
