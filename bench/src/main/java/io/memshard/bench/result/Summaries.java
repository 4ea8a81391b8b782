// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sums up slices: medians over the rounds, and ratios formed within each round. Threading: stateless. */
final class Summaries {

    private Summaries() {}

    static List<ContenderSummary> of(List<SliceResult> slices, List<String> contenders, String baseline) {
        Map<Condition, List<SliceResult>> byCondition = slices.stream()
                .collect(Collectors.groupingBy(SliceResult::condition, LinkedHashMap::new, Collectors.toList()));
        List<ContenderSummary> summaries = new ArrayList<>();
        byCondition.values().forEach(alike -> {
            List<SliceResult> base = alike.stream()
                    .filter(slice -> slice.contender().equals(baseline))
                    .toList();
            alike.stream().collect(Collectors.groupingBy(Row::of)).entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<Row, ?> entry) ->
                                    contenders.indexOf(entry.getKey().contender()))
                            .thenComparing(entry -> entry.getKey().connections()))
                    .forEach(entry -> summaries.add(summary(entry.getValue(), base)));
        });
        return List.copyOf(summaries);
    }

    private record Row(String contender, int connections) {

        static Row of(SliceResult slice) {
            return new Row(slice.contender(), slice.connections());
        }
    }

    private static ContenderSummary summary(List<SliceResult> slices, List<SliceResult> baseline) {
        SliceResult any = slices.get(0);
        return new ContenderSummary(
                any.condition(),
                any.contender(),
                any.connections(),
                slices.size(),
                ratio(slices, baseline),
                quartiles(slices, SliceResult::operationsPerSecond),
                median(slices, SliceResult::cpuMicrosPerOperation),
                new Latency(
                        median(slices, slice -> slice.latency().p50Micros()),
                        median(slices, slice -> slice.latency().p99Micros()),
                        median(slices, slice -> slice.latency().p999Micros()),
                        slices.stream()
                                .mapToDouble(slice -> slice.latency().maxMicros())
                                .max()
                                .orElse(0)),
                sum(slices, SliceResult::errors),
                sum(slices, SliceResult::timeouts),
                sum(slices, SliceResult::wrongValues));
    }

    /**
     * Quartiles of the throughput over that of {@code baseline} in the same round; null if there is no
     * round in which the baseline had any.
     */
    static @Nullable Quartiles ratio(List<SliceResult> slices, List<SliceResult> baseline) {
        double[] ratios = slices.stream()
                .flatMap(slice -> baseline.stream()
                        .filter(base -> base.round() == slice.round() && base.operations() > 0)
                        .map(base -> slice.operationsPerSecond() / base.operationsPerSecond()))
                .mapToDouble(Double::doubleValue)
                .toArray();
        return ratios.length == 0 ? null : Quartiles.of(ratios);
    }

    private static double median(List<SliceResult> slices, ToDoubleFunction<SliceResult> figure) {
        return quartiles(slices, figure).median();
    }

    private static Quartiles quartiles(List<SliceResult> slices, ToDoubleFunction<SliceResult> figure) {
        return Quartiles.of(slices.stream().mapToDouble(figure).toArray());
    }

    private static long sum(List<SliceResult> slices, ToLongFunction<SliceResult> figure) {
        return slices.stream().mapToLong(figure).sum();
    }
}
