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
 * A thread of the client that takes exchanges one after the other, and {@link AdditionalThreads} that continue where it
 * blocks.
 *
 * <p>Each tick looks whether an exchange that was there two ticks ago still waits. If so, it starts three
 * additional threads for each thread that is there.
 *
 * <p>A thread notes which exchange it has taken. So one whose thread an Error ends is taken by another.
 *
 * <p>Threading: thread-safe. Has one thread of the executor while exchanges wait, and additional ones.
 */
final class CompletingThreads {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** Number of additional threads started at a time for each thread that is there. */
    private static final int MORE_PER_THREAD = 3;

    private final Executor own;
    private final AdditionalThreads additional;
    private final Consumer<Exchange<?>> action;

    // Guarded by this, all of the following.

    /** The exchanges that no thread has taken, oldest first. */
    private final Deque<Exchange<?>> pending = new ArrayDeque<>();

    /** How many are pending, for threads that do not wait to read it. Written under the monitor of this. */
    private volatile int backlog;

    /** The threads that take exchanges, those to come included. */
    private final List<Runner> runners = new ArrayList<>();

    /** The one of these that is not an additional one; null if there is none. */
    private @Nullable Runner first;

    /** How many exchanges were added since the beginning: by now, by the last tick, and by the one before. */
    private long added;

    private long addedBefore;
    private long addedLongBefore;

    /** How many of them were taken. */
    private long taken;

    /**
     * No threads yet.
     *
     * @param own runs them; rejects them when the client is closed
     * @param action done with each exchange; it may block. Done again if an Error ends it
     */
    CompletingThreads(Executor own, AdditionalThreads additional, Consumer<Exchange<?>> action) {
        this.own = own;
        this.additional = additional;
        this.action = action;
    }

    /** How many exchanges wait for a thread. */
    int backlog() {
        return backlog;
    }

    /** Adds an exchange; {@link #start} must follow. */
    synchronized void add(Exchange<?> exchange) {
        pending.add(exchange);
        added++;
        backlog = pending.size();
    }

    /** Starts threads where exchanges wait, and a thread for exchanges that an Error has left. The timer's call. */
    void tick() {
        takeBackLost();
        for (int wanted = wantedThreads(); wanted > 0; wanted--) {
            if (!startAdditional()) {
                break;
            }
        }
        start();
    }

    /** Takes back what threads had that have ended before they were done with it. */
    private synchronized void takeBackLost() {
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
            // For lack of memory its thread may never begin. The next tick finds it done, and another is started.
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

    /** Starts a thread, if exchanges wait and none is there. If that fails, the timer tries again. */
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
            LOG.error("no thread to complete futures; it is tried again", e);
        }
    }

    /** The thread to come; null if none is wanted, because one is there or nothing is pending. */
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

    /** Guarded by this. */
    private void forget(Runner runner) {
        if (first == runner) {
            first = null;
        }
    }

    /** The next exchange for a thread, which is done with its last; null, and the thread is forgotten, if none is. */
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

    /** A thread that takes what is pending, until nothing is. */
    private final class Runner {

        final FutureTask<?> task = new FutureTask<>(this::takeAll, null);

        /** Guarded by the threads' monitor, as what follows. */
        boolean begun;

        /** What it has taken and perhaps is not done with yet. */
        @Nullable
        Exchange<?> current;

        private void takeAll() {
            for (Exchange<?> next = next(this); next != null; next = next(this)) {
                action.accept(next);
            }
        }
    }
}
