// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.ClientThread;
import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.link.CompletingThreads;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.listener.ConnectionListener;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads of a client except its event loops. Threading: thread-safe.
 *
 * <p>When the client is closed, the closing thread does the timer's work until the futures of failed commands have
 * completed. Attempts to connect end before the event loops, because a failed attempt closes its socket on an event
 * loop.
 */
final class ClientThreads {

    private static final ClientLog LOG = ClientLog.of(ClientThreads.class);

    static final long IDLE_SECONDS = 5;
    static final int MAX_CONNECTORS = 64;

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ConnectionGroup owner;
    private final @Nullable Executor completionExecutor;
    private final Thread timer = new DaemonThread(this::runTimer, "memshard-timer");
    private final DelayQueue<Pause> pauses = new DelayQueue<>();
    private volatile boolean ended;

    private final AtomicLong attempts = new AtomicLong();

    /** Connections with fewer failures go first, so that dead servers do not delay other servers. */
    private final ThreadPoolExecutor connectors = new ThreadPoolExecutor(
            MAX_CONNECTORS,
            MAX_CONNECTORS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            DaemonThread.factory("memshard-connect"));

    private final ThreadPoolExecutor completers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThread.factory("memshard-complete"));

    /** Threads of the application's executor that are completing futures of this client. */
    private final Set<Thread> completing = ConcurrentHashMap.newKeySet();

    private final CompletingThreads<Pause> endedPauses =
            new CompletingThreads<>(completers, pause -> pause.complete(null));
    final Announcer announcer;
    private final AtomicBoolean ending = new AtomicBoolean();

    ClientThreads(ConnectionGroup owner, @Nullable Executor completionExecutor, @Nullable ConnectionListener listener) {
        this.owner = owner;
        this.completionExecutor = completionExecutor;
        connectors.allowCoreThreadTimeOut(true);
        announcer = new Announcer(listener);
    }

    void start() {
        timer.start();
    }

    /** Runs on after any exception, because the JVM may lack the memory to start another timer. */
    private void runTimer() {
        long nextTickNanos = System.nanoTime() + TICK_NANOS;
        Pause due = null;
        boolean failed = false;
        while (!ended || due != null) {
            try {
                if (failed) {
                    failed = false;
                    LockSupport.parkNanos(this, TICK_NANOS);
                }
                if (System.nanoTime() - nextTickNanos >= 0) {
                    nextTickNanos = System.nanoTime() + TICK_NANOS;
                    tick();
                }
                if (due == null) {
                    due = pauses.poll(nextTickNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                }
                if (due != null) {
                    endedPauses.add(due);
                    due = null;
                    endedPauses.start();
                }
            } catch (Throwable e) {
                // Not logged, because memory may be insufficient. The interrupt by end() also leads here.
                failed = !ended;
            }
        }
    }

    Future<?> connect(Runnable attempt, int failures) {
        Attempt task = new Attempt(attempt, failures, attempts.getAndIncrement());
        connectors.execute(task);
        return task;
    }

    private static final class Attempt extends FutureTask<@Nullable Void> implements Comparable<Attempt> {

        private final int failures;
        private final long number;

        Attempt(Runnable attempt, int failures, long number) {
            super(attempt, null);
            this.failures = failures;
            this.number = number;
        }

        @Override
        public int compareTo(Attempt other) {
            int byFailures = Integer.compare(failures, other.failures);
            return byFailures != 0 ? byFailures : Long.compare(number, other.number);
        }
    }

    /** Avoids the JDK's delayed executor, which would leak a class loader. */
    CompletableFuture<@Nullable Void> pause(long nanos) {
        Pause pause = new Pause(System.nanoTime() + nanos);
        pauses.add(pause);
        if (ended) {
            pause.complete(null);
        }
        return pause;
    }

    private static final class Pause extends CompletableFuture<@Nullable Void> implements Delayed {

        private final long endNanos;

        Pause(long endNanos) {
            this.endNanos = endNanos;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(endNanos - ((Pause) other).endNanos);
        }
    }

    FutureCompleter newFutureCompleter() {
        return new FutureCompleter(completionExecutor, completers, completing);
    }

    private void tick() {
        owner.tick();
        safely(this, () -> {
            endedPauses.tick();
            if (!connectors.getQueue().isEmpty()) {
                connectors.prestartCoreThread(); // An Error may have ended one.
            }
        });
    }

    static void safely(Object subject, Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            LOG.error("{}: an internal task of the client failed", subject, e);
        }
    }

    /** Ends all threads. Waits up to ten seconds for their end, unless called on one of them. */
    void end() {
        ended = true;
        timer.interrupt();
        pauses.forEach(endedPauses::add);
        endedPauses.start();
        connectors.shutdownNow();
        if (!isOwnThread()) {
            endInOrder();
        } else if (ending.compareAndSet(false, true)) {
            new DaemonThread(this::endInOrder, "memshard-close").start();
        }
    }

    boolean isOwnThread() {
        return ClientThread.isCurrent() || completing.contains(Thread.currentThread());
    }

    private void endInOrder() {
        long deadline = System.nanoTime() + SHUTDOWN_NANOS;
        await(nanos -> TimeUnit.NANOSECONDS.timedJoin(timer, nanos), deadline);
        await(this::completeFailed, deadline);
        await(nanos -> connectors.awaitTermination(nanos, TimeUnit.NANOSECONDS), deadline);
        safely(this, this::tick);
        safely(this, () -> owner.closeLinks(deadline));
        completers.shutdown();
        await(nanos -> completers.awaitTermination(nanos, TimeUnit.NANOSECONDS), deadline);
        announcer.thread.shutdown();
        await(nanos -> announcer.thread.awaitTermination(nanos, TimeUnit.NANOSECONDS), deadline);
        ClientLog.awaitWritten(deadline);
    }

    private void completeFailed(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        while ((owner.isCompleting() || endedPauses.backlog() > 0) && deadline - System.nanoTime() > 0) {
            tick();
            completers.awaitTermination(TICK_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private interface Wait {
        void upTo(long nanos) throws InterruptedException;
    }

    private static void await(Wait wait, long deadlineNanos) {
        try {
            wait.upTo(deadlineNanos - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
