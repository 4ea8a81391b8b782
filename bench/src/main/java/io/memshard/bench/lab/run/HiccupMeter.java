// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Meter of the delay with which a sleeping thread wakes up, as in the program jHiccup. */
final class HiccupMeter {

    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Histogram nanos = new Histogram(1, LONGEST_NANOS, 2);
    private final Thread thread = new Thread(this::measure, "hiccup-meter");
    private volatile boolean stopped;

    void start() {
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

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    double p99Micros() {
        return nanos.getValueAtPercentile(99) / 1e3;
    }
}
