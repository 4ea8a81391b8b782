// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a client that complete futures while others are held up by stages that block: {@value #MOST} at most.
 *
 * <p>While so many are held up, further futures are completed when one of these stages returns.
 *
 * <p>Threading: thread-safe.
 */
public final class SpareThreads {

    /** How many there are at most. */
    public static final int MOST = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** They are told of once in this time. */
    private static final long TOLD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Executor threads;

    /** Guarded by this, as what follows. */
    private int running;

    private boolean useTold;
    private long useToldNanos;
    private boolean limitTold;

    /** None yet, all to be of {@code threads}. */
    public SpareThreads(Executor threads) {
        this.threads = threads;
    }

    /** Has a thread run {@code task}; false if there are too many, or the client is closed. */
    boolean tryRun(Runnable task) {
        if (!takeOne()) {
            return false;
        }
        boolean started = false;
        try {
            threads.execute(() -> {
                try {
                    task.run();
                } finally {
                    giveOneBack();
                }
            });
            started = true;
        } catch (RejectedExecutionException e) {
            // The client is closed.
        } finally {
            if (!started) {
                giveOneBack();
            }
        }
        return started;
    }

    private synchronized boolean takeOne() {
        if (running == MOST) {
            if (!limitTold) {
                limitTold = true;
                LOG.error("{} stages of futures block, so other futures are late: find what blocks them", MOST);
            }
            return false;
        }
        tellUse();
        limitTold &= running > 0;
        running++;
        return true;
    }

    /** Has the log tell, unless it did of late, that more threads of the client than one complete futures. */
    synchronized void tellUse() {
        long now = System.nanoTime();
        if (!useTold || now - useToldNanos > TOLD_NANOS) {
            useTold = true;
            useToldNanos = now;
            LOG.warn("a stage of a future or the completionExecutor is slow, so spare threads complete other futures:"
                    + " do not block in stages");
        }
    }

    private synchronized void giveOneBack() {
        running--;
    }
}
