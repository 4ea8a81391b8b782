// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import io.memshard.bench.statistics.Interval;

/**
 * What the data says of one test of a claim.
 *
 * <p>Threading: immutable.
 *
 * @param test what was asked
 * @param result the answer
 * @param found the figure that was looked at; NaN where there is none
 * @param text the figure in words
 */
public record Outcome(ClaimCheck test, Result result, Interval found, String text) {

    /** The answer to a test. */
    public enum Result {
        /** It holds. */
        HOLDS,
        /** The direction holds, but the size that is claimed does not. */
        WEAKER,
        /** It does not hold. */
        FAILS,
        /** There is too little data to tell. */
        UNKNOWN,
        /** There is no data. */
        ABSENT
    }

    private static final Interval NOTHING = new Interval(Double.NaN, Double.NaN, Double.NaN);

    /** There is no data, because of {@code reason}. */
    static Outcome absent(ClaimCheck test, String reason) {
        return new Outcome(test, Result.ABSENT, NOTHING, reason);
    }
}
