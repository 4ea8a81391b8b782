// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.DaemonThread;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Thread of a client that ticks, and runs tasks after a delay. Threading: thread-safe.
 *
 * <p>Failure: the thread continues 50 ms after any exception of a tick or a task. A task that throws runs again with
 * the next tick. The thread of an executor would end, and memory might be insufficient for another.
 */
final class Timer {

    static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Runnable tick;
    private final Thread thread = new DaemonThread(this::run, "memshard-timer");
    private final DelayQueue<Task> tasks = new DelayQueue<>();
    private volatile boolean ended;

    /** Confined to the timer's thread. */
    private long nextTickNanos = System.nanoTime() + TICK_NANOS;

    Timer(Runnable tick) {
        this.tick = tick;
    }

    void start() {
        thread.start();
    }

    /** Runs an action after a delay. The action must not block. Throws an exception once the timer has ended. */
    Task schedule(Runnable action, long delayNanos) {
        if (ended) {
            throw new RejectedExecutionException("the client is closed");
        }
        Task task = new Task(action, System.nanoTime() + delayNanos);
        tasks.add(task);
        return task;
    }

    private void run() {
        boolean failed = false;
        while (!ended) {
            try {
                if (failed) {
                    failed = false;
                    LockSupport.parkNanos(this, TICK_NANOS);
                }
                if (System.nanoTime() - nextTickNanos >= 0) {
                    nextTickNanos = System.nanoTime() + TICK_NANOS;
                    tick.run();
                }
                Task due = tasks.poll(nextTickNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (due != null) {
                    run(due);
                }
            } catch (Throwable e) {
                // Not logged, because memory may be insufficient. The interrupt by end() also leads here.
                failed = !ended;
            }
        }
    }

    private void run(Task task) {
        boolean isQueued = false;
        try {
            task.action.run();
        } catch (Throwable e) {
            task.dueNanos = nextTickNanos;
            isQueued = tasks.add(task);
        } finally {
            if (!isQueued) {
                task.done = true;
            }
        }
    }

    void end() {
        ended = true;
        thread.interrupt();
    }

    void awaitEnd(long deadlineNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedJoin(thread, deadlineNanos - System.nanoTime());
    }

    final class Task implements Delayed {

        private final Runnable action;

        /** Changed only while the task is not queued. */
        private long dueNanos;

        private volatile boolean done;

        Task(Runnable action, long dueNanos) {
            this.action = action;
            this.dueNanos = dueNanos;
        }

        /** Returns false if the task has begun or was cancelled before. */
        boolean cancel() {
            boolean cancelled = tasks.remove(this);
            if (cancelled) {
                done = true;
            }
            return cancelled;
        }

        boolean isDone() {
            return done;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(dueNanos - ((Task) other).dueNanos);
        }
    }
}
