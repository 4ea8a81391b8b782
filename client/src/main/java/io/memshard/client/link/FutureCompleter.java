// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Completer of futures. It uses neither callers' threads nor I/O threads, because dependent stages may block.
 * Threading: thread-safe.
 *
 * <p>Without an executor of the application, {@link CompletingThreads} complete the futures. With an executor, these
 * threads submit a task for each future, so that no stage delays another. If the executor rejects a task, the
 * submitting thread runs it. If a task has not started when the timeout of its future expires, threads of the client
 * complete the future.
 *
 * <p>{@link Exchange#completeFuture} lets only one thread complete a future. No future is lost: a task stays in {@link
 * #submitted} until its future is completed or its timeout has expired, and each tick checks these tasks.
 */
public final class FutureCompleter {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    private final @Nullable Executor executor;
    private final AdditionalThreads additional;

    /** Threads of the executor that are completing a future now, for all completers of the client. */
    private final Set<Thread> completing;

    /** Threads that complete the futures or, with an executor, submit the tasks. */
    private final CompletingThreads<Exchange<?>> threads;

    /** Threads that complete overdue futures; without an executor, the same object as {@link #threads}. */
    private final CompletingThreads<Exchange<?>> overdue;

    /** Submitted tasks whose future is neither completed nor overdue. */
    private final Set<Task> submitted = ConcurrentHashMap.newKeySet();

    private final AtomicInteger waiting = new AtomicInteger();

    /** Creates a completer without threads. The {@code executor} may reject, drop or run tasks, or block. */
    public FutureCompleter(
            @Nullable Executor executor, Executor own, AdditionalThreads additional, Set<Thread> completing) {
        this.executor = executor;
        this.additional = additional;
        this.completing = completing;
        overdue = new CompletingThreads<>(own, additional, FutureCompleter::complete);
        threads = executor == null ? overdue : new CompletingThreads<>(own, additional, this::submit);
    }

    public int backlog() {
        return executor == null ? threads.backlog() : threads.backlog() + waiting.get() + overdue.backlog();
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
        if (executor != null) {
            long now = System.nanoTime();
            submitted.removeIf(task -> isTakenFrom(task, now));
            overdue.tick();
        }
        threads.tick();
    }

    /** Lets the client complete an overdue future. Returns whether the task no longer needs the executor. */
    private boolean isTakenFrom(Task task, long nowNanos) {
        boolean waits = task.exchange.hasFuture();
        if (task.isRunning() || (waits && !task.exchange.isDue(nowNanos))) {
            return false;
        }
        if (waits) {
            additional.logUse("the completionExecutor does not run tasks in time: "
                    + (executor == null ? null : executor.getClass().getName()));
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
            // Usually the executor has rejected the task. A second run has no effect.
            task.run();
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

    private final class Task implements Runnable {

        final Exchange<?> exchange;
        private final AtomicBoolean begun = new AtomicBoolean();
        private volatile boolean running;

        Task(Exchange<?> exchange) {
            this.exchange = exchange;
        }

        void begin() {
            if (begun.compareAndSet(false, true)) {
                waiting.decrementAndGet();
            }
        }

        boolean isRunning() {
            return running;
        }

        @Override
        public void run() {
            boolean isOuter = completing.add(Thread.currentThread());
            running = true;
            try {
                begin();
                complete(exchange);
                submitted.remove(this);
            } finally {
                // If an Error ends this method, the timer lets another thread complete the future.
                running = false;
                if (isOuter) {
                    completing.remove(Thread.currentThread());
                }
            }
        }
    }
}
