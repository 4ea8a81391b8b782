// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

import io.memshard.client.concurrent.DaemonThread;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converter from the futures of one spymemcached client, which have no deadline, to futures with a deadline.
 *
 * <p>Threading: thread-safe. One thread per connection completes the futures. The first future starts the thread, which
 * ends after an idle second.
 *
 * <p>Failure: each future completes, at the latest when its deadline expires or {@link #close} is called.
 */
final class Completions implements AutoCloseable {

    private static final long IDLE_SECONDS = 1;

    private final ScheduledThreadPoolExecutor thread;

    /** Calls whose futures are not complete. */
    private final Set<Pending<?>> pending = ConcurrentHashMap.newKeySet();

    Completions(int index) {
        thread = new ScheduledThreadPoolExecutor(
                1,
                task -> DaemonThread.outsideClients(task, "memshard-complete-spymemcached-" + index),
                new ThreadPoolExecutor.DiscardPolicy()); // After close(), which completes pending calls.
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    ExecutorService executor() {
        return thread;
    }

    /**
     * Returns a future with a deadline for one of spymemcached's futures.
     *
     * @param listen registers a callback that spymemcached runs once its future is done
     * @param read waits up to the given nanoseconds for the result of spymemcached's future; called once
     */
    @SuppressWarnings("FutureReturnValueIgnored") // No action depends on the timer's future.
    <T extends @Nullable Object> CompletableFuture<T> start(
            long deadlineNanos, Consumer<Runnable> listen, LongFunction<T> read) {
        Pending<T> call = new Pending<>(deadlineNanos, read);
        pending.add(call);
        Future<?> timer = thread.schedule(call::complete, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        call.result.whenComplete((value, thrown) -> timer.cancel(false));
        listen.accept(call::complete);
        if (thread.isShutdown()) {
            call.complete();
        }
        return call.result;
    }

    private final class Pending<T extends @Nullable Object> {

        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final AtomicBoolean completing = new AtomicBoolean();
        private final long deadlineNanos;
        private final LongFunction<T> read;

        Pending(long deadlineNanos, LongFunction<T> read) {
            this.deadlineNanos = deadlineNanos;
            this.read = read;
        }

        /**
         * Completes the future. Waits for the result until the deadline, because spymemcached may report a future as
         * done shortly before the result is set.
         */
        void complete() {
            if (!completing.compareAndSet(false, true)) {
                return;
            }
            pending.remove(this);
            try {
                long leftNanos = thread.isShutdown() ? 0 : Math.max(0, deadlineNanos - System.nanoTime());
                result.complete(read.apply(leftNanos));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        }
    }

    /**
     * Stops the thread and completes each pending call. Before this call, spymemcached must have cancelled its commands
     * in flight.
     */
    @Override
    public void close() {
        thread.shutdownNow();
        pending.forEach(Pending::complete);
    }
}
