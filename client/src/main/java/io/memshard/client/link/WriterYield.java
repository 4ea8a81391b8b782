// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Decides for the writer of a link whether it yields its processor before it writes.
 *
 * <p>One read wakes several callers, who send their next commands one after the other. Where they share processors,
 * each would write its own command: a system call and a packet for every one. A writer that yields first lets the
 * others queue theirs, and then writes all of them at once.
 *
 * <p>A yield pays if commands come meanwhile. None come where each caller has a processor of its own. Where other
 * threads compute, a yield lasts for their time slice of some milliseconds, in which few commands complete. Yields that
 * do not pay therefore count points: 1 if no command came, {@value #FREE_POINTS} if it lasted too long. A yield that
 * pays takes a point back. Above {@value #FREE_POINTS} points the writer omits the next 2, 4, 8, up to 16,384 yields.
 *
 * <p>Threading: for the thread that has the writer's duty.
 */
final class WriterYield {

    /** Time that a yield may last in any case. A time slice of Linux is longer. */
    static final long MAX_NANOS = 500_000;

    /** Time that a yield may last besides, for each command that comes, and for each that completes on any link. */
    static final long NANOS_PER_COMMAND = 60_000;

    /** Number of points up to which the writer always yields. */
    static final int FREE_POINTS = 8;

    static final int MAX_POINTS = FREE_POINTS + 14;

    /** Number of commands completed by all clients of this process, whose threads share its processors. */
    private static final LongAdder COMPLETED = new LongAdder();

    private final Runnable yielding;
    private final LongSupplier clock;
    private final LongSupplier completed;

    /** Points for yields that have not paid. */
    private int points;

    /** Number of next yields to omit. */
    private int toOmit;

    WriterYield() {
        this(COMPLETED::sum, Thread::yield, System::nanoTime);
    }

    /**
     * Creates an instance with other means than those of the process.
     *
     * @param completed number of completed commands
     * @param yielding yields the processor
     * @param clock time in nanoseconds
     */
    WriterYield(LongSupplier completed, Runnable yielding, LongSupplier clock) {
        this.completed = completed;
        this.yielding = yielding;
        this.clock = clock;
    }

    /** Counts commands that a link has completed. */
    static void completed(int commands) {
        COMPLETED.add(commands);
    }

    /**
     * Yields if commands may come meanwhile. They may if other commands are in flight, whose callers are to be woken.
     *
     * @param offers count of commands that the writer is going to write, which other threads increment
     * @param inFlight number of commands in flight on the link, including these
     */
    void beforeWriting(AtomicInteger offers, int inFlight) {
        int own = offers.get();
        if (own > 1 || inFlight <= own) {
            return;
        }
        if (toOmit > 0) {
            toOmit--;
            return;
        }
        long before = completed.getAsLong();
        long start = clock.getAsLong();
        yielding.run();
        long took = clock.getAsLong() - start;
        int came = offers.get() - own;
        if (took > MAX_NANOS + NANOS_PER_COMMAND * (came + completed.getAsLong() - before)) {
            points = Math.min(MAX_POINTS, points + FREE_POINTS);
        } else if (came == 0) {
            points = Math.min(MAX_POINTS, points + 1);
        } else {
            points = Math.max(0, points - 1);
        }
        toOmit = points <= FREE_POINTS ? 0 : 1 << (points - FREE_POINTS);
    }
}
