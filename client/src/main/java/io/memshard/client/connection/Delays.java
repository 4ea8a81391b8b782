// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Delays of asynchronous callers, on the timer of their group. The JDK's delayed executor is not used: with two CPUs it
 * would start a thread per task, and its timer thread keeps a class loader of the application forever.
 *
 * <p>Threading: thread-safe. A thread of the executor completes the futures, one after the other.
 *
 * <p>Failure: every delay ends. After {@link #endAll} a delay ends at once.
 */
final class Delays {

    private static final int TICKS_BETWEEN_LOOKS = 20;

    private final Timer timer;
    private final SerialTasks completions;

    /**
     * Delays that have begun and not ended, with the {@link System#nanoTime()} of their ends. A delay is added before
     * it is scheduled on the timer, so that {@link #endAll} finds it.
     */
    private final Map<CompletableFuture<@Nullable Void>, Long> begun = new ConcurrentHashMap<>();

    /** Number of ticks. Confined to the timer. */
    private int ticks;

    Delays(Timer timer, Executor executor) {
        this.timer = timer;
        completions = new SerialTasks(executor, Integer.MAX_VALUE);
    }

    /** Returns a future that completes after {@code nanos}, or when the group is closed. */
    CompletableFuture<@Nullable Void> begin(long nanos) {
        CompletableFuture<@Nullable Void> delay = new CompletableFuture<>();
        begun.put(delay, System.nanoTime() + nanos);
        boolean scheduled = false;
        try {
            timer.schedule(() -> completions.offer(() -> complete(delay)), nanos);
            scheduled = true;
        } catch (RejectedExecutionException e) {
            complete(delay);
        } finally {
            if (!scheduled) {
                remove(delay);
            }
        }
        return delay;
    }

    private void complete(CompletableFuture<@Nullable Void> delay) {
        delay.complete(null);
        remove(delay);
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Identity is intended.
    private void remove(CompletableFuture<@Nullable Void> delay) {
        begun.remove(delay);
    }

    /** Ends overdue delays, and resumes the completions that an Error has stopped. Called by the timer. */
    void tick() {
        if (++ticks % TICKS_BETWEEN_LOOKS == 0 && completions.isEmpty()) {
            offerLost(System.nanoTime());
        }
        completions.start();
    }

    /** Ends the overdue delays that an Error has prevented from ending. Ending a delay twice is harmless. */
    private void offerLost(long nowNanos) {
        begun.forEach((delay, end) -> {
            if (end - nowNanos <= 0) {
                completions.offer(() -> complete(delay));
            }
        });
    }

    /** Ends every delay, after the timer has ended. */
    void endAll() {
        begun.keySet().forEach(this::complete);
    }
}
