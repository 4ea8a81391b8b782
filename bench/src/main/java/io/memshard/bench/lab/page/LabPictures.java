// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.Judge.Outcome;
import io.memshard.bench.lab.judge.Judge.Verdict;
import io.memshard.bench.result.Picture;
import io.memshard.bench.statistics.Interval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

public final class LabPictures {

    private static final Set<Kind> RATIOS = EnumSet.of(Kind.ABOVE, Kind.BELOW, Kind.EQUAL, Kind.DROP, Kind.TREND);

    private LabPictures() {}

    private static String colour(Verdict verdict) {
        return switch (verdict) {
            case REPRODUCED -> "#009e73";
            case LARGER -> "#0072b2";
            case PARTLY -> "#56b4e9";
            case NOT_REPRODUCED -> "#d55e00";
            case INCONCLUSIVE -> "#e69f00";
            case NOT_TESTABLE -> "#6b7280";
            case NONE -> "#cc79a7";
        };
    }

    /** Row of the forest. A row that is only text has an unknown figure. */
    private record Row(Finding finding, Interval figure, double mark, String note) {

        static Row of(Finding finding) {
            Outcome primary = finding.outcomes().get(0);
            Interval found = primary.found();
            String source = "source: " + source(finding.claim());
            return RATIOS.contains(primary.test().kind()) && found.mid() > 0
                    ? new Row(finding, found, finding.claim().sourceRatio(), ratio(found.mid()) + ", " + source)
                    : new Row(finding, Interval.UNKNOWN, Double.NaN, source);
        }

        private static String source(Claim claim) {
            if (!Double.isNaN(claim.sourceRatio())) {
                return ratio(claim.sourceRatio());
            }
            return switch (claim.primary().kind()) {
                case ABOVE -> "above 1";
                case BELOW -> "below 1";
                case EQUAL -> "equal";
                case DROP -> "falls";
                case TREND -> "rises";
                case RANKS -> "its order";
                case FIRST -> "first";
                case CROSSING, FIGURE, OCCURS, COUNTED ->
                    claim.figures().matches("\\d+( or \\d+)?") ? claim.figures() : "yes";
            };
        }

        private static String ratio(double ratio) {
            return String.format(Locale.ROOT, "%.2f", ratio);
        }

        private DoubleStream figures() {
            return DoubleStream.of(figure.low(), figure.mid(), figure.high(), mark)
                    .filter(Double::isFinite);
        }
    }

    /** Draws the deciding figure of each claim with its interval and the source's figure. The colour is the verdict. */
    public static Picture forest(List<Finding> findings) {
        List<Row> rows = findings.stream().map(Row::of).toList();
        double least = rows.stream().flatMapToDouble(Row::figures).min().orElse(1);
        double greatest = rows.stream().flatMapToDouble(Row::figures).max().orElse(1);
        least = Math.min(1, least);
        greatest = Math.max(Math.max(1, greatest), least * 1.2);
        int letters = rows.stream().mapToInt(row -> row.note().length()).max().orElse(0);
        // The panel includes the names and notes to the left and right of the points: an axis would cut them off.
        double left = 290 + 24;
        double right = 12 + 6.5 * letters + 24;
        double unit = Math.log(greatest / least) / (Plot.WIDTH - left - right);
        double from = least * Math.exp(-left * unit);
        double to = greatest * Math.exp(right * unit);
        Plot.Table texts = new Plot.Table("y label note group");
        Plot.Table bars = new Plot.Table("y low high group");
        Plot.Table points = new Plot.Table("y x group");
        Plot.Table marks = new Plot.Table("y x");
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            double y = -i;
            String verdict = row.finding().verdict().label();
            texts.row(y, row.finding().claim().title(), row.note(), verdict);
            if (row.figure().high() > row.figure().low()) {
                bars.row(y, row.figure().low(), row.figure().high(), verdict);
            }
            if (!Double.isNaN(row.figure().mid())) {
                points.row(y, row.figure().mid(), verdict);
            }
            if (Double.isFinite(row.mark())) {
                marks.row(y, row.mark());
            }
        }
        Plot.Table one = new Plot.Table("x");
        one.row(1.0);
        Map<String, String> colours = new LinkedHashMap<>();
        List<String> counts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            long count = findings.stream()
                    .filter(finding -> finding.verdict() == verdict)
                    .count();
            counts.add(verdict.label() + " " + count);
            if (count > 0) {
                colours.put(verdict.label(), colour(verdict));
            }
        }
        return new Plot(rows.size() * 21 + 90, "axis_title_y", "axis_text_y", "panel_grid_major_y")
                .logarithmic(
                        "x",
                        "ratio that decides, with its 95 % interval; a diamond is the figure of the source",
                        least,
                        greatest,
                        List.of(from, to))
                .scale("y", "limits", List.of(0.6 - rows.size(), 0.6), "expand", List.of(0.0, 0.0))
                .legend("color", colours)
                .layer("vline", one, "xintercept=x color:" + Plot.PALE_INK)
                .layer("text", texts, "y label x:" + from * Math.exp(18 * unit) + text(0, Plot.INK))
                .layer("text", texts, "y label=note x:" + to + text(1, Plot.PALE_INK))
                .layer("segment", bars, "y yend=y x=low xend=high color=group size:2 alpha:0.6 show_legend:false")
                .layer("point", texts, "y color=group size:3 show_legend:false x:" + from * Math.exp(9 * unit))
                .layer("point", points, "y x color=group size:4")
                .layer("point", marks, "y x shape:23 size:3.6 color:" + Plot.INK + " fill:" + Plot.PAPER)
                .draw("All claims", "Verdicts on " + findings.size() + " claims: " + String.join(", ", counts) + ".");
    }

    /** Returns the style of a text, which starts at its position if {@code align} is 0, and ends there if it is 1. */
    private static String text(int align, String colour) {
        return " size:6 hjust:" + align + " color:" + colour;
    }

    private record Point(String name, double x, double y) {

        String group() {
            return name.endsWith(", fair") ? "fair" : name.endsWith(", unfair") ? "unfair" : "no such setting";
        }

        boolean isCrowded(List<Point> points) {
            return points.stream()
                    .anyMatch(other ->
                            other.x > x && other.x < x * 1.25 && Math.abs(Math.log(other.y / y)) < Math.log(1.25));
        }
    }

    /**
     * Draws the throughput of arms against their longest wait. A name's ending, such as {@code , fair}, selects the
     * colour.
     */
    public static Picture fairness(Path folder, String experiment, Condition condition, Map<String, String> names) {
        Forks forks = LabData.read(folder).forks(experiment);
        List<Point> points = new ArrayList<>();
        names.forEach((arm, name) -> {
            if (!forks.has(arm, condition)) {
                throw new IllegalArgumentException("arm \"" + arm + "\" did not run");
            }
            points.add(new Point(
                    name,
                    forks.median(arm, condition, Metric.THROUGHPUT),
                    forks.median(arm, condition, "longest_us") / 1e3));
        });
        double[] x = points.stream().mapToDouble(Point::x).sorted().toArray();
        double[] y = points.stream().mapToDouble(Point::y).sorted().toArray();
        double around = 1.4;
        double height = 440;
        List<Double> xLimits = List.of(x[0] / 1.2, x[x.length - 1] * 1.9);
        List<Double> yLimits = List.of(y[0] / around, y[y.length - 1] * around);
        double gap = Math.pow(yLimits.get(1) / yLimits.get(0), 20 / height);
        Plot plot = new Plot(height);
        // Names are beside their points, to the left of crowded ones, and 20 px apart.
        for (boolean isLeft : new boolean[] {true, false}) {
            Plot.Table table = new Plot.Table("x y at label group");
            double at = Double.MAX_VALUE;
            for (Point point : points.stream()
                    .filter(each -> each.isCrowded(points) == isLeft)
                    .sorted(Comparator.comparingDouble(Point::y).reversed())
                    .toList()) {
                at = Math.min(point.y(), at / gap);
                table.row(point.x(), point.y(), at, point.name(), point.group());
            }
            String aside = isLeft ? "-0.012" : "0.012";
            plot.layer("point", table, "x y color=group size:4")
                    .layer("text", table, "x y=at label nudge_x:" + aside + text(isLeft ? 1 : 0, Plot.INK));
        }
        Map<String, String> colours = new LinkedHashMap<>();
        colours.put("fair", "#009e73");
        colours.put("unfair", "#d55e00");
        colours.put("no such setting", "#0072b2");
        return plot.logarithmic("x", "cycles a second: right is better", x[0], x[x.length - 1], xLimits)
                .logarithmic("y", "longest wait in ms: low is better", y[0], y[y.length - 1], yLimits)
                .legend("color", colours)
                .draw(
                        "Throughput against the longest wait, " + condition.label(),
                        points.stream()
                                .map(point -> String.format(
                                        Locale.ROOT,
                                        "%s %,.0f cycles a second, %,.0f ms",
                                        point.name(),
                                        point.x(),
                                        point.y()))
                                .collect(Collectors.joining("; ", "Throughput and longest wait: ", ".")));
    }

    /** Draws the arms' times in each {@code ranks} test as multiples of the fastest, by the source and by the lab. */
    public static Picture ranks(Path folder, Claim claim) {
        Forks forks = LabData.read(folder).forks(claim.experiment());
        List<ClaimCheck> columns = Stream.concat(Stream.of(claim.primary()), claim.shapes().stream())
                .filter(test -> test.kind() == Kind.RANKS)
                .toList();
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("claim \"" + claim.name() + "\" has no ranks");
        }
        List<String> arms = List.copyOf(claim.primary().times().keySet());
        Plot.Table cells = new Plot.Table("x y times text table ink");
        double[][] worst = new double[arms.size()][2];
        for (ClaimCheck test : columns) {
            Map<String, Double> now = new LinkedHashMap<>();
            arms.forEach(arm -> now.put(arm, 1 / forks.median(arm, test.condition(), Metric.THROUGHPUT)));
            for (int table = 0; table < 2; table++) {
                Map<String, Double> times = table == 0 ? test.times() : now;
                double best = Collections.min(times.values());
                for (int row = 0; row < arms.size(); row++) {
                    double factor = times.getOrDefault(arms.get(row), Double.NaN) / best;
                    worst[row][table] = Math.max(worst[row][table], factor);
                    cells.row(
                            (double) columns.indexOf(test),
                            -1.0 * row,
                            Math.log10(factor),
                            times(factor),
                            table == 0 ? "as printed" : "here, now",
                            factor > 3.5 ? "pale" : "dark");
                }
            }
        }
        List<String> rows = arms.stream()
                .map(arm -> arm.replaceFirst("-(equal|shipped|as-in-2012)$", ""))
                .toList();
        List<String> heads = columns.stream()
                .map(test -> String.valueOf(test.condition().threads()))
                .toList();
        List<String> findings = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            findings.add(rows.get(row) + " " + times(worst[row][0]) + " and " + times(worst[row][1]));
        }
        Object[] gradient = Stream.of(
                        Stream.of("name", "times the fastest", "scale_mapper_kind", "color_gradient"),
                        Stream.of("low", "#fde9b8", "high", "#7a1f4b"),
                        Stream.of("breaks", List.of(0.0, 0.5, 1.0, 1.5), "labels", List.of("1", "3", "10", "30")))
                .flatMap(part -> part)
                .toArray();
        return new Plot(rows.size() * 30 + 110, "panel_grid", "axis_title_y")
                .facets("table", "scales", "free_x")
                .layer("tile", cells, "x y fill=times size:1 color:" + Plot.PAPER)
                .layer("text", cells, "x y label=text color=ink size:5.5 show_legend:false")
                .legend("color", new TreeMap<>(Map.of("dark", "#1d2730", "pale", "#fefefe")))
                .scale("fill", gradient)
                .labels("x", "threads", 1, heads)
                .labels("y", "", -1, rows)
                .draw(
                        claim.title(),
                        findings.stream()
                                .collect(Collectors.joining(
                                        "; ",
                                        "Times of the fastest that each pool takes at most, as printed and here: ",
                                        ".")));
    }

    private static String times(double times) {
        return String.format(Locale.ROOT, times < 9.95 ? "%.1f" : "%.0f", times);
    }
}
