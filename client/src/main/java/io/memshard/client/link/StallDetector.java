// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;

/** Detector of stalls of a thread that calls {@link #tick} every few dozen milliseconds. Threading: thread-safe. */
final class StallDetector {

    /** Shortest stall that is reported. Scheduling and garbage collection often cause shorter stalls. */
    static final long NOTEWORTHY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private long lastNanos;
    private long stallNanos;
    private long stallEndNanos;
    private boolean watching;

    synchronized void expect(long nowNanos) {
        if (!watching) {
            lastNanos = nowNanos;
            watching = true;
        }
    }

    synchronized void tick(long nowNanos) {
        long stall = nowNanos - lastNanos;
        if (watching && stall >= NOTEWORTHY_NANOS) {
            stallNanos = stall;
            stallEndNanos = nowNanos;
        }
        lastNanos = nowNanos;
        watching = true;
    }

    synchronized long stalledNanos(long sinceNanos, long nowNanos) {
        if (!watching) {
            return 0;
        }
        long current = nowNanos - lastNanos;
        long recent = stallEndNanos - sinceNanos > 0 ? stallNanos : 0;
        long longest = Math.max(current, recent);
        return longest >= NOTEWORTHY_NANOS ? longest : 0;
    }
}
