// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;
import org.apache.commons.math3.util.MathArrays;

/** Statistics of small samples. */
public final class Sample {

    private Sample() {}

    public static double median(double... sample) {
        return quantile(0.5, sample);
    }

    static double[] logarithms(double... figures) {
        if (figures.length == 0 || Arrays.stream(figures).anyMatch(figure -> !(figure > 0))) {
            throw new IllegalArgumentException("ratios require positive figures, not " + Arrays.toString(figures));
        }
        return Arrays.stream(figures).map(Math::log).toArray();
    }

    static double[] drawn(double[] sample, SplittableRandom random) {
        return sample.length == 1
                ? sample
                : IntStream.range(0, sample.length)
                        .mapToDouble(i -> sample[random.nextInt(sample.length)])
                        .toArray();
    }

    public static double mean(double... sample) {
        return Arrays.stream(sample).average().orElse(Double.NaN);
    }

    /** Returns a quantile by linear interpolation (type 7 of Hyndman and Fan), or NaN for an empty sample. */
    public static double quantile(double fraction, double... sample) {
        if (sample.length == 0) {
            return Double.NaN;
        }
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        double rank = fraction * (sorted.length - 1);
        int below = (int) Math.floor(rank);
        int above = (int) Math.ceil(rank);
        return sorted[below] == sorted[above] || sorted[below] == Double.NEGATIVE_INFINITY
                ? sorted[below]
                : sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
    }

    public static Interval quartiles(double... sample) {
        return new Interval(quantile(0.25, sample), median(sample), quantile(0.75, sample));
    }

    /** Returns Jain's index of fairness: 1 for equal shares, and 1/n if only one of n shares is above 0. */
    public static double jain(double... shares) {
        double sum = StatUtils.sum(shares);
        return sum * sum / (shares.length * StatUtils.sumSq(shares));
    }

    public static double rankCorrelation(double[] first, double[] second) {
        return first.length < 2 ? Double.NaN : new SpearmansCorrelation().correlation(first, second);
    }

    /** Returns the fraction of orders of {@code second} that correlate with {@code first} at least as well. */
    public static double chanceOfRanks(double[] first, double[] second) {
        double seen = rankCorrelation(first, second) - 1e-9;
        return orders(second)
                .mapToDouble(order -> rankCorrelation(first, order) >= seen ? 1 : 0)
                .average()
                .orElse(Double.NaN);
    }

    private static Stream<double[]> orders(double... numbers) {
        if (numbers.length < 2) {
            return Stream.of(numbers);
        }
        Stream<Integer> places = IntStream.range(0, numbers.length).boxed();
        return places.flatMap(first -> orders(IntStream.range(0, numbers.length)
                        .filter(place -> place != first)
                        .mapToDouble(place -> numbers[place])
                        .toArray())
                .map(rest -> MathArrays.concatenate(new double[] {numbers[first]}, rest)));
    }
}
