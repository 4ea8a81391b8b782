// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.argument;

/** Checks of deltas. The server reads a negative delta as a number near 2^64. */
public final class Deltas {

    private Deltas() {}

    public static long checkIncr(long delta) {
        return check(delta, "decr");
    }

    public static long checkDecr(long delta) {
        return check(delta, "incr");
    }

    private static long check(long delta, String opposite) {
        if (delta < 0) {
            throw new IllegalArgumentException(
                    "delta is " + delta + ", but must be 0 or more: call " + opposite + " with a positive delta");
        }
        return delta;
    }
}
