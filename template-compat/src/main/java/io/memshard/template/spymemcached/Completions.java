// SPDX-License-Identifier: Apache-2.0
package io.memshard.template.spymemcached;

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
 * Makes futures of ours of those of one spymemcached client, which have no deadline of their own.
 *
 * <p>Threading: thread-safe. One thread a connection completes the futures; their first starts it, and it ends after a
 * second without any.
 *
 * <p>Failure: each future ends, at the latest when its deadline is over or {@link #close} is called.
 */
final class Completions implements AutoCloseable {

    private static final long IDLE_SECONDS = 1;

    private final ScheduledThreadPoolExecutor thread;

    /** The calls whose futures are not complete. */
    private final Set<Pending<?>> pending = ConcurrentHashMap.newKeySet();

    Completions(int index) {
        thread = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread completer = new Thread(task, "memshard-complete-spymemcached-" + index);
                    completer.setDaemon(true);
                    return completer;
                },
                new ThreadPoolExecutor.DiscardPolicy()); // After close(), which ends what is pending.
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Where spymemcached calls its listeners. */
    ExecutorService executor() {
        return thread;
    }

    /**
     * A future for one of spymemcached's.
     *
     * @param listen tells spymemcached what to call when its future is done
     * @param read the result of spymemcached's future, awaited for so many nanoseconds; called once
     */
    @SuppressWarnings("FutureReturnValueIgnored") // Nothing comes after the end of the timer.
    <T extends @Nullable Object> CompletableFuture<T> start(
            long deadlineNanos, Consumer<Runnable> listen, LongFunction<T> read) {
        Pending<T> call = new Pending<>(deadlineNanos, read);
        pending.add(call);
        Future<?> timer = thread.schedule(call::end, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        call.result.whenComplete((value, thrown) -> timer.cancel(false));
        listen.accept(call::end);
        if (thread.isShutdown()) {
            call.end();
        }
        return call.result;
    }

    private final class Pending<T extends @Nullable Object> {

        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final long deadlineNanos;
        private final LongFunction<T> read;

        Pending(long deadlineNanos, LongFunction<T> read) {
            this.deadlineNanos = deadlineNanos;
            this.read = read;
        }

        /** Awaits what is left: spymemcached may call a future done shortly before it has the result. */
        void end() {
            if (!ended.compareAndSet(false, true)) {
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

    /** Ends the thread, and each call that is pending; spymemcached must have cancelled what it had in flight. */
    @Override
    public void close() {
        thread.shutdownNow();
        pending.forEach(Pending::end);
    }
}
