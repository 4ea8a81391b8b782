// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** Bootstrap with percentile intervals of 95 %. The same seed gives the same intervals. */
public record Bootstrap(int draws, long seed) {

    private static final double TAIL = 0.025;
    public static final Bootstrap STANDARD = new Bootstrap(4000, 20260728);

    /** Returns the statistic of each random sample of {@code blocks}, without values that are NaN. */
    public <B> double[] sample(List<B> blocks, BiFunction<List<B>, SplittableRandom, Double> statistic) {
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

    public Interval median(double... figures) {
        return interval(
                Arrays.stream(figures).boxed().toList(),
                Sample.median(figures),
                (drawn, random) -> Sample.median(
                        drawn.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    /** Returns the interval of a statistic around {@code estimate}. With fewer than two blocks, both ends are NaN. */
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

    /** Returns the exponential of the median of logarithms, with its interval. */
    <B> Interval hierarchical(
            List<B> blocks, ToDoubleFunction<B> figure, ToDoubleBiFunction<B, SplittableRandom> drawn) {
        double estimate = Sample.median(blocks.stream().mapToDouble(figure).toArray());
        return interval(
                        blocks,
                        estimate,
                        (sample, random) -> Sample.median(sample.stream()
                                .mapToDouble(block -> drawn.applyAsDouble(block, random))
                                .toArray()))
                .exp();
    }

    /** Returns the median of the medians of JVMs. Samples are drawn among JVMs, and then within each JVM. */
    public Interval nestedMedian(List<double[]> forks) {
        return hierarchical(
                forks.stream().map(Sample::logarithms).toList(),
                Sample::median,
                (rounds, random) -> Sample.median(Sample.drawn(rounds, random)));
    }
}
