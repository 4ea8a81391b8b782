// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.time.Duration;

/** Deadline of an operation as a {@link System#nanoTime()}, and the timeout of the operation. Immutable. */
public record Deadline(long atNanos, long givenNanos) {

    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos, nanos);
    }

    /** Returns the remaining time, but at least 1 ns, so that a late step fails with a timeout. */
    public Duration left() {
        return Duration.ofNanos(Math.max(1, atNanos - System.nanoTime()));
    }

    public Deadline share(int attempts) {
        long now = System.nanoTime();
        return new Deadline(now + (atNanos - now) / attempts, givenNanos);
    }

    public boolean isOver() {
        return atNanos - System.nanoTime() <= 0;
    }

    public Deadline anew() {
        return in(givenNanos);
    }
}
