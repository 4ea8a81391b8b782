// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import java.util.SplittableRandom;

/**
 * Due times of the requests in an open loop: random, as from many independent users (Poisson). All arms draw the times
 * from the same seed, so their times are equal and do not depend on the replies.
 *
 * <p>A free caller takes the next request and waits until the request is due. If no caller is free at the due time, the
 * wait of the request for a caller is part of its latency.
 *
 * <p>Threading: thread-safe.
 */
final class Arrivals {

    private static final long SEED = 20_190_211;

    private final double meanNanos;
    private final SplittableRandom random = new SplittableRandom(SEED);

    /** Due time of the last request taken, in nanoseconds after {@link #beginNanos}. Guarded by this object. */
    private double dueNanos;

    private long beginNanos;
    private boolean begun;

    /** Creates arrivals, on average {@code rate} a second. */
    Arrivals(int rate) {
        this.meanNanos = 1e9 / rate;
    }

    /**
     * Takes the next request and returns its due time on the clock of {@link System#nanoTime()}. The times begin with
     * the first call.
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
