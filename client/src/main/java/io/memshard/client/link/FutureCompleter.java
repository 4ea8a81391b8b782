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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes futures one after the other, on a thread that nobody waits for. What depends on them may block. Then
 * {@link SpareThreads} go on with the others, so that no future is completed long after its time.
 *
 * <p>Each tick looks whether a future that was there two ticks ago still waits. If so, it starts three spare threads
 * for each thread that is there. They take every future that waits. With an executor of the application they take only
 * those whose time is over, because the application has chosen how many threads run its stages.
 *
 * <p>A thread notes which future it has taken. So a future whose thread an Error ends is completed by another.
 *
 * <p>Threading: thread-safe. Has one thread of the executor while there are futures to complete, and spare ones.
 */
public final class FutureCompleter {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** Ticks of 50 ms: 5 s. */
    private static final int OVERDUE_TICKS = 100;

    /** How many spare threads are started at a time for each thread that is there. */
    private static final int SPARES_FOR_EACH = 3;

    private final Executor executor;
    private final Executor own;
    private final SpareThreads spares;

    // Guarded by this, all of the following.

    /** The exchanges that no thread has taken, oldest first. */
    private final Deque<Exchange<?>> pending = new ArrayDeque<>();

    /** How many are pending, for threads that do not wait to read it. Written under the monitor of this. */
    private volatile int backlog;

    /** The threads that complete, those to come included. */
    private final List<Runner> runners = new ArrayList<>();

    /** The one of these that takes whatever is pending; null if there is none. */
    private @Nullable Runner first;

    /** How many ticks that one has not begun for. */
    private int ticksWaited;

    /** How many exchanges were added since the beginning: by now, by the last tick, and by the one before. */
    private long added;

    private long addedBefore;
    private long addedLongBefore;

    /** How many of them were taken. */
    private long taken;

    /**
     * A completer by threads of {@code own}, or of {@code executor} if that is another.
     *
     * @param executor the application's. It may reject or drop a task, run it on the thread that submits it, or let it
     *     wait. So it is a thread of {@code own} that submits it.
     */
    public FutureCompleter(Executor executor, Executor own, SpareThreads spares) {
        this.executor = executor;
        this.own = own;
        this.spares = spares;
    }

    /** How many futures wait to be completed, because what depends on others takes its time. */
    public int backlog() {
        return backlog;
    }

    /** Completes the futures of {@code exchanges}, where there are some. */
    public void complete(List<Exchange<?>> exchanges) {
        synchronized (this) {
            for (Exchange<?> exchange : exchanges) {
                if (exchange.hasFuture() && !exchange.isPassedOn()) {
                    exchange.release();
                    pending.add(exchange);
                    exchange.passOn();
                    added++;
                }
            }
            backlog = pending.size();
        }
        startFirst();
    }

    /**
     * Starts spare threads where futures wait. Completes the futures for which no thread could be started, or whose
     * thread an Error has ended, or whose task the application's executor has not begun for long. The timer's call.
     */
    public void tick() {
        takeBackLost();
        FutureTask<?> overdue = overdue();
        if (overdue != null) {
            LOG.warn("the completionExecutor has not begun a task for long, so the client's own thread takes it");
            try {
                own.execute(overdue);
            } catch (RejectedExecutionException e) {
                overdue.run();
            }
        }
        for (int wanted = sparesWanted(System.nanoTime()); wanted > 0; wanted--) {
            if (!startSpare()) {
                break;
            }
        }
        startFirst();
    }

    /** Takes back what threads had that have ended before they had completed it. */
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

    private synchronized @Nullable FutureTask<?> overdue() {
        Runner waited = first;
        if (waited == null || waited.begun) {
            ticksWaited = 0;
            return null;
        }
        ticksWaited++;
        return ticksWaited == OVERDUE_TICKS ? waited.task : null;
    }

    /** How many spare threads to start now. */
    private synchronized int sparesWanted(long nowNanos) {
        boolean late = taken < addedLongBefore;
        addedLongBefore = addedBefore;
        addedBefore = added;
        if (!late) {
            return 0;
        }
        long takeable = executor == own
                ? pending.size()
                : pending.stream().filter(each -> each.isDue(nowNanos)).count();
        return (int) Math.min(takeable, (long) SPARES_FOR_EACH * runners.size());
    }

    private boolean startSpare() {
        Runner spare = new Runner(executor != own);
        boolean started = false;
        try {
            add(spare);
            started = spares.tryRun(spare.task);
        } catch (Throwable e) {
            LOG.error("no spare thread to complete futures; it is tried again", e);
        } finally {
            if (!started) {
                remove(spare);
            }
        }
        return started;
    }

    private void startFirst() {
        Runner starting = null;
        try {
            starting = newFirst();
            if (starting != null) {
                execute(starting.task);
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

    private void execute(Runnable task) {
        if (executor == own) {
            own.execute(task);
        } else {
            own.execute(() -> {
                try {
                    executor.execute(task);
                } catch (RejectedExecutionException e) {
                    task.run();
                }
            });
        }
    }

    /** The thread to come; null if none is wanted, because one is there or nothing is pending. */
    private synchronized @Nullable Runner newFirst() {
        if (pending.isEmpty() || (first != null && !first.task.isDone())) {
            return null;
        }
        Runner starting = new Runner(false);
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

    /** The next exchange for a thread, which has completed its last; null, and the thread is forgotten, if none is. */
    private synchronized @Nullable Exchange<?> next(Runner runner) {
        Exchange<?> next = runner.takesDueOnly ? oldestDue(System.nanoTime()) : pending.peek();
        runner.begun = true;
        runner.current = next;
        if (next == null) {
            remove(runner);
        } else {
            pending.remove(next);
            taken++;
            backlog = pending.size();
        }
        return next;
    }

    /** Guarded by this. */
    private @Nullable Exchange<?> oldestDue(long nowNanos) {
        for (Exchange<?> each : pending) {
            if (each.isDue(nowNanos)) {
                return each;
            }
        }
        return null;
    }

    private static void complete(Exchange<?> exchange) {
        try {
            exchange.completeFuture();
        } catch (Throwable e) {
            LOG.error("{}: a future could not be completed; it is tried again", exchange.context, e);
            exchange.completeFuture();
        }
    }

    /** A thread that completes what is pending, until nothing is. */
    private final class Runner {

        final boolean takesDueOnly;
        final FutureTask<?> task = new FutureTask<>(this::completeAll, null);

        /** Guarded by the completer. */
        boolean begun;

        /** What it has taken and perhaps not completed yet. Guarded by the completer. */
        @Nullable
        Exchange<?> current;

        Runner(boolean takesDueOnly) {
            this.takesDueOnly = takesDueOnly;
        }

        private void completeAll() {
            for (Exchange<?> next = next(this); next != null; next = next(this)) {
                complete(next);
            }
        }
    }
}
