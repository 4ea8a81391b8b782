package io.memshard.bench.compare;

import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Quartiles;
import io.memshard.bench.result.SliceResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The slices of one participant under one condition, with the latencies of all of them.
 *
 * <p>Threading: confined to one thread.
 */
final class ParticipantRecord {

    private final List<SliceResult> slices = new ArrayList<>();
    private final CallStatistics sum = new CallStatistics();

    void add(SliceResult slice, CallStatistics statistics) {
        slices.add(slice);
        sum.add(statistics);
    }

    List<SliceResult> slices() {
        return slices;
    }

    /**
     * The line of this participant.
     *
     * @param baseline slices of the same condition
     */
    ContenderSummary summary(List<SliceResult> baseline) {
        SliceResult any = slices.get(0);
        return new ContenderSummary(
                any.condition(),
                any.contender(),
                any.connections(),
                slices.size(),
                ratio(slices, baseline),
                median(SliceResult::operationsPerSecond),
                median(SliceResult::cpuMicrosPerOperation),
                sum.latency(),
                sum.errors(),
                sum.timeouts(),
                sum.wrongValues());
    }

    /**
     * Quartiles of the throughput over that of {@code baseline} in the same round; null if there is no
     * round in which both had any.
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

    private double median(ToDoubleFunction<SliceResult> figure) {
        return Quartiles.of(slices.stream().mapToDouble(figure).toArray()).median();
    }
}
