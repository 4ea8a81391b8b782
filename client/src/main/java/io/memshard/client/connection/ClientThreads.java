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
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Threads of a client except its event loops: the timer, and threads that connect, complete futures and call the
 * listener. All are daemons named {@code memshard-*}, which start when there is work. Threading: thread-safe.
 *
 * <h2>Order in which they end</h2>
 *
 * <p>The connections are closed first, so that no command is in flight and no attempt to connect starts.
 *
 * <ol>
 *   <li>The timer takes no more tasks, every pause ends, and attempts to connect are interrupted.
 *   <li>The futures of failed commands complete, if their stages return in time. Meanwhile the closing thread ticks in
 *       place of the timer, so that further threads start if a stage blocks.
 *   <li>The attempts to connect end. They close their sockets on the event loops, which therefore end later.
 *   <li>The closing thread ticks once more, to finish work that an {@link Error} interrupted. Then the event loops end,
 *       and the links release their sockets.
 *   <li>The threads that complete futures end. After another tick, the thread that calls the listener ends.
 *   <li>The log messages of this client are written.
 * </ol>
 *
 * <p>If a stage or a listener blocks a thread, the closing thread waits only until the deadline.
 */
final class ClientThreads {

    private static final ClientLog LOG = ClientLog.of(ClientThreads.class);

    private static final long IDLE_SECONDS = 5;

    static final int MAX_CONNECTORS = 64;

    private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ConnectionGroup owner;
    private final @Nullable Executor completionExecutor;
    private final Timer timer;
    private final AtomicLong attempts = new AtomicLong();

    /** Threads that connect. Attempts after fewer failures go first, so that dead servers delay no others. */
    private final ThreadPoolExecutor connectors = new ThreadPoolExecutor(
            MAX_CONNECTORS,
            MAX_CONNECTORS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            DaemonThread.factory("memshard-connect"));

    private final ThreadPoolExecutor racers = threads("memshard-connect");

    /** Threads that complete futures, of {@link CompletingThreads} for the pauses and for each connection. */
    private final ThreadPoolExecutor completers = threads("memshard-complete");

    /** Threads of the application's executor that are completing a future, and run its stages. */
    private final Set<Thread> completing = ConcurrentHashMap.newKeySet();

    private final Set<CompletableFuture<@Nullable Void>> pauses = ConcurrentHashMap.newKeySet();

    /** Queue of ended pauses, with threads that complete their futures, because stages may block. */
    private final CompletingThreads<CompletableFuture<@Nullable Void>> ended =
            new CompletingThreads<>(completers, this::complete);

    private final ThreadPoolExecutor listeners =
            DaemonThread.single("memshard-listener", Announcer.MAX_WAITING, IDLE_SECONDS);
    private final Announcer announcer;

    private final AtomicBoolean ending = new AtomicBoolean();

    /** Creates threads that are not started. {@code owner} does the timer's work, and closes event loops and links. */
    ClientThreads(ConnectionGroup owner, @Nullable Executor completionExecutor, @Nullable ConnectionListener listener) {
        this.owner = owner;
        this.completionExecutor = completionExecutor;
        timer = new Timer(this::tick);
        connectors.allowCoreThreadTimeOut(true);
        announcer = new Announcer(listener, listeners);
    }

    private static ThreadPoolExecutor threads(String name) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                DaemonThread.factory(name));
    }

    void start() {
        timer.start();
    }

    /** Runs a blocking attempt when a thread is free, after attempts with fewer failures. */
    Future<?> connect(Runnable attempt, int failures) {
        Attempt task = new Attempt(attempt, failures, attempts.getAndIncrement());
        connectors.execute(task);
        return task;
    }

    private static final class Attempt extends FutureTask<Void> implements Comparable<Attempt> {

        private final int failures;
        private final long number;

        @SuppressWarnings("NullAway") // There is no result.
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

    Timer.Task connectLater(Runnable start, long delayNanos) {
        return timer.schedule(start, delayNanos);
    }

    /**
     * Returns a future that completes after a pause, or when the client is closed. The JDK's delayed executor may start
     * a thread per task, and keeps a class loader of the application in memory.
     */
    CompletableFuture<@Nullable Void> pause(long nanos) {
        CompletableFuture<@Nullable Void> pause = new CompletableFuture<>();
        pauses.add(pause);
        try {
            timer.schedule(
                    () -> {
                        ended.add(pause);
                        ended.start();
                    },
                    nanos);
        } catch (RejectedExecutionException e) {
            complete(pause); // The client is closed.
        }
        return pause;
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Identity is intended.
    private void complete(CompletableFuture<@Nullable Void> pause) {
        pause.complete(null);
        pauses.remove(pause);
    }

    Executor racers() {
        return racers;
    }

    Announcer announcer() {
        return announcer;
    }

    FutureCompleter newFutureCompleter() {
        return new FutureCompleter(completionExecutor, completers, completing);
    }

    private void tick() {
        owner.tick();
        safely(this, () -> {
            ended.tick();
            if (!connectors.getQueue().isEmpty()) {
                connectors.prestartCoreThread(); // An Error may have ended one.
            }
        });
    }

    static void safely(Object subject, Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            LOG.error("{}: an internal task failed; the timer repeats its tasks", subject, e);
        }
    }

    /**
     * Ends every thread, and waits for up to about ten seconds. Called after all connections were closed. Idempotent.
     * Does not wait on a {@linkplain #isOwnThread thread of a client}.
     */
    void end() {
        timer.end();
        pauses.forEach(ended::add);
        ended.start();
        connectors.shutdownNow();
        racers.shutdownNow();
        if (!isOwnThread()) {
            endInOrder();
        } else if (ending.compareAndSet(false, true)) {
            new DaemonThread(this::endInOrder, "memshard-close").start();
        }
    }

    /** Returns whether the calling thread belongs to a client, or runs a stage on the application's executor. */
    boolean isOwnThread() {
        return ClientThread.isCurrent() || completing.contains(Thread.currentThread());
    }

    private void endInOrder() {
        long deadline = System.nanoTime() + SHUTDOWN_NANOS;
        try {
            timer.awaitEnd(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        awaitCompleted(deadline);
        awaitEnd(connectors, deadline);
        awaitEnd(racers, deadline);
        safely(this, this::tick);
        safely(this, () -> owner.closeLinks(deadline));
        completers.shutdown();
        awaitEnd(completers, deadline);
        safely(this, this::tick);
        listeners.shutdown();
        awaitEnd(listeners, deadline);
        ClientLog.awaitWritten(deadline);
    }

    private void awaitCompleted(long deadlineNanos) {
        try {
            while ((owner.isCompleting() || ended.backlog() > 0) && deadlineNanos - System.nanoTime() > 0) {
                tick();
                completers.awaitTermination(Timer.TICK_NANOS, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEnd(ThreadPoolExecutor executor, long deadlineNanos) {
        try {
            executor.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
