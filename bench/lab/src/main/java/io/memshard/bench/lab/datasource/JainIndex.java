// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

/**
 * How evenly something was shared: 1 if all had the same, 1/n if one of n had everything.
 *
 * <p>R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness, 1984: the square of the sum over n times the sum of
 * the squares.
 */
final class JainIndex {

    private JainIndex() {}

    /** The index of what each had, none negative; 1 if there is nothing to share. */
    static double of(long... shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return squares == 0 ? 1 : sum * sum / (shares.length * squares);
    }
}
