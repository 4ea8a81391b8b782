// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that run one after the other, on a thread that an executor provides while tasks exist.
 *
 * <p>Threading: thread-safe. The thread takes the next task, or stops if there is none, under the monitor of this
 * object. An added task therefore either finds a thread that will check again, or starts another one.
 *
 * <p>Failure: if no thread can be started, or an Error ends the thread, the next {@link #start} starts another one.
 */
final class SerialTasks {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final Executor threads;
    private final int most;

    /** Guarded by this. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    /** Runner of the tasks; null if none runs. Guarded by this. */
    private @Nullable FutureTask<?> worker;

    /**
     * Creates an empty queue of tasks.
     *
     * @param most the maximum number of waiting tasks
     */
    SerialTasks(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    /** Adds a task. Returns false if too many tasks wait. */
    boolean offer(Runnable task) {
        synchronized (this) {
            if (waiting.size() >= most) {
                return false;
            }
            waiting.add(task);
        }
        start();
        return true;
    }

    /** Returns whether no task waits. */
    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Starts a thread if tasks wait and no thread runs them. Also called by the timer. */
    void start() {
        FutureTask<?> starting = null;
        try {
            starting = newWorker();
            if (starting != null) {
                threads.execute(starting);
            }
        } catch (Throwable e) {
            // The client is closed, or no thread can be started now.
            if (starting != null) {
                starting.cancel(false);
            }
        }
    }

    private synchronized @Nullable FutureTask<?> newWorker() {
        if (waiting.isEmpty() || (worker != null && !worker.isDone())) {
            return null;
        }
        worker = new FutureTask<>(this::runAll, null);
        return worker;
    }

    private void runAll() {
        for (Runnable next = next(); next != null; next = next()) {
            try {
                next.run();
            } catch (Throwable e) {
                LOG.warn("a task failed, and the next goes on", e);
            }
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = waiting.poll();
        if (next == null) {
            worker = null;
        }
        return next;
    }
}
