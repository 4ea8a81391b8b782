// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import io.memshard.bench.chart.DotChart;
import io.memshard.bench.chart.Frame;
import io.memshard.bench.chart.HeatMap;
import io.memshard.bench.chart.Numbers;
import io.memshard.bench.chart.Picture;
import io.memshard.bench.chart.ScatterChart;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.judge.ClaimCheck;
import io.memshard.bench.lab.judge.ClaimCheck.Kind;
import io.memshard.bench.lab.judge.Claims.Claim;
import io.memshard.bench.lab.judge.Judge.Finding;
import io.memshard.bench.lab.judge.Judge.Outcome;
import io.memshard.bench.lab.judge.Judge.Verdict;
import io.memshard.bench.statistics.Interval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pictures of runs of the lab. Threading: stateless. */
public final class LabPictures {

    /** Kinds of test whose figure is a ratio. */
    private static final Set<Kind> RATIOS = EnumSet.of(Kind.ABOVE, Kind.BELOW, Kind.EQUAL, Kind.DROP, Kind.TREND);

    private static final Map<Verdict, String> COLOURS = new EnumMap<>(Map.ofEntries(
            Map.entry(Verdict.REPRODUCED, "#009e73"),
            Map.entry(Verdict.LARGER, "#0072b2"),
            Map.entry(Verdict.PARTLY, "#56b4e9"),
            Map.entry(Verdict.NOT_REPRODUCED, "#d55e00"),
            Map.entry(Verdict.INCONCLUSIVE, "#e69f00"),
            Map.entry(Verdict.NOT_TESTABLE, "#6b7280"),
            Map.entry(Verdict.NONE, "#cc79a7")));

    private static final String FAIR = "fair";
    private static final String UNFAIR = "unfair";
    private static final String OTHER = "no such setting";

    private LabPictures() {}

    /**
     * Draws for each claim the deciding figure with its interval, and the source's figure; the colour is the verdict.
     */
    public static Picture forest(List<Finding> findings) {
        Map<String, String> colours = new LinkedHashMap<>();
        COLOURS.forEach((verdict, colour) -> colours.put(verdict.label(), colour));
        List<DotChart.Row> rows = findings.stream().map(LabPictures::row).toList();
        String finding = COLOURS.keySet().stream()
                .map(verdict -> verdict.label() + " "
                        + findings.stream()
                                .filter(each -> each.verdict() == verdict)
                                .count())
                .collect(Collectors.joining(", ", "Verdicts on " + findings.size() + " claims: ", "."));
        return DotChart.draw(
                new Frame(
                        "All claims",
                        finding,
                        "ratio that decides, with its 95 % interval; a diamond is the figure of the source"),
                1,
                colours,
                rows);
    }

    private static DotChart.Row row(Finding finding) {
        Outcome primary = finding.outcomes().get(0);
        Interval found = primary.found();
        String title = finding.claim().title();
        String verdict = finding.verdict().label();
        String source = "source: " + mark(finding.claim());
        return RATIOS.contains(primary.test().kind()) && found.mid() > 0
                ? new DotChart.Row(
                        title,
                        verdict,
                        found,
                        Numbers.ratio(found.mid()) + ", " + source,
                        finding.claim().sourceRatio())
                : new DotChart.Row(title, verdict, Interval.UNKNOWN, source, Double.NaN);
    }

    /** Returns what the source says of the figure that decides: its ratio, its number, or the direction. */
    private static String mark(Claim claim) {
        if (!Double.isNaN(claim.sourceRatio())) {
            return Numbers.ratio(claim.sourceRatio());
        }
        String number = claim.figures().matches("\\d+( or \\d+)?") ? claim.figures() : "yes";
        return switch (claim.primary().kind()) {
            case ABOVE -> "above 1";
            case BELOW -> "below 1";
            case EQUAL -> "equal";
            case DROP -> "falls";
            case TREND -> "rises";
            case RANKS -> "its order";
            case FIRST -> "first";
            case CROSSING, FIGURE, OCCURS, COUNTED -> number;
        };
    }

    /**
     * Draws the throughput of arms against their longest wait, in the order of {@code names}. The ending {@code , fair}
     * or {@code , unfair} of a name determines the colour of the point.
     */
    public static Picture fairness(Path folder, String experiment, Condition condition, Map<String, String> names) {
        Forks forks = LabData.read(folder).forks(experiment);
        List<ScatterChart.Point> points = names.entrySet().stream()
                .map(name -> {
                    if (!forks.has(name.getKey(), condition)) {
                        throw new IllegalArgumentException("arm \"" + name.getKey() + "\" did not run");
                    }
                    return new ScatterChart.Point(
                            name.getValue(),
                            group(name.getValue()),
                            forks.median(name.getKey(), condition, Metric.THROUGHPUT),
                            forks.median(name.getKey(), condition, "longest_us") / 1e3);
                })
                .toList();
        Map<String, String> colours = new LinkedHashMap<>();
        colours.put(FAIR, "#009e73");
        colours.put(UNFAIR, "#d55e00");
        colours.put(OTHER, "#0072b2");
        String finding = points.stream()
                .map(point -> String.format(
                        Locale.ROOT, "%s %,.0f cycles a second, %,.0f ms", point.label(), point.x(), point.y()))
                .collect(Collectors.joining("; ", "Throughput and longest wait: ", "."));
        return ScatterChart.draw(
                new Frame(
                        "Throughput against the longest wait, " + condition.label(),
                        finding,
                        "cycles a second: right is better",
                        "longest wait in ms: low is better"),
                colours,
                points);
    }

    private static String group(String name) {
        return name.endsWith(", " + FAIR) ? FAIR : name.endsWith(", " + UNFAIR) ? UNFAIR : OTHER;
    }

    /**
     * Draws the times of the arms in each {@code ranks} test of {@code claim}, as multiples of the fastest. The picture
     * shows the times that the source printed, and those that the lab measured.
     */
    public static Picture ranks(Path folder, Claim claim) {
        Forks forks = LabData.read(folder).forks(claim.experiment());
        List<ClaimCheck> columns = Stream.concat(Stream.of(claim.primary()), claim.shapes().stream())
                .filter(test -> test.kind() == Kind.RANKS)
                .toList();
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("claim \"" + claim.name() + "\" has no ranks");
        }
        List<HeatMap.Cell> cells = new ArrayList<>();
        for (ClaimCheck test : columns) {
            Map<String, Double> now = new LinkedHashMap<>();
            test.times()
                    .keySet()
                    .forEach(arm -> now.put(arm, 1 / forks.median(arm, test.condition(), Metric.THROUGHPUT)));
            add(cells, "as printed", test, test.times());
            add(cells, "here, now", test, now);
        }
        String finding = claim.primary().times().keySet().stream()
                .map(arm -> shortName(arm) + " " + worst(cells, "as printed", arm) + " and "
                        + worst(cells, "here, now", arm))
                .collect(Collectors.joining(
                        "; ", "Times of the fastest that each pool takes at most, as printed and here: ", "."));
        return HeatMap.draw(new Frame(claim.title(), finding, "threads"), "times the fastest", cells);
    }

    private static void add(List<HeatMap.Cell> cells, String table, ClaimCheck test, Map<String, Double> times) {
        double best =
                times.values().stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
        times.forEach((arm, time) -> cells.add(new HeatMap.Cell(
                table, shortName(arm), String.valueOf(test.condition().threads()), time / best, times(time / best))));
    }

    private static String times(double times) {
        return String.format(Locale.ROOT, times < 9.95 ? "%.1f" : "%.0f", times);
    }

    private static String worst(List<HeatMap.Cell> cells, String table, String arm) {
        return times(cells.stream()
                .filter(cell -> cell.table().equals(table) && cell.row().equals(shortName(arm)))
                .mapToDouble(HeatMap.Cell::times)
                .max()
                .orElse(Double.NaN));
    }

    /** Returns the library and version of {@code arm}, without the suffix for its settings. */
    private static String shortName(String arm) {
        return arm.replaceFirst("-(equal|shipped|as-in-2012)$", "");
    }
}
