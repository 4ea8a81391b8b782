// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.AdditionalThreads;
import io.memshard.client.link.CompletingThreads;
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
 * <p>Threading: thread-safe. {@link CompletingThreads} complete the futures, whose stages may block.
 *
 * <p>Failure: every delay ends. After {@link #endAll} a delay ends at once.
 */
final class Delays {

    private static final int TICKS_BETWEEN_LOOKS = 20;

    private final Timer timer;
    private final CompletingThreads<CompletableFuture<@Nullable Void>> threads;

    /**
     * Delays that have begun and not ended, with the {@link System#nanoTime()} of their ends. A delay is added before
     * it is scheduled on the timer, so that {@link #endAll} finds it.
     */
    private final Map<CompletableFuture<@Nullable Void>, Long> begun = new ConcurrentHashMap<>();

    /** Number of ticks. Confined to the timer. */
    private int ticks;

    Delays(Timer timer, Executor own, AdditionalThreads additional) {
        this.timer = timer;
        threads = new CompletingThreads<>(own, additional, this::complete);
    }

    /** Returns a future that completes after {@code nanos}, or when the group is closed. */
    CompletableFuture<@Nullable Void> begin(long nanos) {
        CompletableFuture<@Nullable Void> delay = new CompletableFuture<>();
        begun.put(delay, System.nanoTime() + nanos);
        boolean scheduled = false;
        try {
            timer.schedule(() -> pass(delay), nanos);
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

    private void pass(CompletableFuture<@Nullable Void> delay) {
        threads.add(delay);
        threads.start();
    }

    private void complete(CompletableFuture<@Nullable Void> delay) {
        delay.complete(null);
        remove(delay);
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Identity is intended.
    private void remove(CompletableFuture<@Nullable Void> delay) {
        begun.remove(delay);
    }

    /** Ends overdue delays, and starts threads where delays wait for one. Called by the timer. */
    void tick() {
        if (++ticks % TICKS_BETWEEN_LOOKS == 0 && !isCompleting()) {
            addLost(System.nanoTime());
        }
        threads.tick();
    }

    /** Ends the overdue delays that an Error has prevented from ending. Ending a delay twice is harmless. */
    private void addLost(long nowNanos) {
        begun.forEach((delay, end) -> {
            if (end - nowNanos <= 0) {
                threads.add(delay);
            }
        });
    }

    /** Returns whether ended delays wait for a thread that completes their futures. */
    boolean isCompleting() {
        return threads.backlog() > 0;
    }

    /** Ends every delay, after the timer has ended. Other threads complete the futures, unless none can be started. */
    void endAll() {
        begun.keySet().forEach(threads::add);
        threads.start();
    }
}
