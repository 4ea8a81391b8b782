// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies;

import java.time.Duration;

/** Deadline of an operation as a {@link System#nanoTime()}, and the timeout of the operation. Immutable. */
public record Deadline(long atNanos, long givenNanos) {

    public static Deadline in(long nanos) {
        return new Deadline(System.nanoTime() + nanos, nanos);
    }

    /** Returns the remaining time, but at least 1 ns: a step after the deadline then fails with a timeout. */
    public Duration left() {
        return Duration.ofNanos(Math.max(1, atNanos - System.nanoTime()));
    }

    /** Returns the deadline of the next attempt, if all {@code attempts} share the remaining time equally. */
    public Deadline share(int attempts) {
        long now = System.nanoTime();
        return new Deadline(now + (atNanos - now) / attempts, givenNanos);
    }

    public boolean isOver() {
        return atNanos - System.nanoTime() <= 0;
    }

    /** Returns a deadline {@code givenNanos} from now, for work that continues after the caller has its result. */
    public Deadline anew() {
        return in(givenNanos);
    }
}
