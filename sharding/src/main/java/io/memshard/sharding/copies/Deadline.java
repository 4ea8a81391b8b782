// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.time.Duration;

/**
 * End of the time for an operation of several steps.
 *
 * <p>Threading: immutable.
 *
 * @param atNanos the time in {@link System#nanoTime()}
 * @param givenNanos the whole time from the start of the operation to its end
 */
public record Deadline(long atNanos, long givenNanos) {

    /** Creates a deadline that ends after {@code nanos}. */
    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos, nanos);
    }

    /**
     * Returns the remaining time, which is always more than zero. A step that begins too late therefore fails with a
     * time-out.
     */
    public Duration left() {
        return share(1);
    }

    /** Returns an equal share of the remaining time for each of several attempts. */
    public Duration share(int attempts) {
        return Duration.ofNanos(Math.max(1, (atNanos - System.nanoTime()) / attempts));
    }

    /** Returns whether no time remains. */
    public boolean isOver() {
        return atNanos - System.nanoTime() <= 0;
    }

    /** Returns a new deadline of the same length, for work that continues after the caller has its result. */
    public Deadline anew() {
        return in(givenNanos);
    }
}
