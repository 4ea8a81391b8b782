// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.AdditionalThreads;
import io.memshard.client.link.CompletingThreads;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Delays of asynchronous callers, on the timer of their group. The JDK's delayed executor is not used: with two CPUs it
 * would start a thread per task, and its timer thread keeps a class loader of the application forever.
 *
 * <p>Threading: thread-safe. {@link CompletingThreads} complete the futures, whose stages may block.
 *
 * <p>Failure: every delay ends, because the timer and the threads repeat what an Error has interrupted. After {@link
 * #endAll} a delay ends at once.
 */
final class Delays {

    private final Timer timer;
    private final CompletingThreads<CompletableFuture<@Nullable Void>> threads;

    /** Delays that have not ended. A delay is added before it is scheduled, so that {@link #endAll} finds it. */
    private final Set<CompletableFuture<@Nullable Void>> begun = ConcurrentHashMap.newKeySet();

    Delays(Timer timer, Executor own, AdditionalThreads additional) {
        this.timer = timer;
        threads = new CompletingThreads<>(own, additional, this::complete);
    }

    /** Returns a future that completes after {@code nanos}, or when the group is closed. */
    CompletableFuture<@Nullable Void> begin(long nanos) {
        CompletableFuture<@Nullable Void> delay = new CompletableFuture<>();
        begun.add(delay);
        boolean scheduled = false;
        try {
            timer.schedule(() -> pass(delay), nanos);
            scheduled = true;
        } catch (RejectedExecutionException e) {
            // The client is closed, so the delay ends now.
        } finally {
            if (!scheduled) {
                complete(delay);
            }
        }
        return delay;
    }

    private void pass(CompletableFuture<@Nullable Void> delay) {
        threads.add(delay);
        threads.start();
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Identity is intended.
    private void complete(CompletableFuture<@Nullable Void> delay) {
        delay.complete(null);
        begun.remove(delay);
    }

    void tick() {
        threads.tick();
    }

    /** Returns whether ended delays wait for a thread that completes their futures. */
    boolean isCompleting() {
        return threads.backlog() > 0;
    }

    /** Ends every delay, after the timer has ended. Other threads complete the futures, unless none can be started. */
    void endAll() {
        begun.forEach(threads::add);
        threads.start();
    }
}
