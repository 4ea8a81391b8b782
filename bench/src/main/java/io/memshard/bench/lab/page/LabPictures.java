// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.Judge.Outcome;
import io.memshard.bench.lab.judge.Judge.Verdict;
import io.memshard.bench.result.Picture;
import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

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

    private static String text(int align, String colour) {
        return " size:6 hjust:" + align + " color:" + colour;
    }
}
