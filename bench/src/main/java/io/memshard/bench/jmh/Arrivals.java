// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Random times (Poisson) at which requests are due. All clients get the same times. Thread-safe. */
public final class Arrivals {

    private static final long SEED = 20_190_211;
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final double meanNanos;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final long beginNanos = System.nanoTime();

    private double dueNanos;

    public Arrivals(int rate) {
        this.meanNanos = 1e9 / rate;
    }

    public synchronized long take() {
        dueNanos -= Math.log(1 - random.nextDouble()) * meanNanos;
        return beginNanos + (long) dueNanos;
    }

    synchronized double backlog() {
        double elapsedNanos = System.nanoTime() - beginNanos;
        return Math.max(0, 1 - dueNanos / elapsedNanos);
    }

    public static void await(long due, BooleanSupplier isOver) {
        for (long left = due - System.nanoTime(); left > 0 && !isOver.getAsBoolean(); left = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, LONGEST_WAIT_NANOS));
        }
    }
}
