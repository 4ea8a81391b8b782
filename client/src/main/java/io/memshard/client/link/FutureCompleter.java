package io.memshard.client.link;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
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

    private final ExecutorService executor;

    /** Guarded by this. */
    private final Queue<Exchange<?>> pending = new ArrayDeque<>();

    /** Whether a thread is there, or is to come. Guarded by this. */
    private boolean completing;

    /** What that thread does; null until there is one. Guarded by this. */
    private @Nullable Future<?> task;

    /** A completer by threads of {@code executor}. */
    public FutureCompleter(ExecutorService executor) {
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

    /** Completes the futures for which no thread could be started, or whose thread an Error has ended. */
    public void completeLeftOver() {
        if (!begin()) {
            return;
        }
        try {
            begun(executor.submit(this::completeAll));
        } catch (RejectedExecutionException e) {
            // The client is closed, and its threads have ended.
            try {
                completeAll();
            } finally {
                end();
            }
        } catch (Throwable e) {
            end();
            LOG.error("no thread to complete futures; it is tried again", e);
        }
    }

    private synchronized boolean begin() {
        boolean lost = task != null && task.isDone();
        if (pending.isEmpty() || (completing && !lost)) {
            return false;
        }
        completing = true;
        task = null;
        return true;
    }

    private synchronized void begun(Future<?> submitted) {
        task = submitted;
    }

    private synchronized void end() {
        completing = false;
    }

    private void completeAll() {
        for (Exchange<?> next = next(); next != null; next = next()) {
            try {
                next.completeFuture();
            } catch (Throwable e) {
                LOG.error("{}: a future could not be completed; it is tried again", next.context, e);
                next.completeFuture();
            }
            remove(next);
        }
    }

    /** The next to be completed, which stays in the queue until it is. */
    private synchronized @Nullable Exchange<?> next() {
        Exchange<?> next = pending.peek();
        completing = next != null;
        return next;
    }

    private synchronized void remove(Exchange<?> completed) {
        if (pending.peek() == completed) {
            pending.poll();
        }
    }
}
