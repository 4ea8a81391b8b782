// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread of the client that takes exchanges one after the other, and {@link AdditionalThreads} that continue while it
 * is blocked.
 *
 * <p>Each tick checks whether an exchange that was added before the last two ticks still waits. If so, it starts three
 * additional threads for each existing thread.
 *
 * <p>Each thread records the exchange it has taken. If an Error ends the thread, another one takes this exchange.
 *
 * <p>Threading: thread-safe. Has one thread of the executor while exchanges wait, and additional ones.
 */
final class CompletingThreads {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** Number of additional threads started at a time for each existing thread. */
    private static final int MORE_PER_THREAD = 3;

    private final Executor own;
    private final AdditionalThreads additional;
    private final Consumer<Exchange<?>> action;

    // Guarded by this object: all fields below.

    /** Exchanges that no thread has taken, oldest first. */
    private final Deque<Exchange<?>> pending = new ArrayDeque<>();

    /** Number of pending exchanges, readable without the monitor. Written under the monitor of this object. */
    private volatile int backlog;

    /** Threads that take exchanges, including threads not started yet. */
    private final List<Runner> runners = new ArrayList<>();

    /** Runner whose thread is not an additional one; null if there is none. */
    private @Nullable Runner first;

    /** Number of exchanges ever added: until now, until the last tick, and until the tick before. */
    private long added;

    private long addedBefore;
    private long addedLongBefore;

    /** Number of exchanges ever taken. */
    private long taken;

    /**
     * Creates an instance without threads.
     *
     * @param own executor of the first thread; rejects it when the client is closed
     * @param action action called with each exchange; may block. It is called again if an Error ends it
     */
    CompletingThreads(Executor own, AdditionalThreads additional, Consumer<Exchange<?>> action) {
        this.own = own;
        this.additional = additional;
        this.action = action;
    }

    /** Returns the number of exchanges that wait for a thread. */
    int backlog() {
        return backlog;
    }

    /** Adds an exchange; {@link #start} must follow. */
    synchronized void add(Exchange<?> exchange) {
        pending.add(exchange);
        added++;
        backlog = pending.size();
    }

    /** Starts threads if exchanges wait, including exchanges that an Error has left. Called by the timer. */
    void tick() {
        recoverLost();
        for (int wanted = wantedThreads(); wanted > 0; wanted--) {
            if (!startAdditional()) {
                break;
            }
        }
        start();
    }

    /** Removes threads that have ended. An exchange that such a thread left unfinished becomes pending again. */
    private synchronized void recoverLost() {
        for (Iterator<Runner> each = runners.iterator(); each.hasNext(); ) {
            Runner runner = each.next();
            if (runner.task.isDone()) {
                Exchange<?> lost = runner.current;
                if (lost != null) {
                    pending.addFirst(lost);
                    runner.current = null;
                    taken--;
                    backlog = pending.size();
                }
                each.remove();
                forget(runner);
            }
        }
    }

    /** Returns the number of additional threads to start now. */
    private synchronized int wantedThreads() {
        boolean late = taken < addedLongBefore;
        addedLongBefore = addedBefore;
        addedBefore = added;
        if (!late) {
            return 0;
        }
        Runner waited = first;
        if (waited != null && !waited.begun) {
            // Its thread may never start for lack of memory. The next tick finds the task done, and another thread is
            // started.
            waited.task.cancel(false);
        }
        return Math.min(pending.size(), MORE_PER_THREAD * runners.size());
    }

    private boolean startAdditional() {
        Runner more = null;
        boolean started = false;
        try {
            more = new Runner();
            add(more);
            started = additional.tryRun(more.task);
        } catch (Throwable e) {
            LOG.error("no additional thread to complete futures; it is tried again", e);
        } finally {
            if (!started && more != null) {
                remove(more);
            }
        }
        return started;
    }

    /** Starts a thread if exchanges wait and none is running. If this fails, the timer tries again. */
    void start() {
        Runner starting = null;
        try {
            starting = newFirst();
            if (starting != null) {
                own.execute(starting.task);
            }
        } catch (RejectedExecutionException e) {
            // The client is closed, and its threads have ended.
            if (starting != null) {
                starting.task.run();
            }
        } catch (Throwable e) {
            if (starting != null) {
                remove(starting);
            }
            LOG.error("no thread to complete futures; trying again", e);
        }
    }

    /** Returns the thread to start; null if one is already running or nothing is pending. */
    private synchronized @Nullable Runner newFirst() {
        if (pending.isEmpty() || (first != null && !first.task.isDone())) {
            return null;
        }
        Runner starting = new Runner();
        add(starting);
        first = starting;
        return starting;
    }

    private synchronized void add(Runner runner) {
        runners.add(runner);
    }

    private synchronized void remove(Runner runner) {
        runners.remove(runner);
        forget(runner);
    }

    /** Called under the monitor of this object. */
    private void forget(Runner runner) {
        if (first == runner) {
            first = null;
        }
    }

    /**
     * Returns the next exchange for a thread, which has finished its last one. Removes the thread and returns null if
     * none is pending.
     */
    private synchronized @Nullable Exchange<?> next(Runner runner) {
        Exchange<?> next = pending.poll();
        runner.begun = true;
        runner.current = next;
        if (next == null) {
            remove(runner);
        } else {
            taken++;
            backlog = pending.size();
        }
        return next;
    }

    /** Task of a thread: takes pending exchanges until none is left. */
    private final class Runner {

        final FutureTask<?> task = new FutureTask<>(this::takeAll, null);

        /** True once the thread has started. Guarded by the monitor of the enclosing object, like {@link #current}. */
        boolean begun;

        /** Exchange that the thread has taken and may not have finished yet. */
        @Nullable
        Exchange<?> current;

        private void takeAll() {
            for (Exchange<?> next = next(this); next != null; next = next(this)) {
                action.accept(next);
            }
        }
    }
}
