// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;

/** Quantiles, rank correlation and fairness of a few numbers. Threading: stateless; arrays are left as they are. */
public final class Sample {

    private Sample() {}

    /** Returns the median; NaN if the sample is empty. */
    public static double median(double... sample) {
        return quantile(0.5, sample);
    }

    /** Returns the logarithms of {@code figures}, at least one, all of them positive. */
    static double[] logarithms(double... figures) {
        if (figures.length == 0 || Arrays.stream(figures).anyMatch(figure -> !(figure > 0))) {
            throw new IllegalArgumentException("ratios require positive figures, not " + Arrays.toString(figures));
        }
        return Arrays.stream(figures).map(Math::log).toArray();
    }

    /** Returns as many numbers of {@code sample}, drawn at random. A single number needs no drawing. */
    static double[] drawn(double[] sample, SplittableRandom random) {
        return sample.length == 1
                ? sample
                : IntStream.range(0, sample.length)
                        .mapToDouble(i -> sample[random.nextInt(sample.length)])
                        .toArray();
    }

    /** Returns the mean; NaN if the sample is empty. */
    public static double mean(double... sample) {
        return Arrays.stream(sample).average().orElse(Double.NaN);
    }

    /**
     * Returns a quantile by linear interpolation between the closest ranks (type 7 of Hyndman and Fan); NaN if the
     * sample is empty.
     */
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

    /** Returns the median between the quartiles; NaN if the sample is empty. */
    public static Interval quartiles(double... sample) {
        return new Interval(quantile(0.25, sample), median(sample), quantile(0.75, sample));
    }

    /**
     * Returns Jain's index of fairness: 1 if all shares are equal, 1/n if one of n has everything. The index is NaN
     * without shares or if all are zero. See Jain, Chiu, Hawe, "A Quantitative Measure of Fairness", 1984.
     */
    public static double jain(double... shares) {
        double sum = 0;
        double squares = 0;
        for (double share : shares) {
            sum += share;
            squares += share * share;
        }
        return squares == 0 ? Double.NaN : sum * sum / (shares.length * squares);
    }

    /**
     * Returns Spearman's rank correlation of pairs, from -1 to 1; NaN for fewer than two pairs, or if all values of one
     * side are equal.
     */
    public static double rankCorrelation(double[] first, double[] second) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(
                    "a correlation needs pairs, not " + first.length + " and " + second.length + " numbers");
        }
        return first.length < 2 ? Double.NaN : new SpearmansCorrelation().correlation(first, second);
    }

    /**
     * Returns the share of all orders of {@code second} whose rank correlation is at least that of the given order. The
     * test is an exact permutation test, for eight pairs at most.
     */
    public static double chanceOfRanks(double[] first, double[] second) {
        double seen = rankCorrelation(first, second) - 1e-9;
        List<double[]> orders = new ArrayList<>();
        permute(second.clone(), 0, orders);
        return (double) orders.stream()
                        .filter(order -> rankCorrelation(first, order) >= seen)
                        .count()
                / orders.size();
    }

    private static void permute(double[] order, int from, List<double[]> orders) {
        if (from >= order.length - 1) {
            orders.add(order.clone());
            return;
        }
        for (int i = from; i < order.length; i++) {
            swap(order, from, i);
            permute(order, from + 1, orders);
            swap(order, from, i);
        }
    }

    private static void swap(double[] order, int one, int other) {
        double kept = order[one];
        order[one] = order[other];
        order[other] = kept;
    }
}
