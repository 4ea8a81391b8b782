// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.Markup;
import java.util.List;

/** The few blocks that every section of the page is made of. Threading: stateless. */
final class Page {

    /** Characters from which a cell may be broken into lines. */
    private static final int LONG = 45;

    private Page() {}

    /** {@code 1 thread}, {@code 8 threads}. */
    static String threads(int number) {
        return number == 1 ? "1 thread" : number + " threads";
    }

    /** A chart over the whole width, with its name and how to read it. */
    static void figure(Markup page, String title, String caption, Markup chart) {
        page.element("h3", title).element("p", caption);
        page.open("figure").add(chart).close("figure");
    }

    /** A chart beside others, with its name above it. */
    static void panel(Markup page, String title, Markup chart) {
        page.open("figure", "class", "panel");
        page.element("figcaption", title).add(chart);
        page.close("figure");
    }

    /**
     * A table.
     *
     * @param heads names of the columns; those that start with {@code *} hold text, the others numbers
     * @param rows as many cells in each
     */
    static void table(Markup page, List<String> heads, List<List<String>> rows) {
        page.open("div", "class", "scroll").open("table").open("thead").open("tr");
        for (String head : heads) {
            boolean text = head.startsWith("*");
            page.element("th", text ? head.substring(1) : head, "class", text ? "text" : "number", "scope", "col");
        }
        page.close("tr").close("thead").open("tbody");
        for (List<String> row : rows) {
            page.open("tr");
            for (int i = 0; i < row.size(); i++) {
                String css = heads.get(i).startsWith("*") ? "text" : "number";
                page.element("td", row.get(i), "class", row.get(i).length() > LONG ? css + " long" : css);
            }
            page.close("tr");
        }
        page.close("tbody").close("table").close("div");
    }
}
