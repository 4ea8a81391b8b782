// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads of a client that complete futures while dependent stages block the usual threads. If stages block all {@value
 * #MAX} additional threads too, further futures wait until a stage returns. Threading: thread-safe.
 */
public final class AdditionalThreads {

    public static final int MAX = 256;

    private static final ClientLog LOG = ClientLog.of(Link.class);

    /** Time after a pause of the process in which slow stages are not logged, because the pause may be the cause. */
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Executor threads;
    private final StallDetector process = new StallDetector();

    /** Guarded by this object, like all fields below. */
    private int running;

    private boolean useLogged;
    private long useLoggedNanos;
    private boolean limitLogged;

    public AdditionalThreads(Executor threads) {
        this.threads = threads;
    }

    public void tick(long nowNanos) {
        process.tick(nowNanos);
    }

    /** Returns false if all threads are in use or the client is closed. {@code slow} is the class that blocks. */
    boolean tryRun(Runnable task, @Nullable String slow) {
        if (!takeOne(slow)) {
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

    private synchronized boolean takeOne(@Nullable String slow) {
        if (running == MAX) {
            if (!limitLogged) {
                limitLogged = true;
                LOG.error(
                        "{} stages of futures block{}; other futures therefore complete late: do not block in stages",
                        MAX,
                        slow == null ? "" : ", such as one in " + slow);
            }
            return false;
        }
        if (slow != null) {
            logUse("a stage of a future in " + slow + " is slow: do not block in stages");
        }
        limitLogged &= running > 0;
        running++;
        return true;
    }

    /** Logs why additional threads run, at most once a minute, and not shortly after a pause of the process. */
    synchronized void logUse(String why) {
        long now = System.nanoTime();
        boolean isDue = !useLogged || now - useLoggedNanos > LOG_INTERVAL_NANOS;
        if (isDue && process.stalledNanos(now - RECENT_NANOS, now) == 0) {
            useLogged = true;
            useLoggedNanos = now;
            LOG.warn("additional threads complete futures, because {}", why);
        }
    }

    private synchronized void giveOneBack() {
        running--;
    }
}
