// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queue of items, and the threads that complete their futures. Usually one thread takes all items. If an item waits
 * from one tick of the timer to the next, more threads start. If an {@link Error} ends a thread, a tick queues its item
 * again. Threading: thread-safe.
 */
public final class CompletingThreads<T> {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    static final int MAX_THREADS = 256;

    private static final int MORE_PER_THREAD = 3;
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ThreadPoolExecutor threads;
    private final Consumer<T> action;

    // Guarded by this object: all fields below, and Runner.current.
    private final Deque<T> pending = new ArrayDeque<>();
    private volatile int backlog;
    private final List<Runner> runners = new ArrayList<>();

    private long added;
    private long taken;
    private long addedAtLastTick;
    private long nextLogNanos = System.nanoTime();

    public CompletingThreads(ThreadPoolExecutor threads, Consumer<T> action) {
        this.threads = threads;
        this.action = action;
    }

    public int backlog() {
        return backlog;
    }

    public synchronized void add(T item) {
        pending.add(item);
        added++;
        backlog = pending.size();
    }

    public void start() {
        startThread(true);
    }

    public void tick() {
        recoverLost();
        for (int missing = missingThreads(); missing > 0; missing--) {
            startThread(false);
        }
        start();
    }

    private synchronized void recoverLost() {
        for (Runner runner : List.copyOf(runners)) {
            if (runner.task.isDone()) {
                if (runner.current != null) {
                    pending.addFirst(runner.current);
                    taken--;
                    runner.current = null;
                    backlog = pending.size();
                }
                remove(runner);
            }
        }
    }

    private synchronized int missingThreads() {
        boolean isLate = taken < addedAtLastTick;
        addedAtLastTick = added;
        int most = isLate ? Math.min(pending.size(), MORE_PER_THREAD * runners.size()) : 0;
        long now = System.nanoTime();
        if (most > 0 && runners.size() > 1 && now - nextLogNanos >= 0) {
            nextLogNanos = now + LOG_INTERVAL_NANOS;
            LOG.warn(
                    "functions attached to futures block {} threads that complete futures, so the client starts"
                            + " more threads: run slow functions on an executor of the application, as in"
                            + " thenApplyAsync(function, executor)",
                    runners.size());
        }
        return most == 0 ? 0 : Math.min(most, MAX_THREADS - threads.getActiveCount());
    }

    private void startThread(boolean onlyIfNone) {
        Runner runner = null;
        boolean started = false;
        try {
            runner = newRunner(onlyIfNone);
            if (runner != null) {
                threads.execute(runner.task);
            }
            started = true;
        } catch (RejectedExecutionException e) {
            // The client is closed, and its threads have ended.
            if (runner != null) {
                runner.task.run();
            }
            started = true;
        } catch (Throwable e) {
            LOG.error("cannot start a thread that completes futures; trying again", e);
        } finally {
            if (!started && runner != null) {
                remove(runner);
            }
        }
    }

    private synchronized @Nullable Runner newRunner(boolean onlyIfNone) {
        if (pending.isEmpty() || (onlyIfNone && !runners.isEmpty())) {
            return null;
        }
        Runner runner = new Runner();
        runners.add(runner);
        return runner;
    }

    private synchronized void remove(Runner runner) {
        runners.remove(runner);
    }

    private synchronized @Nullable T next(Runner runner) {
        T next = pending.poll();
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

        @Nullable
        T current;

        private void takeAll() {
            for (T next = next(this); next != null; next = next(this)) {
                action.accept(next);
            }
        }
    }
}
