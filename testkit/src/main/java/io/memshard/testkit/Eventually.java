// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for what another thread, process or machine brings about and tells nobody of.
 *
 * <p>{@code Threading}: conditions are asked on the calling thread. An interrupt ends the waiting, and the flag is
 * kept.
 */
public final class Eventually {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

    private Eventually() {}

    /**
     * Waits until it holds, for 20 seconds at most.
     *
     * @param what says in a failure what did not come to hold
     * @throws AssertionError if it does not hold by then
     */
    public static void eventually(String what, BooleanSupplier condition) {
        eventually(what, DEFAULT_TIMEOUT, condition);
    }

    /** Like {@link #eventually(String, BooleanSupplier)}, for {@code timeout} at most. */
    public static void eventually(String what, Duration timeout, BooleanSupplier condition) {
        if (!holdsWithin(timeout, condition)) {
            String why = Thread.currentThread().isInterrupted() ? "interrupted" : "not within " + timeout;
            throw new AssertionError(why + ": " + what);
        }
    }

    /** Waits until it holds, for {@code timeout} at most; returns whether it does. */
    public static boolean holdsWithin(Duration timeout, BooleanSupplier condition) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                Thread.sleep(1); // There is nothing to be told by.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return condition.getAsBoolean();
            }
        }
        return true;
    }
}
