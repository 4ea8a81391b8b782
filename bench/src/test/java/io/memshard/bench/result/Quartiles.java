// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.util.Arrays;

/**
 * Lower quartile, median and upper quartile of a sample. The median is what is reported, because one
 * disturbed round must not move it; the quartiles say how far to trust it. Threading: immutable.
 *
 * @param lower a quarter of the sample lies at or below
 * @param median half of the sample lies at or below
 * @param upper three quarters of the sample lie at or below
 */
public record Quartiles(double lower, double median, double upper) {

    /**
     * Returns the quartiles by linear interpolation between the closest ranks (type 7 of Hyndman and Fan, "Sample
     * Quantiles in Statistical Packages", 1996).
     *
     * @param sample at least one finite number, in any order; left as it is
     * @throws IllegalArgumentException if the sample is empty
     */
    public static Quartiles of(double... sample) {
        if (sample.length == 0) {
            throw new IllegalArgumentException("quartiles of an empty sample");
        }
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        return new Quartiles(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
    }

    private static double quantile(double[] sorted, double fraction) {
        double rank = fraction * (sorted.length - 1);
        int below = (int) Math.floor(rank);
        int above = (int) Math.ceil(rank);
        return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
    }
}
