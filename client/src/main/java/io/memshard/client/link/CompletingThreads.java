// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
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

/**
 * Queue of items whose futures have to be completed, and the threads that process the items. One usual thread takes the
 * items. While stages block this thread, {@link AdditionalThreads} take items too. Threading: thread-safe.
 *
 * <p>If an item has waited for two ticks, a tick starts up to three additional threads for each existing thread. If an
 * {@link Error} ends a thread, another thread takes its item.
 */
public final class CompletingThreads<T> {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    private static final int MORE_PER_THREAD = 3;

    private final Executor own;
    private final AdditionalThreads additional;
    private final Consumer<T> action;

    // Guarded by this object: all fields below.

    private final Deque<T> pending = new ArrayDeque<>();

    /** Size of {@link #pending}, for reads without the monitor. */
    private volatile int backlog;

    private final List<Runner> runners = new ArrayList<>();

    private @Nullable Runner first;

    private long added;

    /** Value of {@link #added} at the last tick. */
    private long addedBefore;

    /** Value of {@link #added} at the tick before the last one. */
    private long addedLongBefore;

    private long taken;

    /** Creates an instance without threads. {@code action} may block. A call that an Error ends is repeated. */
    public CompletingThreads(Executor own, AdditionalThreads additional, Consumer<T> action) {
        this.own = own;
        this.additional = additional;
        this.action = action;
    }

    public int backlog() {
        return backlog;
    }

    /** Adds an item. The caller must then call {@link #start}. */
    public synchronized void add(T item) {
        pending.add(item);
        added++;
        backlog = pending.size();
    }

    public void tick() {
        recoverLost();
        int wanted = wantedThreads();
        String slow = wanted > 0 ? applicationCode() : null;
        for (; wanted > 0; wanted--) {
            if (!startAdditional(slow)) {
                break;
            }
        }
        start();
    }

    private synchronized void recoverLost() {
        for (Iterator<Runner> each = runners.iterator(); each.hasNext(); ) {
            Runner runner = each.next();
            if (runner.task.isDone()) {
                T lost = runner.current;
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

    private synchronized int wantedThreads() {
        boolean late = taken < addedLongBefore;
        addedLongBefore = addedBefore;
        addedBefore = added;
        if (!late) {
            return 0;
        }
        Runner waited = first;
        if (waited != null && waited.thread == null) {
            // The thread may never start for lack of memory. The next tick finds the task done, and starts another.
            waited.task.cancel(false);
        }
        return Math.min(pending.size(), MORE_PER_THREAD * runners.size());
    }

    private synchronized @Nullable String applicationCode() {
        for (Runner runner : runners.subList(0, Math.min(runners.size(), MORE_PER_THREAD))) {
            String code = runner.current == null ? null : ApplicationCode.on(runner.thread);
            if (code != null) {
                return code;
            }
        }
        return null;
    }

    private boolean startAdditional(@Nullable String slow) {
        Runner more = null;
        boolean started = false;
        try {
            more = new Runner();
            add(more);
            started = additional.tryRun(more.task, slow);
        } catch (Throwable e) {
            LOG.error("cannot start an additional thread to complete futures; trying again", e);
        } finally {
            if (!started && more != null) {
                remove(more);
            }
        }
        return started;
    }

    /** Starts the usual thread if items wait and the thread does not run. If the start fails, the timer tries again. */
    public void start() {
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
            LOG.error("cannot start a thread to complete futures; trying again", e);
        }
    }

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

    private void forget(Runner runner) {
        if (first == runner) {
            first = null;
        }
    }

    private synchronized @Nullable T next(Runner runner) {
        T next = pending.poll();
        runner.thread = Thread.currentThread();
        runner.current = next;
        if (next == null) {
            remove(runner);
        } else {
            taken++;
            backlog = pending.size();
        }
        return next;
    }

    private final class Runner {

        final FutureTask<?> task = new FutureTask<>(this::takeAll, null);

        /** Null until the thread has started. Guarded by the enclosing object, like {@link #current}. */
        @Nullable
        Thread thread;

        /** Item that the thread has taken and may not have finished yet. */
        @Nullable
        T current;

        private void takeAll() {
            for (T next = next(this); next != null; next = next(this)) {
                action.accept(next);
            }
        }
    }
}
