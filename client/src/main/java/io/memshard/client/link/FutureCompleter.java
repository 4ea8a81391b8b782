// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Completer of futures. It uses neither callers' threads nor I/O threads, because functions attached to futures may
 * block. Threading: thread-safe.
 *
 * <p>With an executor of the application, {@link CompletingThreads} submit a task for each future to the executor. If
 * the task fails or does not start before the timeout, a thread of the client completes the future.
 */
public final class FutureCompleter {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    private final @Nullable Executor executor;

    /** Threads of the executor that are completing a future, for all completers of the client. */
    private final Set<Thread> completing;

    private final CompletingThreads<Exchange<?>> threads;
    private final Set<Exchange<?>> submitted = ConcurrentHashMap.newKeySet();

    public FutureCompleter(@Nullable Executor executor, ThreadPoolExecutor own, Set<Thread> completing) {
        this.executor = executor;
        this.completing = completing;
        threads = new CompletingThreads<>(own, this::completeOrSubmit);
    }

    public int backlog() {
        return executor == null ? threads.backlog() : threads.backlog() + submitted.size();
    }

    public void complete(List<Exchange<?>> exchanges) {
        for (Exchange<?> exchange : exchanges) {
            TimedFuture<?> future = exchange.future();
            if (future != null && !future.isPassedOn) {
                exchange.release();
                threads.add(exchange);
                future.isPassedOn = true;
            }
        }
        threads.start();
    }

    public void tick() {
        long now = System.nanoTime();
        for (Exchange<?> exchange : List.copyOf(submitted)) {
            if (exchange.isDue(now) && submitted.remove(exchange)) {
                completeOnClient(exchange);
            }
        }
        threads.tick();
    }

    private void completeOrSubmit(Exchange<?> exchange) {
        TimedFuture<?> future = exchange.future();
        if (executor == null || future == null || future.isLeftToClient) {
            complete(exchange);
            return;
        }
        submitted.add(exchange);
        try {
            executor.execute(() -> runTask(exchange));
        } catch (Throwable e) {
            // Usually the executor has rejected the task.
            runTask(exchange);
        }
    }

    private void runTask(Exchange<?> exchange) {
        if (!submitted.remove(exchange)) {
            return;
        }
        boolean isOuter = completing.add(Thread.currentThread());
        try {
            complete(exchange);
        } finally {
            if (isOuter) {
                completing.remove(Thread.currentThread());
            }
            completeOnClient(exchange);
        }
    }

    private void completeOnClient(Exchange<?> exchange) {
        TimedFuture<?> future = exchange.future();
        if (future != null) {
            future.isLeftToClient = true;
            threads.add(exchange);
        }
    }

    private static void complete(Exchange<?> exchange) {
        try {
            exchange.completeFuture();
        } catch (Throwable e) {
            LOG.error("{}: a future could not be completed; trying again", exchange.context, e);
            exchange.completeFuture();
        }
    }
}
