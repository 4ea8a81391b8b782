// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.result.SliceResult.Figure;
import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.NestedMedian;
import io.memshard.bench.statistics.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Summary of slices: medians over rounds and forks, and ratios formed within each round. Threading: stateless. */
final class Summaries {

    private static final Bootstrap BOOTSTRAP = new Bootstrap(1000, 20260728);

    private static final List<Figure> MEDIANS = List.of(Figure.P50_US, Figure.P99_US, Figure.P999_US, Figure.JAIN);
    private static final List<Figure> FAILURES = List.of(Figure.ERRORS, Figure.TIMEOUTS, Figure.WRONG_VALUES);

    private Summaries() {}

    static List<ContenderSummary> of(List<SliceResult> slices, List<String> contenders, String baseline) {
        Map<Condition, List<SliceResult>> byCondition = slices.stream()
                .collect(Collectors.groupingBy(SliceResult::condition, LinkedHashMap::new, Collectors.toList()));
        List<ContenderSummary> summaries = new ArrayList<>();
        byCondition
                .values()
                .forEach(alike -> alike.stream().collect(Collectors.groupingBy(Row::of)).entrySet().stream()
                        .sorted(Comparator.comparingInt((Map.Entry<Row, ?> entry) ->
                                        contenders.indexOf(entry.getKey().contender()))
                                .thenComparing(entry -> entry.getKey().connections()))
                        .forEach(entry ->
                                summaries.add(summary(entry.getValue(), baselineOf(entry.getKey(), baseline, alike)))));
        return List.copyOf(summaries);
    }

    private record Row(String contender, int connections) {

        static Row of(SliceResult slice) {
            return new Row(slice.contender(), slice.connections());
        }
    }

    private record Round(int fork, int round) {

        static Round of(SliceResult slice) {
            return new Round(slice.fork(), slice.round());
        }
    }

    /**
     * Returns the slices of the baseline with which {@code row} is compared: those of both of its runs. The two runs
     * themselves are compared with the first run only.
     */
    private static List<SliceResult> baselineOf(Row row, String baseline, List<SliceResult> alike) {
        String again = baseline + ComparisonResult.AGAIN;
        List<SliceResult> second =
                alike.stream().filter(slice -> slice.contender().equals(again)).toList();
        boolean isBaseline = row.contender().equals(baseline);
        List<SliceResult> base = new ArrayList<>(alike.stream()
                .filter(slice -> slice.contender().equals(baseline))
                // An array may have several numbers of connections. The second run of the baseline has the first.
                .filter(slice -> isBaseline
                        ? slice.connections() == row.connections()
                        : second.isEmpty()
                                || slice.connections() == second.get(0).connections())
                .toList());
        if (!isBaseline && !row.contender().equals(again)) {
            base.addAll(second);
        }
        return base;
    }

    private static ContenderSummary summary(List<SliceResult> slices, List<SliceResult> baseline) {
        SliceResult any = slices.get(0);
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        MEDIANS.forEach(figure -> figures.put(figure, median(slices, slice -> slice.get(figure))));
        FAILURES.forEach(figure -> figures.put(
                figure, slices.stream().mapToDouble(slice -> slice.get(figure)).sum()));
        figures.put(
                Figure.MAX_US,
                slices.stream()
                        .mapToDouble(slice -> slice.get(Figure.MAX_US))
                        .max()
                        .orElse(0));
        return new ContenderSummary(
                any.condition(),
                any.contender(),
                any.connections(),
                (int) slices.stream().map(SliceResult::fork).distinct().count(),
                ratio(slices, baseline),
                interval(slices, SliceResult::throughput),
                median(slices, slice -> slice.milliPerOperation(Figure.CLIENT_CPU_NS)),
                median(slices, slice -> slice.milliPerOperation(Figure.SERVER_CPU_NS)),
                interval(slices, SliceResult::operationsPerCoreSecond),
                figures);
    }

    /**
     * Returns the ratio of the throughput of {@code slices} to that of {@code baseline} in the same fork and round. If
     * a round has several slices of the baseline, the geometric mean of their figures counts. Slices of the baseline
     * without an operation are left out. Returns null if no round has figures above 0 of both.
     */
    static @Nullable Interval ratio(List<SliceResult> slices, List<SliceResult> baseline) {
        List<double[]> forks = ratios(slices, baseline);
        return forks.isEmpty() ? null : NestedMedian.of(forks, BOOTSTRAP);
    }

    /**
     * Returns the ratio of the second run of the baseline to the first, for each condition. With one fork, the ends of
     * the interval are the quartiles of the rounds.
     */
    static List<Interval> ofBaselineAgain(List<SliceResult> slices, String baseline) {
        String again = baseline + ComparisonResult.AGAIN;
        List<Interval> found = new ArrayList<>();
        slices.stream()
                .collect(Collectors.groupingBy(SliceResult::condition))
                .values()
                .forEach(alike -> {
                    List<SliceResult> second = alike.stream()
                            .filter(slice -> slice.contender().equals(again))
                            .toList();
                    List<SliceResult> first =
                            second.isEmpty() ? List.of() : baselineOf(Row.of(second.get(0)), baseline, alike);
                    List<double[]> forks = ratios(second, first);
                    if (forks.size() == 1) {
                        found.add(Sample.quartiles(forks.get(0)));
                    } else if (!forks.isEmpty()) {
                        found.add(NestedMedian.of(forks, BOOTSTRAP));
                    }
                });
        return found;
    }

    private static List<double[]> ratios(List<SliceResult> slices, List<SliceResult> baseline) {
        Map<Round, Double> below = baseline.stream()
                .filter(slice -> slice.operations() > 0)
                .collect(Collectors.groupingBy(
                        Round::of, Collectors.averagingDouble(slice -> Math.log(slice.throughput()))));
        return byFork(
                slices.stream()
                        .filter(slice -> below.containsKey(Round.of(slice)))
                        .toList(),
                slice -> slice.throughput() / Math.exp(below.getOrDefault(Round.of(slice), Double.NaN)));
    }

    private static Interval interval(List<SliceResult> slices, ToDoubleFunction<SliceResult> figure) {
        List<double[]> forks = byFork(slices, figure);
        return forks.isEmpty() ? Interval.UNKNOWN : NestedMedian.of(forks, BOOTSTRAP);
    }

    /** Returns the figures above 0, in an array for each fork. */
    private static List<double[]> byFork(List<SliceResult> slices, ToDoubleFunction<SliceResult> figure) {
        return slices.stream()
                .filter(slice -> figure.applyAsDouble(slice) > 0 && Double.isFinite(figure.applyAsDouble(slice)))
                .collect(Collectors.groupingBy(SliceResult::fork, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(fork -> fork.stream().mapToDouble(figure).toArray())
                .toList();
    }

    /**
     * Returns the median over the forks of the medians over their slices; NaN if there is none. Slices without an
     * operation or with an unknown figure are left out.
     */
    private static double median(List<SliceResult> slices, ToDoubleFunction<SliceResult> figure) {
        Map<Integer, List<Double>> forks = slices.stream()
                .filter(slice -> slice.operations() > 0 && !Double.isNaN(figure.applyAsDouble(slice)))
                .collect(Collectors.groupingBy(
                        SliceResult::fork, Collectors.mapping(figure::applyAsDouble, Collectors.toList())));
        return Sample.median(forks.values().stream()
                .mapToDouble(fork -> Sample.median(
                        fork.stream().mapToDouble(Double::doubleValue).toArray()))
                .toArray());
    }
}
