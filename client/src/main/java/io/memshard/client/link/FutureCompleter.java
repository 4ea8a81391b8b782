package io.memshard.client.link;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes futures one after the other, on a thread that nobody waits for: what depends on them may block, and then
 * delays no more than what comes after it here.
 *
 * <p>Threading: thread-safe. Has a thread of the executor while there are futures to complete, one at most.
 */
public final class FutureCompleter {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    private final Executor executor;

    /** Guarded by this. */
    private final Queue<Exchange<?>> pending = new ArrayDeque<>();

    /** Whether a thread is there, or is to come. Guarded by this. */
    private boolean completing;

    /** A completer by threads of {@code executor}. */
    public FutureCompleter(Executor executor) {
        this.executor = executor;
    }

    /** Completes the futures of {@code exchanges}, where there are some. */
    public void complete(List<Exchange<?>> exchanges) {
        synchronized (this) {
            for (Exchange<?> exchange : exchanges) {
                if (exchange.hasFuture()) {
                    pending.add(exchange);
                }
            }
        }
        completeLeftOver();
    }

    /** Tries again to complete futures for which no thread could be started. */
    public void completeLeftOver() {
        if (!begin()) {
            return;
        }
        try {
            executor.execute(this::completeAll);
        } catch (RejectedExecutionException e) {
            // The client is closed, and its threads have ended.
            completeAll();
        } catch (Throwable e) {
            end();
            LOG.error("no thread to complete futures; it is tried again", e);
        }
    }

    private synchronized boolean begin() {
        boolean begins = !completing && !pending.isEmpty();
        completing |= begins;
        return begins;
    }

    private synchronized void end() {
        completing = false;
    }

    private void completeAll() {
        boolean emptied = false;
        try {
            for (Exchange<?> next = next(); next != null; next = next()) {
                try {
                    next.completeFuture();
                } catch (Throwable e) {
                    LOG.error("{}: a future could not be completed", next.context, e);
                }
            }
            emptied = true;
        } finally {
            if (!emptied) {
                end();
            }
        }
    }

    private synchronized @Nullable Exchange<?> next() {
        Exchange<?> next = pending.poll();
        completing = next != null;
        return next;
    }
}
