// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Meter of the delay with which a sleeping thread wakes up, as in the program jHiccup. */
final class HiccupMeter {

    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final CallRecorder delays = new CallRecorder();
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
            delays.right(System.nanoTime() - start - SLEEP_NANOS, 1);
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    double p99Micros() {
        return delays.micros(99);
    }
}
