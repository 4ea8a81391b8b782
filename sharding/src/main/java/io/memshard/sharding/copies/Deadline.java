// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.time.Duration;

/**
 * Deadline of an operation that has several steps. Immutable.
 *
 * @param atNanos the time of the deadline in {@link System#nanoTime()}
 * @param givenNanos the time from the start of the operation to the deadline
 */
public record Deadline(long atNanos, long givenNanos) {

    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos, nanos);
    }

    /**
     * Returns the remaining time, which is always more than zero. A step that begins too late therefore fails with a
     * timeout.
     */
    public Duration left() {
        return share(1);
    }

    /** Returns the remaining time divided by a number of attempts; always more than zero. */
    public Duration share(int attempts) {
        return Duration.ofNanos(Math.max(1, (atNanos - System.nanoTime()) / attempts));
    }

    public boolean isOver() {
        return atNanos - System.nanoTime() <= 0;
    }

    /** Returns a deadline {@code givenNanos} from now, for work that continues after the caller has its result. */
    public Deadline anew() {
        return in(givenNanos);
    }
}
