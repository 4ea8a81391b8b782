// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Load of a {@link LinkReader}. Threading: only the timer calls {@link #sample}, and only the reader yields. */
final class ReaderLoad {

    private static final int CROWD = 4;
    private static final double ROUNDS = 4;

    /** Longest yield while only callers and servers run. A longer yield shows that other work runs. */
    private static final long LONGEST_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int PAUSE = 20;

    private int sampledInFlight;
    private int sampledLinks;
    private double averageInFlight;
    private volatile boolean large;

    private final LongSupplier clock;
    private final Runnable yielding;
    private long yieldsFromNanos;

    @SuppressWarnings("ThreadPriorityCheck") // Only speed depends on it.
    ReaderLoad() {
        this(System::nanoTime, Thread::yield);
    }

    ReaderLoad(LongSupplier clock, Runnable yielding) {
        this.clock = clock;
        this.yielding = yielding;
        yieldsFromNanos = clock.getAsLong();
    }

    void sample(int inFlight, int links) {
        sampledInFlight += inFlight;
        sampledLinks++;
        if (sampledLinks >= links) {
            averageInFlight += (sampledInFlight - averageInFlight) / ROUNDS;
            large = averageInFlight > CROWD;
            sampledInFlight = 0;
            sampledLinks = 0;
        }
    }

    boolean isLarge() {
        return large;
    }

    void yieldProcessor() {
        long nowNanos = clock.getAsLong();
        if (nowNanos - yieldsFromNanos >= 0) {
            yielding.run();
            long backNanos = clock.getAsLong();
            long away = backNanos - nowNanos;
            if (away > LONGEST_YIELD_NANOS) {
                yieldsFromNanos = backNanos + PAUSE * away;
            }
        }
    }
}
