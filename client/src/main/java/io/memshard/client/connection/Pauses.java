// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of asynchronous callers, on the timer of their group. The JDK's delayed executor would start a thread for
 * each where there are two CPUs, and its own timer keeps a class loader of the application for ever.
 *
 * <p>Threading: thread-safe. The futures are completed one after the other, by a thread of the executor.
 *
 * <p>Failure: every pause ends. After {@link #endAll} it ends at once.
 */
final class Pauses {

    private final Timer timer;
    private final SerialTasks over;

    /** Those that have begun and not ended. A pause is added before the timer has it, so {@link #endAll} finds it. */
    private final Set<CompletableFuture<@Nullable Void>> begun = ConcurrentHashMap.newKeySet();

    Pauses(Timer timer, Executor executor) {
        this.timer = timer;
        over = new SerialTasks(executor, Integer.MAX_VALUE);
    }

    /** A future that is completed after that time, or when the group is closed. */
    CompletableFuture<@Nullable Void> begin(long nanos) {
        CompletableFuture<@Nullable Void> pause = new CompletableFuture<>();
        begun.add(pause);
        boolean scheduled = false;
        try {
            timer.schedule(() -> over.offer(() -> complete(pause)), nanos);
            scheduled = true;
        } catch (RejectedExecutionException e) {
            complete(pause);
        } finally {
            if (!scheduled) {
                forget(pause);
            }
        }
        return pause;
    }

    private void complete(CompletableFuture<@Nullable Void> pause) {
        pause.complete(null);
        forget(pause);
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Identity is what is wanted.
    private void forget(CompletableFuture<@Nullable Void> pause) {
        begun.remove(pause);
    }

    /** Goes on after an Error. The timer's call. */
    void tick() {
        over.start();
    }

    /** Ends every pause, when the timer takes no more. */
    void endAll() {
        begun.forEach(this::complete);
    }
}
