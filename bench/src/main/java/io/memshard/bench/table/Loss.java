// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.table;

import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Quartiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A cell in which another contender is ahead of Memshard with its defaults, or of its best mode where the defaults did
 * not take part.
 *
 * <p>Threading: immutable.
 *
 * @param condition the load
 * @param measure what is compared
 * @param contender the one that is ahead
 * @param theirs its figure
 * @param ours the mode of Memshard
 * @param our its figure
 * @param factor how far ahead, above 1
 * @param withinNoise true if the quartiles of the two overlap, so that another run may say otherwise
 */
public record Loss(
        Condition condition,
        String measure,
        String contender,
        double theirs,
        String ours,
        double our,
        double factor,
        boolean withinNoise) {

    /** The measure of throughput; the others are named by their units. */
    public static final String THROUGHPUT = "operations a second";

    private static final String MEMSHARD = "memshard";
    private static final String DEFAULT = "memshard-sticky";

    private record Measure(String name, ToDoubleFunction<ContenderSummary> figure) {}

    private static final List<Measure> LESS_IS_BETTER = List.of(
            new Measure("client CPU \u00b5s per operation", ContenderSummary::cpuMicrosPerOperation),
            new Measure("p50 \u00b5s", line -> line.latency().p50Micros()),
            new Measure("p99 \u00b5s", line -> line.latency().p99Micros()),
            new Measure("p99.9 \u00b5s", line -> line.latency().p999Micros()));

    /** Every such cell of a comparison, those within noise last, the farthest first. */
    public static List<Loss> of(ComparisonResult result) {
        Map<Condition, List<ContenderSummary>> cells = result.summaries().stream()
                .filter(line -> !line.isAgain())
                .collect(Collectors.groupingBy(ContenderSummary::condition, LinkedHashMap::new, Collectors.toList()));
        List<Loss> losses = new ArrayList<>();
        cells.values()
                .forEach(lines -> ours(lines)
                        .ifPresent(ours -> lines.stream()
                                .filter(line -> !isMemshard(line))
                                .forEach(other -> compare(losses, other, ours))));
        losses.sort(Comparator.comparing(Loss::withinNoise)
                .thenComparing(Comparator.comparingDouble(Loss::factor).reversed()));
        return List.copyOf(losses);
    }

    /** The line that stands for Memshard among {@code lines} of one condition. */
    public static Optional<ContenderSummary> ours(List<ContenderSummary> lines) {
        Comparator<ContenderSummary> byRatio = Comparator.comparingDouble(Loss::ratio);
        Optional<ContenderSummary> usual = lines.stream()
                .filter(line -> line.contender().equals(DEFAULT) && line.ratio() != null)
                .max(byRatio);
        return usual.or(() -> lines.stream()
                .filter(line -> isMemshard(line) && line.ratio() != null)
                .max(byRatio));
    }

    /** Whether a line is of Memshard, in whatever mode. */
    public static boolean isMemshard(ContenderSummary line) {
        return line.contender().startsWith(MEMSHARD);
    }

    private static void compare(List<Loss> losses, ContenderSummary other, ContenderSummary ours) {
        Quartiles theirs = other.ratio();
        Quartiles our = ours.ratio();
        if (theirs != null && our != null && theirs.median() > our.median()) {
            losses.add(new Loss(
                    ours.condition(),
                    THROUGHPUT,
                    other.contender(),
                    other.operationsPerSecond(),
                    ours.contender(),
                    ours.operationsPerSecond(),
                    theirs.median() / our.median(),
                    theirs.lower() <= our.upper()));
        }
        for (Measure measure : LESS_IS_BETTER) {
            double less = measure.figure().applyAsDouble(other);
            double more = measure.figure().applyAsDouble(ours);
            if (less > 0 && less < more) {
                losses.add(new Loss(
                        ours.condition(),
                        measure.name(),
                        other.contender(),
                        less,
                        ours.contender(),
                        more,
                        more / less,
                        false));
            }
        }
    }

    private static double ratio(ContenderSummary line) {
        Quartiles ratio = line.ratio();
        return ratio == null ? 0 : ratio.median();
    }
}
