// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Chart of a sum of two parts: a bar for each contender, with a note at its end. Threading: stateless. */
public final class StackChart {

    private static final double ROW = 26;

    /** Half of the thickness of a bar, in rows. */
    private static final double THICK = 0.36;

    /**
     * Distance of a note from its bar, as a part of the longest bar. {@link #ROOM} is the length of the axis in the
     * same unit.
     */
    private static final double ASIDE = 0.008;

    private static final double ROOM = 1.35;

    private StackChart() {}

    /** Bar of two parts with a note. */
    public record Bar(String label, double first, double second, String note) {}

    /** Draws {@code bars}, at least one, from top to bottom; {@code first} and {@code second} name the parts. */
    public static Picture draw(Frame frame, String first, String second, List<Bar> bars) {
        Plot.Table boxes = new Plot.Table("low", "high", "bottom", "top", "part");
        Plot.Table notes = new Plot.Table("y", "x", "note");
        double longest = 0;
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double sum = bar.first() + bar.second();
            longest = Math.max(longest, sum);
            boxes.row(0.0, bar.first(), -i - THICK, -i + THICK, first);
            boxes.row(bar.first(), sum, -i - THICK, -i + THICK, second);
            notes.row(-1.0 * i, sum, bar.note());
        }
        Map<String, Object> part =
                Plot.map("xmin", "low", "xmax", "high", "ymin", "bottom", "ymax", "top", "fill", "part");
        Map<String, Object> note = Plot.map("x", "x", "y", "y", "label", "note");
        Map<String, String> colours = new LinkedHashMap<>();
        colours.put(first, "#0072b2");
        colours.put(second, "#e69f00");
        return new Plot(frame, bars.size() * ROW + 90)
                .without("panel_grid_major_y")
                .layer("rect", boxes, part, "color", Plot.PAPER, "size", 0.5)
                .text(notes, note, Plot.PALE_INK, 0, "nudge_x", longest * ASIDE)
                .scale("x", "name", frame.x(), "limits", List.of(0.0, longest * ROOM), "expand", List.of(0.0, 0.0))
                .rows(bars.stream().map(Bar::label).toList())
                .legend("fill", colours)
                .draw();
    }
}
