package io.memshard.bench.result;

import java.util.List;

/**
 * All that one comparison found: the content of {@code compare.json}.
 *
 * <p>Threading: immutable.
 *
 * @param environment where it ran
 * @param plan what was asked for
 * @param slices every slice, in the order in which they ran
 * @param summaries one line for each condition, contender and number of connections; conditions in the
 *     order of the plan, contenders in the order of the command line
 */
public record ComparisonResult(
        Environment environment, Plan plan, List<SliceResult> slices, List<ContenderSummary> summaries) {

    /** Name of the file in a results folder. */
    public static final String FILE_NAME = "compare.json";

    /**
     * What was asked for.
     *
     * @param profile {@code cloud} or {@code physical}
     * @param poolSize clients in the pool of {@code template}
     * @param rounds rounds for each condition
     * @param sliceMillis length of a slice
     * @param keys number of different keys
     * @param seed of the shuffled orders and of the keys asked for
     * @param baseline the contender that ratios are formed to
     */
    public record Plan(
            String profile, int poolSize, int rounds, long sliceMillis, int keys, long seed, String baseline) {}
}
