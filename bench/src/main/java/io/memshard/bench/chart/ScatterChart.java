// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;

/**
 * Chart with a point for each subject: two figures on logarithmic axes, with the name of the subject next to the point.
 * Threading: stateless.
 */
public final class ScatterChart {

    private static final double HEIGHT = 440;

    /** Factor by which the vertical axis extends beyond the lowest and the highest point. */
    private static final double AROUND = 1.4;

    /** Least vertical distance between two names, in pixels. */
    private static final double GAP = 20;

    /** Factor by which the horizontal axis extends beyond the last point, to leave room for its name. */
    private static final double ROOM = 1.9;

    /** Factor within which another point to the right would overlap a name. */
    private static final double BESIDE = 1.25;

    /** Distance of a name from its point, in powers of ten. */
    private static final double ASIDE = 0.012;

    private ScatterChart() {}

    /** Subject of a group, with two figures above 0. */
    public record Point(String label, String group, double x, double y) {}

    /** Draws {@code points}, at least one, in the colours of their groups. */
    public static Picture draw(Frame frame, Map<String, String> colours, List<Point> points) {
        Plot.Table right = new Plot.Table("x", "y", "at", "label", "group");
        DoubleSummaryStatistics x = points.stream().mapToDouble(Point::x).summaryStatistics();
        DoubleSummaryStatistics y = points.stream().mapToDouble(Point::y).summaryStatistics();
        double gap = Math.pow(AROUND * AROUND * y.getMax() / y.getMin(), GAP / HEIGHT);
        double leftAt = Double.MAX_VALUE;
        double rightAt = Double.MAX_VALUE;
        Plot.Table left = new Plot.Table("x", "y", "at", "label", "group");
        for (Point point : points.stream()
                .sorted(Comparator.comparingDouble(Point::y).reversed())
                .toList()) {
            boolean crowded = points.stream()
                    .anyMatch(other -> other.x() > point.x()
                            && other.x() < point.x() * BESIDE
                            && Math.abs(Math.log(other.y() / point.y())) < Math.log(BESIDE));
            if (crowded) {
                leftAt = Math.min(point.y(), leftAt / gap);
                left.row(point.x(), point.y(), leftAt, point.label(), point.group());
            } else {
                rightAt = Math.min(point.y(), rightAt / gap);
                right.row(point.x(), point.y(), rightAt, point.label(), point.group());
            }
        }
        Map<String, Object> marks = Plot.map("x", "x", "y", "y", "color", "group");
        Map<String, Object> names = Plot.map("x", "x", "y", "at", "label", "label");
        return new Plot(frame, HEIGHT)
                .layer("point", left, marks, "size", 4.0)
                .layer("point", right, marks, "size", 4.0)
                .text(left, names, Plot.INK, 1, "nudge_x", -ASIDE)
                .text(right, names, Plot.INK, 0, "nudge_x", ASIDE)
                .logarithmic("x", frame.x(), x.getMin(), x.getMax(), List.of(x.getMin() / 1.2, x.getMax() * ROOM))
                .logarithmic("y", frame.y(), y.getMin(), y.getMax(), List.of(y.getMin() / AROUND, y.getMax() * AROUND))
                .legend("color", colours)
                .draw();
    }
}
