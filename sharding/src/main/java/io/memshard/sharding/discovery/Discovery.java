// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discovery of servers. Queries a {@link ServerSource} repeatedly, and calls a listener when the servers have changed.
 *
 * <p>The next query starts after the period, by default that of the source, plus a random delay of up to a tenth.
 * {@link #refreshNow} requests an earlier query. If the list has changed, a query also starts after the
 * {@code settleTime}. After a failed query, the next query starts within a second. Each further failure in a row
 * doubles this delay, up to the period.
 *
 * <p>A changed list is adopted, and passed to the listener, if all queries during the {@code settleTime} return this
 * list. A new address of a named server is adopted immediately.
 *
 * <p>Threading: thread-safe. One daemon thread, {@code memshard-discovery}, queries the source and calls the listener.
 * The first call of {@link #awaitServers} or {@link #onChange} starts the thread.
 *
 * <p>Failure: if a query fails or returns no servers, the current servers stay in use. In a series of failures, each
 * exception class is logged once. The first success after the failures is logged too.
 */
public final class Discovery implements AutoCloseable {

    /** Default time for which a change must persist before it is adopted. */
    public static final Duration DEFAULT_SETTLE_TIME = Duration.ofSeconds(5);

    /** Default timeout of a query of the source. */
    public static final Duration DEFAULT_LOOK_TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_SERVERS = 10_000;

    private static final String CLOSED = "the discovery is closed: create another Discovery";
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_DOUBLINGS = 16;
    private static final int MAX_REASON_CHARS = 300;
    private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

    private final ServerSource source;

    /** Text of the source in logs and metrics. For a lambda, the class that contains it, which is always the same. */
    private final String name;

    private final Duration lookTimeout;
    private final long periodNanos;
    private final ClientLog log;
    private final ScheduledThreadPoolExecutor executor;
    private final CountDownLatch firstList = new CountDownLatch(1);

    // Only the executor's thread uses the fields from here to the volatile ones.
    private final Damping damping;
    private final Set<Class<?>> loggedFailures = new HashSet<>();
    private long failingSinceNanos;
    private int failuresInARow;
    private @Nullable Future<?> nextLook;
    private long dueNanos;
    private long soonestNanos;

    private @Nullable Consumer<List<Server>> listener;
    private List<Server> notified = List.of();

    // Any thread reads the volatile fields. Only the executor's thread writes servers, lastFailure and notifying.
    private volatile List<Server> servers = List.of();
    private volatile @Nullable Throwable lastFailure;

    // Set before closed is read, so that close() cannot miss a running listener.
    private volatile boolean notifying;

    private volatile @Nullable Thread thread;
    private volatile ConnectionListener announcedTo = new ConnectionListener() {};
    private volatile boolean refreshWanted;

    // Written with the monitor of this object held.
    private volatile boolean started;
    private volatile boolean closed;

    /**
     * Creates a discovery with the period of the source, and the default settle time and timeout, without starting the
     * thread.
     */
    public Discovery(ServerSource source) {
        this(
                source,
                Objects.requireNonNull(source, "source is null").period(),
                DEFAULT_SETTLE_TIME,
                DEFAULT_LOOK_TIMEOUT);
    }

    /**
     * Creates a discovery, without starting the thread.
     *
     * @param source the source, which is closed with this discovery
     * @param period the time between two queries of the source, more than zero and at most 24 days; {@link
     *     ServerSource#period} is the default
     * @param settleTime the time for which a change must persist before it is adopted, at most 24 days; zero to adopt
     *     each change immediately
     * @param lookTimeout the timeout of a query of the source, more than zero and at most 24 days
     * @throws IllegalArgumentException if a duration is out of range
     */
    public Discovery(ServerSource source, Duration period, Duration settleTime, Duration lookTimeout) {
        this(source, period, settleTime, lookTimeout, LoggerFactory.getLogger(Discovery.class));
    }

    Discovery(ServerSource source, Duration period, Duration settleTime, Duration lookTimeout, Logger log) {
        this.source = Objects.requireNonNull(source, "source is null");
        name = source.toString().replaceFirst("\\$\\$Lambda.*", "");
        if (!settleTime.isZero()) {
            Timeouts.check("settleTime", settleTime);
        }
        this.lookTimeout = Timeouts.check("lookTimeout", lookTimeout);
        this.log = new ClientLog(log);
        damping = new Damping(settleTime.toNanos());
        periodNanos = Timeouts.check("period of " + name, period).toNanos();
        executor = new ScheduledThreadPoolExecutor(1, this::newThread, new ThreadPoolExecutor.DiscardPolicy());
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
    }

    private Thread newThread(Runnable worker) {
        Runnable untilClosed = () -> {
            worker.run();
            announce(0);
            source.close();
        };
        Thread created = DaemonThread.outsideClients(untilClosed, "memshard-discovery");
        thread = created;
        return created;
    }

    /**
     * Returns the servers of the last adopted list. Waits until the first list is adopted.
     *
     * @param timeout the longest wait, more than zero and at most 24 days
     * @throws MemcachedConnectionException if the source returns no servers in time; the message gives the reason. The
     *     queries continue until this discovery is closed
     * @throws MemcachedInterruptedException if the calling thread is interrupted
     * @throws IllegalStateException if this discovery is closed
     */
    public List<Server> awaitServers(Duration timeout) {
        Timeouts.check("timeout", timeout);
        start();
        try {
            if (!firstList.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw noServers(timeout);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    name + ": interrupted while waiting for the first list of servers", null, e);
        }
        List<Server> now = servers;
        if (now.isEmpty()) {
            throw new IllegalStateException(CLOSED);
        }
        return now;
    }

    private MemcachedConnectionException noServers(Duration timeout) {
        Throwable failure = lastFailure;
        return new MemcachedConnectionException(
                name + ": no servers were found within " + timeout.toMillis() + " ms: "
                        + (failure == null ? "the first query has not completed" : reason(failure)),
                null,
                failure);
    }

    /**
     * Sets the listener, in place of the previous listener. The listener is called with the first list of servers, and
     * with the new list after each change.
     *
     * @param newListener the listener, called on the discovery's thread with an immutable list; the source is not
     *     queried until the listener returns
     * @throws IllegalStateException if this discovery is closed
     */
    public void onChange(Consumer<List<Server>> newListener) {
        Objects.requireNonNull(newListener, "listener is null");
        start();
        executor.execute(() -> {
            listener = newListener;
            notified = List.of();
            notifyListener();
        });
    }

    /**
     * Calls {@link ConnectionListener#discovered} with the number of servers, immediately and after each successful
     * query, and with 0 when this discovery is closed.
     */
    public void announceTo(ConnectionListener newListener) {
        announcedTo = newListener;
        announce(servers.size());
    }

    private void announce(int count) {
        try {
            announcedTo.discovered(name, count);
        } catch (Throwable e) {
            log.warn("{}: ConnectionListener.discovered(...) threw an exception", name, e);
        }
    }

    private synchronized void start() {
        if (closed) {
            throw new IllegalStateException(CLOSED);
        }
        if (!started) {
            started = true;
            executor.execute(this::look);
        }
    }

    /**
     * Requests a query of the source before the period ends, for example after the failure of a connection. Returns
     * immediately. Several calls may cause only one query.
     *
     * <p>The query starts when a minimum time has passed since the start of the previous query. The minimum time is a
     * tenth of the period, but at least one second and at most the period.
     */
    public void refreshNow() {
        if (!refreshWanted && started) {
            refreshWanted = true;
            executor.execute(this::scheduleNextLook);
        }
    }

    /** Returns the timeout of a query of the source. */
    public Duration lookTimeout() {
        return lookTimeout;
    }

    private void look() {
        long begunNanos = System.nanoTime();
        refreshWanted = false;
        long pauseNanos;
        try {
            List<Server> seen = distinct(source.servers(lookTimeout));
            succeeded(seen);
            long jitter = ThreadLocalRandom.current().nextLong(periodNanos / 10 + 1);
            pauseNanos = Math.min(periodNanos + jitter, damping.untilSettledNanos(System.nanoTime()));
        } catch (Throwable e) { // Including Errors, which must not end the discovery.
            if (!closed) {
                failed(e);
            }
            long longest =
                    Math.min(periodNanos, SECOND_NANOS << Math.min(Math.max(0, failuresInARow - 1), MAX_DOUBLINGS));
            pauseNanos = longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
        }
        soonestNanos = begunNanos + Math.max(periodNanos / 10, Math.min(periodNanos, SECOND_NANOS));
        dueNanos = System.nanoTime() + pauseNanos;
        notifyListener();
        scheduleNextLook();
    }

    private void scheduleNextLook() {
        if (nextLook != null) {
            nextLook.cancel(false);
        }
        long due = refreshWanted && soonestNanos - dueNanos < 0 ? soonestNanos : dueNanos;
        nextLook = executor.schedule(this::look, due - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private static List<Server> distinct(List<Server> seen) throws IOException {
        if (seen.size() > MAX_SERVERS) {
            throw new IOException("the list has " + seen.size() + " servers, but may have at most " + MAX_SERVERS);
        }
        Set<String> names = new HashSet<>();
        Set<ServerAddress> addresses = new HashSet<>();
        List<Server> distinct = new ArrayList<>();
        for (Server server : seen) {
            String name = server.name();
            if ((name == null || names.add(name))
                    && addresses.add(server.address().withName(null))) {
                distinct.add(server);
            }
        }
        if (distinct.isEmpty()) {
            throw new IOException("the list of servers is empty");
        }
        return List.copyOf(distinct);
    }

    private void succeeded(List<Server> seen) {
        if (failuresInARow > 0) {
            String seconds = String.format(Locale.ROOT, "%.1f", (System.nanoTime() - failingSinceNanos) / 1e9);
            log.info("{}: answers again after {} s with {} failure(s)", name, seconds, failuresInARow);
            failuresInARow = 0;
            loggedFailures.clear();
        }
        boolean adopted = damping.offer(seen, System.nanoTime());
        servers = damping.current();
        firstList.countDown();
        announce(servers.size());
        if (adopted) {
            log.info("{}: the list now has {} servers", name, servers.size());
            log.debug("{}: the servers are now {}", name, servers);
        } else if (damping.isUnstable()) {
            log.warn(
                    "{}: the list keeps changing and is never stable for the settle time, so the earlier list of {}"
                            + " servers stays in force: make the source always return all servers in the same order",
                    name,
                    servers.size());
        }
    }

    private void failed(Throwable failure) {
        if (failuresInARow++ == 0) {
            failingSinceNanos = System.nanoTime();
        }
        lastFailure = failure;
        if (loggedFailures.add(failure.getClass())) {
            String kept = servers.isEmpty()
                    ? "no servers are known yet"
                    : "the list of " + servers.size() + " servers stays in force";
            if (failure instanceof Error) {
                log.error("{}: {}; {}", name, reason(failure), kept, failure);
            } else {
                log.warn("{}: {}; {}", name, reason(failure), kept);
            }
        }
    }

    /** Returns a message for the log, without the control characters of untrusted input. */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        String text = message == null || message.isBlank() || failure instanceof Error ? failure.toString() : message;
        String printable = text.replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= MAX_REASON_CHARS ? printable : printable.substring(0, MAX_REASON_CHARS) + "...";
    }

    private void notifyListener() {
        List<Server> now = servers;
        if (listener == null || notified.equals(now)) {
            return;
        }
        notifying = true;
        try {
            if (!closed) {
                notified = now;
                listener.accept(now);
            }
        } catch (Throwable e) { // The discovery continues with the next change.
            log.error("{}: the listener of onChange(...) failed for a list of {} servers", name, now.size(), e);
        } finally {
            notifying = false;
        }
    }

    /**
     * Ends the thread and closes the source. Idempotent. Waits up to five seconds for a query in progress.
     *
     * <p>Interrupts a running listener, but does not wait for its end, because the listener may wait for the calling
     * thread. If a listener is running, the source is closed when the listener returns.
     */
    @Override
    public void close() {
        boolean neverStarted;
        synchronized (this) {
            neverStarted = !started && !closed;
            closed = true;
        }
        firstList.countDown();
        Thread running = thread;
        if (neverStarted) {
            source.close();
        } else if (running == Thread.currentThread()) {
            executor.shutdown();
        } else if (running != null) {
            executor.shutdownNow();
            awaitEnd(running);
        }
    }

    private void awaitEnd(Thread running) {
        try {
            if (!notifying) {
                running.join(CLOSE_TIMEOUT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name + ", " + servers.size() + " servers";
    }
}
