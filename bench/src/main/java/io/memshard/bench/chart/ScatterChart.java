// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;

/** Chart of two figures of each subject by their logarithms, each with its name beside it. Threading: stateless. */
public final class ScatterChart {

    private static final double HEIGHT = 440;

    /** Factor between the ends of the upright axis and the points. */
    private static final double AROUND = 1.4;

    /** Least distance between two names. */
    private static final double GAP = 20;

    /** Factor by which the axis goes on to the right of the last point, for its name. */
    private static final double ROOM = 1.9;

    /** Factor within which another point would stand in the way of a name. */
    private static final double BESIDE = 1.25;

    /** Distance of a name from its point, in powers of ten. */
    private static final double ASIDE = 0.012;

    private ScatterChart() {}

    /** Subject of a group, with two figures above 0. */
    public record Point(String label, String group, double x, double y) {}

    /** Draws at least one of {@code points}, in the colours of their groups. */
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
