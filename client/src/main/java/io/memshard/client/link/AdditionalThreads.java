// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Threads of a client, at most {@value #MAX}, that complete futures while stages block the usual threads.
 *
 * <p>If stages block all additional threads too, further futures wait until a stage returns.
 *
 * <p>Threading: thread-safe.
 */
public final class AdditionalThreads {

    /** Maximum number of threads. */
    public static final int MAX = 256;

    private static final ClientLog LOG = ClientLog.of(Link.class);

    /** Minimum time between two log lines on their use. */
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Executor threads;

    /** Number of threads in use. Guarded by this, like all fields below. */
    private int running;

    private boolean useLogged;
    private long useLoggedNanos;
    private boolean limitLogged;

    /** Creates an instance that has started no thread yet; {@code threads} provides the threads. */
    public AdditionalThreads(Executor threads) {
        this.threads = threads;
    }

    /** Runs {@code task} on a thread. Returns false if too many run, or the client is closed. */
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
        if (running == MAX) {
            if (!limitLogged) {
                limitLogged = true;
                LOG.error("{} stages of futures block, so other futures are late: find what blocks them", MAX);
            }
            return false;
        }
        logUse();
        limitLogged &= running > 0;
        running++;
        return true;
    }

    /** Logs that more than one thread completes futures, at most once a minute. */
    synchronized void logUse() {
        long now = System.nanoTime();
        if (!useLogged || now - useLoggedNanos > LOG_INTERVAL_NANOS) {
            useLogged = true;
            useLoggedNanos = now;
            LOG.warn("a stage of a future or the completionExecutor is slow, so additional threads complete other"
                    + " futures: do not block in stages");
        }
    }

    private synchronized void giveOneBack() {
        running--;
    }
}
