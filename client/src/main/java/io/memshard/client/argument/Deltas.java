// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.argument;

/** Checks of the deltas of {@code incr} and {@code decr}. */
public final class Deltas {

    private Deltas() {}

    /**
     * Returns the delta of an {@code incr} if it is valid.
     *
     * @throws IllegalArgumentException if the delta is negative: the server would read a number near 2^64
     */
    public static long checkIncr(long delta) {
        return check(delta, "decr");
    }

    /** Returns the delta of a {@code decr} if it is valid, under the rule of {@link #checkIncr}. */
    public static long checkDecr(long delta) {
        return check(delta, "incr");
    }

    private static long check(long delta, String opposite) {
        if (delta < 0) {
            throw new IllegalArgumentException(
                    "delta is " + delta + ", but must be 0 or more: call " + opposite + " for the opposite");
        }
        return delta;
    }
}
