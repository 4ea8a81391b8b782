// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import java.util.SplittableRandom;

/**
 * Requests of an open loop: when each is due, at random times as from many independent users (Poisson). The times are
 * drawn before the first request, from the same seed for all arms.
 *
 * <p>A caller takes the next request when it is free, and waits until the request is due. If no caller was free then,
 * the request keeps its time, and the time that it waited for a caller is part of its latency.
 *
 * <p>Threading: thread-safe.
 */
final class Arrivals {

    private static final long SEED = 20_190_211;

    private final double meanNanos;
    private final SplittableRandom random = new SplittableRandom(SEED);

    /** Time when the last request taken is due, from the begin. Guarded by this object. */
    private double dueNanos;

    private long beginNanos;
    private boolean begun;

    /** Creates arrivals, on average {@code rate} a second. */
    Arrivals(int rate) {
        this.meanNanos = 1e9 / rate;
    }

    /**
     * Takes the next request and returns when it is due, in {@link System#nanoTime()}. The first call begins the times.
     */
    synchronized long take() {
        if (!begun) {
            begun = true;
            beginNanos = System.nanoTime();
        }
        dueNanos -= Math.log(1 - random.nextDouble()) * meanNanos;
        return beginNanos + (long) dueNanos;
    }
}
