// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import io.memshard.bench.chart.Markup;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Scale;
import io.memshard.bench.chart.Svg;
import java.util.List;

/**
 * Horizontal bars made of parts, in groups: one group a contender, one bar a number of threads.
 *
 * <p>Threading: stateless.
 */
final class StackedBars {

    private static final double WIDTH = 560;
    private static final double LEFT = 72;
    private static final double RIGHT = 500;
    private static final double TOP = 10;
    private static final double BAR = 13;
    private static final double ROW = 17;
    private static final double GROUP_TITLE = 24;

    private StackedBars() {}

    /**
     * One part of a bar.
     *
     * @param cssClass its colour
     * @param value its length, at least 0
     * @param tooltip what it is
     */
    record Part(String cssClass, double value, String tooltip) {}

    /**
     * One bar.
     *
     * @param label left of it
     * @param parts from left to right
     */
    record Bar(String label, List<Part> parts) {

        double length() {
            return parts.stream().mapToDouble(Part::value).sum();
        }
    }

    /**
     * Bars under one title.
     *
     * @param title above them
     * @param bars from top to bottom
     */
    record Group(String title, List<Bar> bars) {}

    /** Draws the chart; the groups from top to bottom, at least one bar in them. */
    static Markup draw(String title, String unit, List<Group> groups) {
        double longest = groups.stream()
                .flatMap(group -> group.bars().stream())
                .mapToDouble(Bar::length)
                .max()
                .orElse(1);
        Scale x = Scale.fromZero(longest, LEFT, RIGHT);
        int bars = groups.stream().mapToInt(group -> group.bars().size()).sum();
        double bottom = TOP + groups.size() * GROUP_TITLE + bars * ROW;
        Markup svg = Svg.open(title, WIDTH, bottom + 48);
        for (double tick : x.ticks()) {
            Svg.line(svg, tick == 0 ? "axis" : "grid", x.at(tick), TOP, x.at(tick), bottom + 4);
            Svg.text(svg, "tick middle", x.at(tick), bottom + 20, Numbers.tick(tick));
        }
        Svg.text(svg, "unit middle", (LEFT + RIGHT) / 2, bottom + 40, unit);
        double y = TOP;
        for (Group group : groups) {
            Svg.text(svg, "label halo", LEFT + 6, y + GROUP_TITLE - 7, group.title());
            y += GROUP_TITLE;
            for (Bar bar : group.bars()) {
                bar(svg, bar, x, y);
                y += ROW;
            }
        }
        return svg.close("svg");
    }

    private static void bar(Markup svg, Bar bar, Scale x, double y) {
        Svg.text(svg, "tick end", LEFT - 8, y + BAR - 2, bar.label());
        double start = 0;
        for (Part part : bar.parts()) {
            double width = x.at(start + part.value()) - x.at(start);
            if (width > 0) {
                Svg.bar(svg, part.cssClass(), x.at(start), y, width, BAR, part.tooltip());
            }
            start += part.value();
        }
        Svg.text(svg, "tick halo", x.at(start) + 6, y + BAR - 2, Numbers.compact(start));
    }
}
