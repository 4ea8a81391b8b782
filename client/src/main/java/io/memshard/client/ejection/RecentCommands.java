// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Numbers of a server's commands in the last two seconds. Threading: confined to the timer. */
final class RecentCommands {

    private static final int SLICES = 8;
    private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(2) / SLICES;

    private final long[] answered = new long[SLICES];
    private final long[] timedOut = new long[SLICES];
    private int slice;
    private long sliceEndNanos;

    void clear(long nowNanos) {
        Arrays.fill(answered, 0);
        Arrays.fill(timedOut, 0);
        sliceEndNanos = nowNanos + SLICE_NANOS;
    }

    void add(long nowNanos, long answeredNow, long timedOutNow) {
        if (nowNanos - sliceEndNanos >= SLICES * SLICE_NANOS) {
            clear(nowNanos);
        }
        for (; nowNanos - sliceEndNanos >= 0; sliceEndNanos += SLICE_NANOS) {
            slice = (slice + 1) % SLICES;
            answered[slice] = 0;
            timedOut[slice] = 0;
        }
        answered[slice] += answeredNow;
        timedOut[slice] += timedOutNow;
    }

    long answered() {
        return Arrays.stream(answered).sum();
    }

    long timedOut() {
        return Arrays.stream(timedOut).sum();
    }

    long answeredLast() {
        return answered[slice];
    }

    long timedOutLast() {
        return timedOut[slice];
    }
}
