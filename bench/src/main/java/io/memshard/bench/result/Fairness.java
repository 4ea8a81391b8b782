// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.statistics.Sample;
import java.util.Arrays;

/**
 * How evenly the callers of a slice were served.
 *
 * <p>Threading: immutable.
 *
 * @param jain Jain's index: 1 if all did as many operations, 1/n if one of n did all; NaN if unknown
 * @param least operations of the caller with the fewest; NaN if unknown
 * @param most operations of the caller with the most; NaN if unknown
 */
public record Fairness(double jain, double least, double most) {

    /** Of a file that does not say. */
    public static final Fairness UNKNOWN = new Fairness(Double.NaN, Double.NaN, Double.NaN);

    /** That of callers that did so many operations each. */
    public static Fairness of(double... operations) {
        return new Fairness(
                Sample.jain(operations),
                Arrays.stream(operations).min().orElse(Double.NaN),
                Arrays.stream(operations).max().orElse(Double.NaN));
    }
}
