// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes futures on a thread that nobody waits for. What depends on them may block.
 *
 * <p>Without an executor of the application, {@link CompletingThreads} complete them. With one, each future is a task
 * of its own, and these threads only submit the tasks. So the executor alone decides how many stages run at a time. No
 * stage waits for another, but for a thread of the executor.
 *
 * <p>A task that the executor refuses is run by the thread that submits it. One that has not begun when the time of its
 * future is over is left to threads of the client. So an executor that is slow, blocked, or drops tasks makes no future
 * late.
 *
 * <p>No future is completed twice, because {@link Exchange#completeFuture} lets one thread complete it. No future is
 * lost: a task stays in {@link #submitted} until its future was completed, and each tick looks there.
 *
 * <p>Threading: thread-safe.
 */
public final class FutureCompleter {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    private final @Nullable Executor executor;
    private final AdditionalThreads additional;

    /** Completes futures, or submits the tasks that do. */
    private final CompletingThreads threads;

    /** Completes what the executor has not begun in time; the same as {@link #threads} where there is no executor. */
    private final CompletingThreads overdue;

    /** The tasks that were submitted to the executor and have not ended. */
    private final Set<Task> submitted = ConcurrentHashMap.newKeySet();

    /** How many of them have not begun. */
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * A completer without threads.
     *
     * @param executor the application's, which may reject or drop a task, run it on the thread that submits it, or let
     *     that thread wait; null to complete futures by threads of {@code own}
     */
    public FutureCompleter(@Nullable Executor executor, Executor own, AdditionalThreads additional) {
        this.executor = executor;
        this.additional = additional;
        overdue = new CompletingThreads(own, additional, FutureCompleter::complete);
        threads = executor == null ? overdue : new CompletingThreads(own, additional, this::submit);
    }

    /** How many futures wait for a thread that completes them, because what depends on others takes its time. */
    public int backlog() {
        return executor == null ? threads.backlog() : threads.backlog() + waiting.get() + overdue.backlog();
    }

    /** Completes the futures of {@code exchanges}, where there are some. */
    public void complete(List<Exchange<?>> exchanges) {
        for (Exchange<?> exchange : exchanges) {
            if (exchange.hasFuture() && !exchange.isPassedOn()) {
                exchange.release();
                threads.add(exchange);
                exchange.passOn();
            }
        }
        threads.start();
    }

    /**
     * Starts additional threads where futures wait, and completes the futures that the application's executor has left. The
     * timer's call.
     */
    public void tick() {
        if (executor != null) {
            long now = System.nanoTime();
            submitted.removeIf(task -> isTakenFrom(task, now));
            overdue.tick();
        }
        threads.tick();
    }

    /** Whether the executor is not waited for any more: the future is completed, or left to threads of the client. */
    private boolean isTakenFrom(Task task, long nowNanos) {
        boolean waits = task.exchange.hasFuture();
        if (task.isRunning() || (waits && !task.exchange.isDue(nowNanos))) {
            return false;
        }
        if (waits) {
            additional.logUse();
            overdue.add(task.exchange);
        }
        task.begin();
        return true;
    }

    private void submit(Exchange<?> exchange) {
        Task task = new Task(exchange);
        waiting.incrementAndGet();
        try {
            submitted.add(task);
            if (executor != null) {
                executor.execute(task);
            }
        } catch (Throwable e) {
            // Mostly a rejection. If the executor has run the task all the same, this does nothing.
            task.run();
        }
    }

    private static void complete(Exchange<?> exchange) {
        try {
            exchange.completeFuture();
        } catch (Throwable e) {
            LOG.error("{}: a future could not be completed; it is tried again", exchange.context, e);
            exchange.completeFuture();
        }
    }

    /** A future that is to be completed by the application's executor. */
    private final class Task implements Runnable {

        final Exchange<?> exchange;
        private final AtomicBoolean begun = new AtomicBoolean();
        private volatile boolean running;

        Task(Exchange<?> exchange) {
            this.exchange = exchange;
        }

        /** Tells that it waits no more. */
        void begin() {
            if (begun.compareAndSet(false, true)) {
                waiting.decrementAndGet();
            }
        }

        /** Whether a thread completes the future now, or runs what depends on it. */
        boolean isRunning() {
            return running;
        }

        @Override
        public void run() {
            running = true;
            try {
                begin();
                complete(exchange);
                submitted.remove(this);
            } finally {
                // After an Error the timer sees to the rest.
                running = false;
            }
        }
    }
}
