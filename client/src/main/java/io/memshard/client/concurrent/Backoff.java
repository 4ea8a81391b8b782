// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import io.memshard.client.options.ConnectionOptions;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off with full jitter. The wait before attempt <i>n</i>, counted from 0, is random and uniformly
 * distributed between 0 and {@code min(limit, base * 2^n)}. Clients that lose a server at the same time therefore
 * reconnect at different times.
 *
 * <p>Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 *
 * <p>Threading: immutable.
 *
 * @param base longest wait before the first attempt: more than zero, at most 24 days
 * @param limit longest wait before any attempt: more than zero, at most 24 days
 */
public record Backoff(Duration base, Duration limit) {

    /** Checks that both durations are in their ranges. */
    public Backoff {
        ConnectionOptions.checkTimeout("base", base);
        ConnectionOptions.checkTimeout("limit", limit);
    }

    /**
     * Returns the wait before an attempt, in nanoseconds.
     *
     * @param failures number of failed attempts since the connection last worked
     */
    public long delayNanos(int failures, RandomGenerator random) {
        long longest = limit.toNanos();
        long first = base.toNanos();
        // Compared by shifting the limit down, because shifting the base up may overflow.
        long ceiling = failures >= Long.SIZE - 1 || first > longest >> failures ? longest : first << failures;
        return random.nextLong(ceiling + 1);
    }

    /**
     * Returns a long wait, for failures that a quick retry does not repair: a random time between half the limit and
     * the limit, in nanoseconds.
     */
    public long slowDelayNanos(RandomGenerator random) {
        long half = limit.toNanos() / 2;
        return half + random.nextLong(half + 1);
    }
}
