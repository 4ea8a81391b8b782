// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import java.util.List;

/**
 * Results of one comparison, with the slices in the order in which they ran. Threading: immutable.
 */
public record ComparisonResult(Environment environment, Plan plan, List<SliceResult> slices) {

    /** Suffix of the name of the baseline in its second run. */
    public static final String AGAIN = "-again";

    /** Ratio of the baseline to itself beyond which a run is too noisy to be trusted. */
    public static final double NOISY = 1.3;

    /** Margin within which ratios count as equal. */
    public static final Margin MARGIN = new Margin(0.05);

    /**
     * Plan of a comparison.
     *
     * @param poolSize number of clients in the pool of {@code template}
     * @param forks number of JVMs for each contender
     * @param rounds number of rounds for each condition in each fork
     * @param contenders names of the contenders, in the order in which tables show them; the first is the baseline of
     *     the ratios
     * @param busy other work of the machine at the start; empty if it was quiet, or if this was not checked
     */
    public record Plan(
            String profile,
            int poolSize,
            int forks,
            int rounds,
            long sliceMillis,
            int keys,
            List<String> contenders,
            String busy) {

        /** Returns the contender that is the baseline of the ratios; empty if there were no contenders. */
        public String baseline() {
            return contenders.isEmpty() ? "" : contenders.get(0);
        }
    }

    /**
     * Returns one line for each condition, contender and number of connections, computed from the slices. Conditions
     * are in the order in which they ran, contenders in the order of the plan.
     */
    public List<ContenderSummary> summaries() {
        return summariesTo(plan.baseline());
    }

    /** Returns the lines of {@link #summaries}, with ratios to {@code baseline} instead. */
    public List<ContenderSummary> summariesTo(String baseline) {
        return Summaries.of(slices, plan.contenders(), baseline);
    }

    /** Returns whether there were enough forks for intervals. */
    public boolean hasIntervals() {
        return plan.forks() > 1;
    }

    /** Returns the slices that a line sums up. */
    public List<SliceResult> slicesOf(ContenderSummary line) {
        return slices.stream()
                .filter(slice -> slice.condition().equals(line.condition())
                        && slice.contender().equals(line.contender())
                        && slice.connections() == line.connections())
                .toList();
    }

    /**
     * Returns whether the two runs of the baseline may differ by more than {@link #NOISY}, or certainly differ by more
     * than the {@link #MARGIN}. With one fork, the quartiles of its rounds serve as the interval.
     */
    public boolean isNoisy() {
        return Summaries.ofBaselineAgain(slices, plan.baseline()).stream().anyMatch(ComparisonResult::isNoise);
    }

    private static boolean isNoise(Interval ratio) {
        Margin.Position position = MARGIN.of(ratio);
        boolean differs = position == Margin.Position.ABOVE || position == Margin.Position.BELOW;
        return differs || ratio.low() < 1 / NOISY || ratio.high() > NOISY;
    }

    /**
     * Returns {@code faster}, {@code slower}, {@code equal} or {@code inconclusive}; an empty text for a ratio without
     * an interval.
     */
    public static String verdict(Interval ratio) {
        if (!ratio.isKnown()) {
            return "";
        }
        return switch (MARGIN.of(ratio)) {
            case ABOVE -> "faster";
            case BELOW -> "slower";
            case EQUAL -> "equal";
            case UNKNOWN -> "inconclusive";
        };
    }
}
