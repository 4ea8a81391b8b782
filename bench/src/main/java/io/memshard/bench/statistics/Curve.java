// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Shapes of curves, such as throughput by number of threads. */
public final class Curve {

    private Curve() {}

    public static double[] medians(List<double[]> blocks) {
        return IntStream.range(0, blocks.get(0).length)
                .mapToDouble(condition -> Sample.median(
                        blocks.stream().mapToDouble(block -> block[condition]).toArray()))
                .toArray();
    }

    public static int peak(double[] figures) {
        int peak = 0;
        for (int i = 1; i < figures.length; i++) {
            peak = figures[i] > figures[peak] ? i : peak;
        }
        return peak;
    }

    public static double drop(double[] figures) {
        return figures[peak(figures)] / figures[figures.length - 1];
    }

    /** Returns the first index from which {@code first} stays above {@code second}, or the length of {@code first}. */
    public static int crossing(double[] first, double[] second) {
        int crossing = first.length;
        for (int i = first.length - 1; i >= 0 && first[i] > second[i]; i--) {
            crossing = i;
        }
        return crossing;
    }

    /** Returns the fraction, 0 to 1, of random samples of {@code blocks} whose medians have the {@code shape}. */
    public static double share(List<double[]> blocks, Bootstrap bootstrap, Predicate<double[]> shape) {
        double[] found = bootstrap.sample(blocks, (drawn, random) -> shape.test(medians(drawn)) ? 1.0 : 0.0);
        return Sample.mean(found);
    }

    public static Interval interval(List<double[]> blocks, Bootstrap bootstrap, ToDoubleFunction<double[]> figure) {
        return bootstrap.interval(
                blocks, figure.applyAsDouble(medians(blocks)), (drawn, random) -> figure.applyAsDouble(medians(drawn)));
    }
}
