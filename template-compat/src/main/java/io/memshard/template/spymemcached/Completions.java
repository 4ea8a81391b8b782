// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.concurrent.DaemonThread;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Futures of one connection; thread-safe. One thread completes the futures, and ends when idle for a second. */
final class Completions implements AutoCloseable {

    private static final long IDLE_SECONDS = 1;

    private final ScheduledThreadPoolExecutor thread;

    Completions(int index) {
        thread = new ScheduledThreadPoolExecutor(
                1,
                task -> DaemonThread.outsideClients(task, "memshard-complete-spymemcached-" + index),
                new ThreadPoolExecutor.DiscardPolicy()); // After close(), start completes the call itself.
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    ExecutorService executor() {
        return thread;
    }

    <T extends @Nullable Object> CompletableFuture<T> start(
            long deadlineNanos, Consumer<Runnable> listen, LongFunction<T> read) {
        CompletableFuture<T> result = new CompletableFuture<>();
        // Waits, because spymemcached may report a future as done shortly before the result is set.
        Runnable complete = () -> complete(result, read, Math.max(0, deadlineNanos - System.nanoTime()));
        Future<?> timer = thread.schedule(complete, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        CompletableFuture<T> unused = result.whenComplete((value, thrown) -> timer.cancel(false));
        listen.accept(complete);
        if (thread.isShutdown()) {
            complete(result, read, 0);
        }
        return result;
    }

    private static <T extends @Nullable Object> void complete(
            CompletableFuture<T> result, LongFunction<T> read, long waitNanos) {
        if (result.isDone()) {
            return;
        }
        try {
            result.complete(read.apply(waitNanos));
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }

    /** Ends the thread once all pending calls are complete. Called after spymemcached's commands were cancelled. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
