// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Exponential back-off with full jitter. Source: Marc Brooker, "Exponential Backoff And Jitter", AWS, 2015. */
public record Backoff(Duration base, Duration limit) {

    public Backoff {
        Timeouts.check("base", base);
        Timeouts.check("limit", limit);
    }

    public long delayNanos(int failures, RandomGenerator random) {
        long longest = limit.toNanos();
        long first = base.toNanos();
        // Shifts the limit down, because shifting the base up may overflow.
        long ceiling = failures >= Long.SIZE - 1 || first > longest >> failures ? longest : first << failures;
        return random.nextLong(ceiling + 1);
    }
}
