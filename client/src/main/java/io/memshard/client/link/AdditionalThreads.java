// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads of a client, at most {@value #MAX}, that complete futures while dependent stages block the usual threads.
 *
 * <p>If dependent stages block all additional threads too, further futures wait until a stage returns.
 *
 * <p>Threading: thread-safe.
 */
public final class AdditionalThreads {

    /** Maximum number of threads. */
    public static final int MAX = 256;

    private static final ClientLog LOG = ClientLog.of(Link.class);

    /**
     * Time after a standstill of the process during which slow stages are not logged, because the application did not
     * cause them.
     */
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Minimum time between two log messages about the use of these threads. */
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Executor threads;
    private final StallDetector process = new StallDetector();

    /** Number of threads in use. Guarded by this object, like all fields below. */
    private int running;

    private boolean useLogged;
    private long useLoggedNanos;
    private boolean limitLogged;

    /** Creates an instance that has started no thread yet; {@code threads} provides the threads. */
    public AdditionalThreads(Executor threads) {
        this.threads = threads;
    }

    /** Records that this process gets CPU time. Called by the timer. */
    public void tick(long nowNanos) {
        process.tick(nowNanos);
    }

    /**
     * Runs {@code task} on an additional thread. Returns false if {@value #MAX} threads run already, or the client is
     * closed.
     *
     * @param slow name of the application's class that blocks the usual thread; null if none is known
     */
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

    /**
     * Logs why additional threads complete futures: at most once a minute, and not shortly after this process stood
     * still.
     */
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
