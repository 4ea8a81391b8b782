// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Measures how much longer a thread sleeps than requested. That is the delay that the machine and the JVM impose on
 * every thread, regardless of the system under test (after Gil Tene's jHiccup).
 *
 * <p>Threading: made, started and stopped by one thread; the histogram is read after {@link #stop} returned.
 */
public final class HiccupMeter {

    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Histogram nanos = new Histogram(1, LONGEST_NANOS, 2);
    private final Thread thread = new Thread(this::measure, "hiccup-meter");
    private volatile boolean stopped;

    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void measure() {
        while (!stopped) {
            long start = System.nanoTime();
            LockSupport.parkNanos(SLEEP_NANOS);
            long over = System.nanoTime() - start - SLEEP_NANOS;
            nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1, over)));
        }
    }

    public void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    /** Returns the microseconds by which 99 of 100 sleeps were too long at most. */
    public double p99Micros() {
        return nanos.getValueAtPercentile(99) / 1e3;
    }

    /** Returns the longest, in microseconds. */
    public double maxMicros() {
        return nanos.getTotalCount() == 0 ? 0 : nanos.getMaxValue() / 1e3;
    }
}
