// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Wait for a condition that another thread or process makes true without a notification. The calling thread evaluates
 * the condition. An interrupt ends the wait, and the thread's interrupt flag stays set.
 */
public final class Eventually {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private Eventually() {}

    /**
     * Waits until the condition holds, for at most 60 seconds.
     *
     * @param what description of the condition, for the message of the error
     * @throws AssertionError if the condition does not hold within 60 seconds
     */
    public static void eventually(String what, BooleanSupplier condition) {
        eventually(what, DEFAULT_TIMEOUT, condition);
    }

    /** Waits like {@link #eventually(String, BooleanSupplier)}, for at most {@code timeout}. */
    public static void eventually(String what, Duration timeout, BooleanSupplier condition) {
        if (!holdsWithin(timeout, condition)) {
            String why = Thread.currentThread().isInterrupted() ? "interrupted" : "not true within " + timeout;
            throw new AssertionError(why + ": " + what);
        }
    }

    /** Waits until the condition holds, for at most {@code timeout}; returns whether it holds. */
    public static boolean holdsWithin(Duration timeout, BooleanSupplier condition) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                Thread.sleep(1); // No event announces the condition.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return condition.getAsBoolean();
            }
        }
        return true;
    }
}
