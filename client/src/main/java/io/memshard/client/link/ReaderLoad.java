// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Load of a {@link LinkReader} of several links: the commands in flight, and whether other threads need the processor.
 *
 * <p>Threading: {@link #sample} for the timer, {@link #yieldProcessor} for the thread that reads, {@link #isLarge} for
 * any thread.
 */
final class ReaderLoad {

    /** Average number of commands in flight above which the load is large. */
    private static final int CROWD = 4;

    /** Number of rounds of the timer that the average roughly covers. */
    private static final double ROUNDS = 4;

    /** Longest time for which callers and servers keep a yielded processor. Longer times are due to other work. */
    private static final long LONGEST_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Ratio of the time without yielding to the time for which other work kept the processor at the last yield. */
    private static final int PAUSE = 20;

    /** Commands in flight on the links that the timer has sampled in this round, and the number of these links. */
    private int sampledInFlight;

    private int sampledLinks;

    /** Average number of commands in flight on all links. Written by the timer. */
    private double averageInFlight;

    /** Written by the timer. */
    private volatile boolean large;

    private final LongSupplier clock;
    private final Runnable yielding;

    /** Time from which the reader may yield. Belongs to the reader. */
    private long yieldsFromNanos;

    @SuppressWarnings("ThreadPriorityCheck") // Nothing but speed relies on it.
    ReaderLoad() {
        this(System::nanoTime, Thread::yield);
    }

    ReaderLoad(LongSupplier clock, Runnable yielding) {
        this.clock = clock;
        this.yielding = yielding;
        yieldsFromNanos = clock.getAsLong();
    }

    /** Records the number of commands in flight on one link. Called for each of {@code links} links in turn. */
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

    /** Lets other threads run on this processor, unless a yield took too long recently. */
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
