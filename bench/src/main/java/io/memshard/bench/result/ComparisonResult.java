// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.util.List;

/**
 * All that one comparison found. {@link ComparisonFiles} writes and reads it.
 *
 * <p>Threading: immutable.
 *
 * @param environment where it ran
 * @param plan what was asked for
 * @param slices every slice, in the order in which they ran
 */
public record ComparisonResult(Environment environment, Plan plan, List<SliceResult> slices) {

    /** What stands after the name of the baseline where it ran a second time. */
    public static final String AGAIN = "-again";

    /** A baseline that differs from itself by this factor says that the run is not to be trusted. */
    public static final double NOISY = 1.3;

    /**
     * What was asked for.
     *
     * @param profile {@code cloud} or {@code physical}
     * @param poolSize clients in the pool of {@code template}
     * @param rounds rounds for each condition
     * @param sliceMillis length of a slice
     * @param keys number of different keys
     * @param seed of the shuffled orders and of the keys asked for
     * @param contenders their names, in the order in which tables show them; the first is the baseline, to which
     *     ratios are formed
     */
    public record Plan(
            String profile, int poolSize, int rounds, long sliceMillis, int keys, long seed, List<String> contenders) {

        /** The contender that ratios are formed to; empty if there were no contenders. */
        public String baseline() {
            return contenders.isEmpty() ? "" : contenders.get(0);
        }
    }

    /**
     * One line for each condition, contender and number of connections, computed from the slices: conditions in the
     * order in which they ran, contenders in the order of the plan.
     */
    public List<ContenderSummary> summaries() {
        return Summaries.of(slices, plan.contenders(), plan.baseline());
    }

    /** Whether a quartile of the baseline against itself is off by more than {@link #NOISY}. */
    public boolean isNoisy() {
        return summaries().stream()
                .filter(ContenderSummary::isAgain)
                .map(ContenderSummary::ratio)
                .anyMatch(ratio -> ratio != null && (ratio.lower() < 1 / NOISY || ratio.upper() > NOISY));
    }

    /** As {@link #summaries()}, with ratios to {@code baseline} instead. */
    public List<ContenderSummary> summariesTo(String baseline) {
        return Summaries.of(slices, plan.contenders(), baseline);
    }
}
