// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.Arrays;

/** Quantiles and ranks of a few numbers. Threading: stateless; arrays are left as they are. */
public final class Sample {

    private Sample() {}

    /** The median; NaN of nothing. */
    public static double median(double... sample) {
        return quantile(0.5, sample);
    }

    /** The mean; NaN of nothing. */
    public static double mean(double... sample) {
        return Arrays.stream(sample).average().orElse(Double.NaN);
    }

    /** A quantile by linear interpolation between the closest ranks (type 7 of Hyndman and Fan); NaN of nothing. */
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

    /** Returns the median between the quartiles; NaN of nothing. */
    public static Interval quartiles(double... sample) {
        return new Interval(quantile(0.25, sample), median(sample), quantile(0.75, sample));
    }

    /** Returns ranks from 1, the least first; equal numbers share the mean of their ranks. */
    public static double[] ranks(double... sample) {
        double[] ranks = new double[sample.length];
        for (int i = 0; i < sample.length; i++) {
            int less = 0;
            int equal = 0;
            for (double other : sample) {
                less += other < sample[i] ? 1 : 0;
                equal += other == sample[i] ? 1 : 0;
            }
            ranks[i] = less + (equal + 1) / 2.0;
        }
        return ranks;
    }

    /**
     * Jain's index of fairness: 1 if all have the same, 1/n if one of n has everything (Jain, Chiu, Hawe, "A
     * Quantitative Measure of Fairness", 1984). NaN of nothing or of zeros only.
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

    /** Spearman's rank correlation of pairs, from -1 to 1; NaN for fewer than two or if one side has one value only. */
    public static double rankCorrelation(double[] first, double[] second) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(
                    "a correlation needs pairs, not " + first.length + " and " + second.length + " numbers");
        }
        double[] x = ranks(first);
        double[] y = ranks(second);
        double middle = (x.length + 1) / 2.0;
        double covariance = 0;
        double varianceOfX = 0;
        double varianceOfY = 0;
        for (int i = 0; i < x.length; i++) {
            covariance += (x[i] - middle) * (y[i] - middle);
            varianceOfX += (x[i] - middle) * (x[i] - middle);
            varianceOfY += (y[i] - middle) * (y[i] - middle);
        }
        return varianceOfX == 0 || varianceOfY == 0 ? Double.NaN : covariance / Math.sqrt(varianceOfX * varianceOfY);
    }
}
