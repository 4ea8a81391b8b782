// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of asynchronous callers, on the timer of their group. The JDK's delayed executor would start a thread for
 * each where there are two CPUs, and its own timer keeps a class loader of the application for ever.
 *
 * <p>Threading: thread-safe. The futures are completed one after the other, by a thread of the executor.
 *
 * <p>Failure: every pause ends. After {@link #endAll}, or without a thread to complete it, it ends at once.
 */
final class Pauses {

    /** After how long a pause that is over and not completed is ended again: an Error may have hit its end. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ScheduledExecutorService timer;
    private final Executor executor;

    /** Those that have begun and not ended. A pause is added before the timer has it, so {@link #endAll} finds it. */
    private final Set<CompletableFuture<@Nullable Void>> begun = ConcurrentHashMap.newKeySet();

    private final Queue<CompletableFuture<@Nullable Void>> over = new ConcurrentLinkedQueue<>();

    /** Whether a thread completes those in {@link #over}, or is to. */
    private final AtomicBoolean completing = new AtomicBoolean();

    Pauses(ScheduledExecutorService timer, Executor executor) {
        this.timer = timer;
        this.executor = executor;
    }

    /** A future that is completed after that time, or when the group is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // The tasks are not cancelled, and the second makes up for the first.
    CompletableFuture<@Nullable Void> begin(long nanos) {
        CompletableFuture<@Nullable Void> pause = new CompletableFuture<>();
        begun.add(pause);
        try {
            timer.schedule(() -> end(pause), nanos, TimeUnit.NANOSECONDS);
            timer.schedule(() -> end(pause), nanos + LATE_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            complete(pause);
        }
        return pause;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Nothing comes after it.
    private void end(CompletableFuture<@Nullable Void> pause) {
        if (pause.isDone()) {
            return;
        }
        over.add(pause);
        if (!completing.compareAndSet(false, true)) {
            return;
        }
        try {
            CompletableFuture.runAsync(this::completeAll, executor).exceptionally(thrown -> {
                completeAll();
                return null;
            });
        } catch (Throwable e) {
            // The group is closed, or no thread can be started. What is left here would hold up all that come later.
            completeAll();
        }
    }

    private void completeAll() {
        do {
            for (CompletableFuture<@Nullable Void> pause = over.poll(); pause != null; pause = over.poll()) {
                complete(pause);
            }
            completing.set(false);
        } while (!over.isEmpty() && completing.compareAndSet(false, true));
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Identity is what is wanted.
    private void complete(CompletableFuture<@Nullable Void> pause) {
        begun.remove(pause);
        pause.complete(null);
    }

    /** Ends every pause, when the timer takes no more. */
    void endAll() {
        begun.forEach(this::complete);
    }
}
