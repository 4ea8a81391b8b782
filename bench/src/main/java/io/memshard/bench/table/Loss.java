// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Cell in which another contender is ahead of Memshard with its defaults, or may be. A cell in which both are equal
 * within the margin is no loss. Threading: immutable.
 *
 * @param condition the load
 * @param measure name of the figure that is compared
 * @param contender contender that is or may be ahead
 * @param theirs figure of that contender
 * @param our figure of Memshard
 * @param factor lead of the contender, paired in each round: above 1 unless inconclusive. The ends are NaN after a
 *     single fork
 */
public record Loss(Condition condition, String measure, String contender, double theirs, double our, Interval factor) {

    /** Name of the figure of throughput; the other figures are named by their units. */
    public static final String THROUGHPUT = "operations a second";

    private static final String MEMSHARD = "memshard";

    /**
     * Contenders that count as Memshard with its defaults, in order of preference. The second has the defaults from
     * before Memshard found the number of connections itself, with two connections.
     */
    private static final List<String> DEFAULTS = List.of(MEMSHARD, "memshard-sticky");

    private static final int DEFAULT_CONNECTIONS = 2;

    /**
     * Jain's index below which percentiles are not compared, because they are those of the few callers that were
     * served.
     */
    private static final double FEWEST_SERVED = 0.8;

    /** Amount by which a ratio of equal figures may exceed 1. */
    private static final double ROUNDING = 1e-9;

    /**
     * Figure that is compared.
     *
     * @param figure function from a line of the table to the figure
     * @param ofSlice function from a slice to the figure, or to its reciprocal for throughput; above 0 if known, and
     *     the less the better
     */
    private record Measure(
            String name, ToDoubleFunction<ContenderSummary> figure, ToDoubleFunction<SliceResult> ofSlice) {}

    private static final List<Measure> MEASURES = List.of(
            new Measure(THROUGHPUT, ContenderSummary::operationsPerSecond, slice -> 1 / slice.throughput()),
            new Measure(
                    "client CPU \u00b5s per operation",
                    ContenderSummary::cpuMicrosPerOperation,
                    SliceResult::cpuMicrosPerOperation),
            new Measure(
                    "CPU \u00b5s per operation, client and server",
                    line -> line.cpuMicrosPerOperation() + line.serverCpuMicrosPerOperation(),
                    slice -> slice.cpuMicrosPerOperation() + slice.serverCpuMicrosPerOperation()),
            new Measure(
                    "p50 \u00b5s",
                    line -> line.latency().p50Micros(),
                    slice -> slice.latency().p50Micros()),
            new Measure(
                    "p99 \u00b5s",
                    line -> line.latency().p99Micros(),
                    slice -> slice.latency().p99Micros()),
            new Measure(
                    "p99.9 \u00b5s",
                    line -> line.latency().p999Micros(),
                    slice -> slice.latency().p999Micros()));

    /** Returns the losses of a comparison, by descending lead, with the inconclusive ones after all others. */
    public static List<Loss> of(ComparisonResult result) {
        Map<Condition, List<ContenderSummary>> cells = result.summaries().stream()
                .filter(line -> !line.isAgain())
                .collect(Collectors.groupingBy(ContenderSummary::condition, LinkedHashMap::new, Collectors.toList()));
        List<Loss> losses = new ArrayList<>();
        cells.values()
                .forEach(lines -> ours(lines)
                        .ifPresent(ours -> lines.stream()
                                .filter(line -> !isMemshard(line))
                                .forEach(other -> compare(losses, result, other, ours))));
        losses.sort(Comparator.comparing(Loss::isInconclusive)
                .thenComparing(
                        Comparator.comparingDouble((Loss loss) -> loss.factor().mid())
                                .reversed()));
        return List.copyOf(losses);
    }

    /** Returns whether Memshard with its defaults took part. */
    public static boolean tookPart(ComparisonResult result) {
        return result.plan().contenders().stream().anyMatch(DEFAULTS::contains);
    }

    /** Returns the line of Memshard with its defaults among {@code lines} of one condition; empty if there is none. */
    public static Optional<ContenderSummary> ours(List<ContenderSummary> lines) {
        return lines.stream()
                .filter(line -> DEFAULTS.contains(line.contender()) && line.ratio() != null)
                .min(Comparator.comparing((ContenderSummary line) -> DEFAULTS.indexOf(line.contender()))
                        .thenComparing(line -> line.connections() != DEFAULT_CONNECTIONS)
                        .thenComparing(ContenderSummary::connections));
    }

    private static boolean isMemshard(ContenderSummary line) {
        return line.contender().startsWith(MEMSHARD);
    }

    /** Returns whether the interval is known and includes both ratios that count as equal and ratios that do not. */
    public boolean isInconclusive() {
        return factor.isKnown() && ComparisonResult.MARGIN.of(factor) == Margin.Position.UNKNOWN;
    }

    /**
     * Returns whether the interval exceeds the ratios that count as equal. Without an interval, returns whether the
     * other contender was ahead.
     */
    private static boolean mayBeAhead(Interval factor) {
        return factor.isKnown() ? factor.high() > ComparisonResult.MARGIN.ratio() : factor.mid() > 1 + ROUNDING;
    }

    private static void compare(
            List<Loss> losses, ComparisonResult result, ContenderSummary other, ContenderSummary ours) {
        for (Measure measure : MEASURES) {
            if (measure.name().startsWith("p") && other.jain() < FEWEST_SERVED) {
                continue;
            }
            Interval factor = result.ratio(ours, other, measure.ofSlice());
            if (factor != null && mayBeAhead(factor)) {
                losses.add(new Loss(
                        ours.condition(),
                        measure.name(),
                        other.contender(),
                        measure.figure().applyAsDouble(other),
                        measure.figure().applyAsDouble(ours),
                        factor));
            }
        }
    }
}
