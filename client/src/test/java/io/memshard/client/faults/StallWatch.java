// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.faults;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Notices when this process gets no CPU, as on a crowded machine: then time limits pass that mean nothing. */
final class StallWatch implements AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final AtomicLong longestNanos = new AtomicLong();
    private final Thread thread = new Thread(this::watch, "stall-watch");
    private volatile boolean closed;

    StallWatch() {
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!closed) {
            long start = System.nanoTime();
            LockSupport.parkNanos(PAUSE_NANOS);
            longestNanos.accumulateAndGet(System.nanoTime() - start - PAUSE_NANOS, Math::max);
        }
    }

    void reset() {
        longestNanos.set(0);
    }

    /** For how long this thread was not run at most, since the last {@link #reset}. */
    long longestNanos() {
        return longestNanos.get();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
