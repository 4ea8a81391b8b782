// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.time.Duration;

/**
 * When an operation of several steps has to be over.
 *
 * <p>Threading: immutable.
 *
 * @param atNanos the time, as {@link System#nanoTime()} tells it
 * @param givenNanos how long it was from the beginning
 */
public record Deadline(long atNanos, long givenNanos) {

    /** One that long from now on. */
    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos, nanos);
    }

    /** What is left; more than zero, so that a step that comes too late ends by its time-out. */
    public Duration left() {
        return share(1);
    }

    /** An equal share of what is left for each of several attempts. */
    public Duration share(int attempts) {
        return Duration.ofNanos(Math.max(1, (atNanos - System.nanoTime()) / attempts));
    }

    /** Whether nothing is left. */
    public boolean isOver() {
        return atNanos - System.nanoTime() <= 0;
    }

    /** One as long as this, from now on: for what goes on after the caller has its result. */
    public Deadline anew() {
        return in(givenNanos);
    }
}
