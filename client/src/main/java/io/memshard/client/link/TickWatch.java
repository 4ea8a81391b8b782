// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;

/**
 * Tells from ticks that should come every few dozen milliseconds whether what brings them was held up lately.
 *
 * <p>Threading: watching by one thread at a time, asked by any.
 */
public final class TickWatch {

    /** Less is everyday: scheduling, a young collection. */
    public static final long NOTEWORTHY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** For so long a gap that is over is still told of. */
    private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private long lastNanos;
    private long gapNanos;
    private long gapEndNanos;
    private boolean watching;

    /** A tick is due; the first time only, that begins the watch. */
    public synchronized void expect(long nowNanos) {
        if (!watching) {
            lastNanos = nowNanos;
            watching = true;
        }
    }

    public synchronized void tick(long nowNanos) {
        long gap = nowNanos - lastNanos;
        if (watching && (gap >= gapNanos || nowNanos - gapEndNanos > LATELY_NANOS)) {
            gapNanos = gap;
            gapEndNanos = nowNanos;
        }
        lastNanos = nowNanos;
        watching = true;
    }

    /** The longest time without a tick, of late or till now; 0 if that is not worth telling. */
    public synchronized long heldUpNanos(long nowNanos) {
        if (!watching) {
            return 0;
        }
        long current = nowNanos - lastNanos;
        long recent = nowNanos - gapEndNanos <= LATELY_NANOS ? gapNanos : 0;
        long longest = Math.max(current, recent);
        return longest >= NOTEWORTHY_NANOS ? longest : 0;
    }
}
