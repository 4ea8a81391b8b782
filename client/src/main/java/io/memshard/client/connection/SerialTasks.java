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
 * Tasks that run one after the other, on a thread of an executor while tasks exist.
 *
 * <p>Threading: thread-safe. The thread looks for the next task, and gives itself up if there is none, under the
 * monitor of this. So a task that is added finds a thread that will look again, or starts another.
 *
 * <p>Failure: where no thread can be started, or an Error ends it, the next {@link #start} has another go on.
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
     * @param most how many may wait
     */
    SerialTasks(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    /** Adds a task; returns false if too many wait. */
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

    /** Starts a thread if tasks wait and none runs them. Called by the timer, too. */
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
