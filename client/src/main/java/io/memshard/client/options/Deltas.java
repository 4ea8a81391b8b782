// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

/** What may be added to a number, and subtracted from it. */
public final class Deltas {

    private Deltas() {}

    /**
     * The delta of an {@code incr}.
     *
     * @throws IllegalArgumentException if it is negative: the server would take it for nearly 2^64
     */
    public static long checkIncr(long delta) {
        return check(delta, "decr", "incrUnsigned");
    }

    /** The delta of a {@code decr}, as {@link #checkIncr}. */
    public static long checkDecr(long delta) {
        return check(delta, "incr", "decrUnsigned");
    }

    private static long check(long delta, String opposite, String unsigned) {
        if (delta < 0) {
            throw new IllegalArgumentException("delta is " + delta + ": it is 0 or more. Call " + opposite
                    + " for the opposite, " + unsigned + " for a delta above " + Long.MAX_VALUE);
        }
        return delta;
    }
}
