// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.DaemonThread;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Thread of a client that ticks, and runs tasks after a delay.
 *
 * <p>Failure: the thread continues after any exception of a tick or a task. A task that throws runs again with the next
 * tick. An executor would have to allocate a task or a thread for this, and could therefore stop for lack of memory.
 * This loop allocates nothing.
 *
 * <p>Threading: thread-safe.
 */
final class Timer {

    static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Runnable tick;
    private final Thread thread = new DaemonThread(this::run, "memshard-timer");

    /** Tasks in the order of their due times. Guarded by this. */
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();

    private volatile boolean ended;

    /** Time of the next tick. Written by the timer's thread. */
    private long nextTickNanos = System.nanoTime() + TICK_NANOS;

    Timer(Runnable tick) {
        this.tick = tick;
    }

    void start() {
        thread.start();
    }

    /**
     * Runs an action after a delay.
     *
     * @param action the action, which must not block
     * @throws RejectedExecutionException if the timer was ended
     */
    Task schedule(Runnable action, long delayNanos) {
        Task task = new Task(action, System.nanoTime() + delayNanos);
        boolean isNext;
        synchronized (this) {
            if (ended) {
                throw new RejectedExecutionException("the client is closed");
            }
            tasks.add(task);
            isNext = tasks.peek() == task;
        }
        if (isNext) {
            LockSupport.unpark(thread);
        }
        return task;
    }

    private void run() {
        while (!ended) {
            try {
                // A set interrupt flag would end each wait at once.
                Thread.interrupted();
                if (System.nanoTime() - nextTickNanos >= 0) {
                    nextTickNanos = System.nanoTime() + TICK_NANOS;
                    tick.run();
                }
                for (Task due = nextDue(); due != null; due = nextDue()) {
                    run(due);
                }
                LockSupport.parkNanos(this, waitNanos());
            } catch (Throwable e) {
                // There may be no memory to log it.
            }
        }
    }

    private void run(Task task) {
        try {
            task.action.run();
            task.done = true;
        } finally {
            synchronized (this) {
                tasks.remove(task);
                if (!task.done) {
                    task.dueNanos = nextTickNanos;
                    task.begun = false;
                    // Allocates nothing: the queue has room, because the task was just removed.
                    tasks.add(task);
                }
            }
        }
    }

    private synchronized @Nullable Task nextDue() {
        Task first = tasks.peek();
        if (first == null || first.dueNanos - System.nanoTime() > 0) {
            return null;
        }
        first.begun = true;
        return first;
    }

    private synchronized long waitNanos() {
        Task first = tasks.peek();
        long next = first == null || first.dueNanos - nextTickNanos > 0 ? nextTickNanos : first.dueNanos;
        return next - System.nanoTime();
    }

    /** Stops ticking, and runs no further task. */
    synchronized void end() {
        ended = true;
        LockSupport.unpark(thread);
    }

    /** Waits until the current action and the thread have ended, or the deadline has passed. */
    void awaitEnd(long deadlineNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedJoin(thread, deadlineNanos - System.nanoTime());
    }

    /** Scheduled action. Threading: thread-safe. */
    final class Task implements Comparable<Task> {

        private final Runnable action;

        /**
         * Due time of the task. Changed only while the task is not queued. Guarded by the timer, like {@link #begun}.
         */
        private long dueNanos;

        private boolean begun;

        private volatile boolean done;

        Task(Runnable action, long dueNanos) {
            this.action = action;
            this.dueNanos = dueNanos;
        }

        /** Cancels the task; returns false if it has begun, or was cancelled before. */
        boolean cancel() {
            synchronized (Timer.this) {
                if (begun || done) {
                    return false;
                }
                done = true;
                tasks.remove(this);
                return true;
            }
        }

        /** Returns whether the task has run or was cancelled. */
        boolean isDone() {
            return done;
        }

        @Override
        public int compareTo(Task other) {
            return Long.signum(dueNanos - other.dueNanos);
        }
    }
}
