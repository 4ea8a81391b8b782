// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * Bootstrap of the judge.
 *
 * <p>The percentile interval of Efron and Tibshirani, "An Introduction to the Bootstrap" (1993). A statistic that is
 * given the source of random numbers may draw again within a block, which makes the bootstrap hierarchical.
 * Threading: immutable; the same seed gives the same numbers.
 */
public record Bootstrap(int draws, long seed) {

    private static final double TAIL = 0.025;

    /** Bootstrap of the judge. */
    public static final Bootstrap STANDARD = new Bootstrap(4000, 20260728);

    /**
     * Returns a statistic of samples of {@code blocks}; samples for which it is NaN are left out.
     *
     * @param <B> a block
     * @param blocks at least one
     * @param statistic of a sample; it may draw within the blocks
     */
    public <B> double[] sample(List<B> blocks, BiFunction<List<B>, SplittableRandom, Double> statistic) {
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("a bootstrap needs at least one block");
        }
        SplittableRandom random = new SplittableRandom(seed);
        double[] found = new double[draws];
        List<B> drawn = new ArrayList<>(blocks);
        for (int i = 0; i < draws; i++) {
            for (int block = 0; block < drawn.size(); block++) {
                drawn.set(block, blocks.get(random.nextInt(blocks.size())));
            }
            found[i] = statistic.apply(drawn, random);
        }
        return Arrays.stream(found).filter(value -> !Double.isNaN(value)).toArray();
    }

    /** Returns the median of at least one of {@code figures} with its interval. */
    public Interval median(double... figures) {
        return interval(
                Arrays.stream(figures).boxed().toList(),
                Sample.median(figures),
                (drawn, random) -> Sample.median(
                        drawn.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    /** Returns the interval of a statistic around {@code estimate}, which is that of the blocks themselves. */
    public <B> Interval interval(
            List<B> blocks, double estimate, BiFunction<List<B>, SplittableRandom, Double> statistic) {
        if (blocks.size() < 2) {
            return new Interval(Double.NaN, estimate, Double.NaN);
        }
        double[] found = sample(blocks, statistic);
        return new Interval(
                Math.min(estimate, Sample.quantile(TAIL, found)),
                estimate,
                Math.max(estimate, Sample.quantile(1 - TAIL, found)));
    }
}
