// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import java.util.SplittableRandom;

/**
 * Due times of the requests in an open loop: random, as from many independent users (Poisson). All clients draw the
 * times from the same seed, so their times are equal and do not depend on the replies.
 *
 * <p>Threading: thread-safe.
 */
public final class Arrivals {

    private static final long SEED = 20_190_211;

    private final double meanNanos;
    private final SplittableRandom random = new SplittableRandom(SEED);

    /** Due time of the last request taken, in nanoseconds after {@link #beginNanos}. Guarded by this object. */
    private double dueNanos;

    private final long beginNanos;

    /** Creates arrivals that begin now, on average {@code rate} a second. */
    public Arrivals(int rate) {
        this(1e9 / rate, System.nanoTime());
    }

    private Arrivals(double meanNanos, long beginNanos) {
        this.meanNanos = meanNanos;
        this.beginNanos = beginNanos;
    }

    /** Takes the next request and returns its due time on the clock of {@link System#nanoTime()}. */
    public synchronized long take() {
        dueNanos -= Math.log(1 - random.nextDouble()) * meanNanos;
        return beginNanos + (long) dueNanos;
    }

    /** Returns the number of requests that are due from {@code from} on and before {@code to}, taken or not. */
    long countBetween(long from, long to) {
        Arrivals again = new Arrivals(meanNanos, beginNanos);
        long count = 0;
        for (long due = again.take(); due - to < 0; due = again.take()) {
            count += due - from < 0 ? 0 : 1;
        }
        return count;
    }
}
