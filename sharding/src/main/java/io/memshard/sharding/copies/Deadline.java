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

    /** One that long from now on. */
    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos, nanos);
    }

    /** Returns the remaining time. It is above zero, so that a step that begins too late ends by its time-out. */
    public Duration left() {
        return share(1);
    }

    /** An equal share of what is left for each of several attempts. */
    public Duration share(int attempts) {
        return Duration.ofNanos(Math.max(1, (atNanos - System.nanoTime()) / attempts));
    }

    /** Returns whether no time remains. */
    public boolean isOver() {
        return atNanos - System.nanoTime() <= 0;
    }

    /** One as long as this, from now on: for what goes on after the caller has its result. */
    public Deadline anew() {
        return in(givenNanos);
    }
}
