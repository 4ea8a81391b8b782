// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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
 * Discovery of servers: queries a {@link ServerSource} repeatedly, and notifies a listener of changed servers.
 *
 * <p>A query of the source is called a look. The next look follows after the period of the source and a random delay of
 * up to a tenth of the period. A look comes earlier after {@link #refreshNow}, and when the settle time of a change
 * ends. After a failure the next look follows within a second. The delay after a failure doubles with each further
 * failure, up to the period, and is reduced by a random part of at most half.
 *
 * <p>Changes are damped: a change is adopted once every look has seen it for the settle time. The settle time grows if
 * the servers change often. A new address of a named server is adopted immediately.
 *
 * <p>Threading: thread-safe. One daemon thread, {@code memshard-discovery}, queries the source and calls the listener.
 * The thread starts with {@link #awaitServers} or {@link #onChange}.
 *
 * <p>Failure: a source that fails or has no servers changes nothing. In a series of failures, each kind of failure is
 * logged once. The recovery is logged too.
 */
public final class Discovery implements AutoCloseable {

    /** Default time for which a change must be seen before it is adopted. */
    public static final Duration DEFAULT_SETTLE_TIME = Duration.ofSeconds(5);

    /** Default timeout of a look. */
    public static final Duration DEFAULT_LOOK_TIMEOUT = Duration.ofSeconds(10);

    /** Maximum number of servers. A longer list is treated as an error of the source, and no ring is built from it. */
    private static final int MAX_SERVERS = 10_000;

    private static final String CLOSED = "the discovery is closed: create another one";
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_DOUBLINGS = 16;
    private static final int MAX_REASON_CHARS = 300;
    private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

    private static final int UNSTABLE_LISTS = 10;

    private final ServerSource source;
    private final Duration lookTimeout;
    private final Duration settleTime;
    private final ClientLog log;
    private final ScheduledThreadPoolExecutor executor;

    /** Opened when the first list is adopted, and when this discovery is closed. */
    private final CountDownLatch firstList = new CountDownLatch(1);

    // Confined to the executor's thread: all fields below up to the volatile ones.

    private final Damping damping;

    private final Set<Class<?>> loggedFailures = new HashSet<>();

    private long failingSinceNanos;
    private int failuresInARow;
    private boolean unstableLogged;
    private long periodNanos;

    private @Nullable Future<?> nextLook;
    private long dueNanos;

    /** Earliest time of a look that {@link #refreshNow} requests. */
    private long soonestNanos;

    private @Nullable Consumer<List<Server>> listener;

    private long notifiedVersion;

    // Written by the executor's thread, read by all.

    private volatile DiscoveryStatus status = new DiscoveryStatus(0, List.of(), 0, 0, 0, null, null, null);
    private volatile @Nullable Throwable lastFailure;

    /**
     * True while the listener runs. Written before {@link #closed} is read; {@link #close} writes {@code closed} and
     * then reads this field.
     */
    private volatile boolean notifying;

    private volatile @Nullable Thread thread;
    private volatile ConnectionListener announcedTo = new ConnectionListener() {};
    private volatile boolean refreshWanted;

    // Written with the monitor of this object held.

    private volatile boolean started;
    private volatile boolean closed;

    /** Creates a discovery with the default times; it is not started. */
    public Discovery(ServerSource source) {
        this(source, DEFAULT_SETTLE_TIME, DEFAULT_LOOK_TIMEOUT);
    }

    /**
     * Creates a discovery; it is not started.
     *
     * @param source the source, closed with this discovery
     * @param settleTime the time for which a change must be seen before it is adopted, at most 24 days; zero to adopt
     *     immediately
     * @param lookTimeout the timeout of a look, more than zero and at most 24 days
     * @throws IllegalArgumentException if a time or the period of the source is out of range
     */
    public Discovery(ServerSource source, Duration settleTime, Duration lookTimeout) {
        this(source, settleTime, lookTimeout, LoggerFactory.getLogger(Discovery.class));
    }

    Discovery(ServerSource source, Duration settleTime, Duration lookTimeout, Logger log) {
        this.source = Objects.requireNonNull(source, "source is null");
        this.settleTime = settleTime.isZero() ? settleTime : ConnectionOptions.checkTimeout("settleTime", settleTime);
        this.lookTimeout = ConnectionOptions.checkTimeout("lookTimeout", lookTimeout);
        this.log = new ClientLog(log);
        damping = new Damping(settleTime.toNanos());
        periodNanos = period();
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

    private long period() {
        return ConnectionOptions.checkTimeout("period of " + source, source.period())
                .toNanos();
    }

    /**
     * Returns the servers of the last adopted list. Waits for the first list, which is adopted immediately.
     *
     * @param timeout the longest wait, more than zero and at most 24 days
     * @throws MemcachedConnectionException if no list arrives in time; the message gives the reason. Looks continue
     *     until this discovery is closed
     * @throws MemcachedInterruptedException if the calling thread is interrupted
     * @throws IllegalStateException if this discovery is closed
     */
    public List<Server> awaitServers(Duration timeout) {
        ConnectionOptions.checkTimeout("timeout", timeout);
        start();
        try {
            if (!firstList.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw noServers(timeout);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException("interrupted while waiting for the servers", null, e);
        }
        DiscoveryStatus now = status;
        if (now.version() == 0) {
            throw new IllegalStateException(CLOSED);
        }
        return now.servers();
    }

    private MemcachedConnectionException noServers(Duration timeout) {
        String reason = status.lastReason();
        return new MemcachedConnectionException(
                source + ": no servers were found within " + timeout.toMillis() + " ms: "
                        + (reason == null ? "the first lookup has not completed" : reason),
                null,
                lastFailure);
    }

    /**
     * Sets the listener, in place of the previous listener. The listener is called with the adopted servers once they
     * are known, and at each change.
     *
     * @param newListener called with an immutable list, on the discovery's thread, which makes no further looks until
     *     the listener returns
     * @throws IllegalStateException if this discovery is closed
     */
    public void onChange(Consumer<List<Server>> newListener) {
        Objects.requireNonNull(newListener, "listener is null");
        start();
        executor.execute(() -> {
            listener = newListener;
            notifiedVersion = 0;
            notifyListener();
        });
    }

    /**
     * Notifies a listener of the last successful look, of each later one, and of the end of this discovery; see
     * {@link ConnectionListener#discovered}.
     */
    public void announceTo(ConnectionListener newListener) {
        announcedTo = newListener;
        announce(status.servers().size());
    }

    private void announce(int servers) {
        try {
            announcedTo.discovered(source.toString(), servers);
        } catch (Throwable e) {
            log.warn("{}: the ConnectionListener failed in discovered(...)", source, e);
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
     * Requests a look before the end of the period, for example after the failure of a connection. Returns immediately.
     * Several calls before this look request only one look. The look starts once an interval has passed since the start
     * of the previous look, or earlier if the next look is due earlier. The interval is one second. For periods above
     * ten seconds the interval is a tenth of the period; for periods below one second, the interval is the period.
     */
    public void refreshNow() {
        if (!refreshWanted && started) {
            refreshWanted = true;
            executor.execute(this::scheduleNextLook);
        }
    }

    /** Returns the timeout of a look. */
    public Duration lookTimeout() {
        return lookTimeout;
    }

    /** Returns the current status. */
    public DiscoveryStatus status() {
        return status;
    }

    private void look() {
        long begunNanos = System.nanoTime();
        refreshWanted = false;
        long pauseNanos;
        try {
            List<Server> seen = distinct(source.servers(lookTimeout));
            periodNanos = period();
            succeeded(seen);
            long jitter = ThreadLocalRandom.current().nextLong(periodNanos / 10 + 1);
            pauseNanos = Math.min(periodNanos + jitter, damping.untilSettledNanos(System.nanoTime()));
        } catch (Throwable e) { // Including Errors, which must not end the discovery.
            if (!closed) {
                Thread.interrupted(); // The listener, which is called next, gets only an interrupt by close.
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

    private static List<Server> distinct(List<Server> servers) throws IOException {
        if (servers.size() > MAX_SERVERS) {
            throw new IOException("it has " + servers.size() + " servers: at most " + MAX_SERVERS + " are accepted");
        }
        Set<String> names = new HashSet<>();
        Set<ServerAddress> addresses = new HashSet<>();
        List<Server> distinct = new ArrayList<>();
        for (Server server : servers) {
            String name = server.name();
            if ((name == null || names.add(name))
                    && addresses.add(server.address().withName(null))) {
                distinct.add(server);
            }
        }
        if (distinct.isEmpty()) {
            throw new IOException("it has no servers");
        }
        return List.copyOf(distinct);
    }

    private void succeeded(List<Server> seen) {
        if (failuresInARow > 0) {
            String seconds = String.format(Locale.ROOT, "%.1f", (System.nanoTime() - failingSinceNanos) / 1e9);
            log.info("{}: answers again after {} s, {} failure(s)", source, seconds, failuresInARow);
            failuresInARow = 0;
            loggedFailures.clear();
        }
        boolean adopted = damping.offer(seen, System.nanoTime());
        DiscoveryStatus before = status;
        DiscoveryStatus now = new DiscoveryStatus(
                before.version() + (adopted ? 1 : 0),
                damping.current(),
                before.looks() + 1,
                before.failures(),
                damping.heldBack(),
                Instant.now(),
                before.lastFailure(),
                before.lastReason());
        status = now;
        firstList.countDown();
        announce(now.servers().size());
        if (adopted) {
            log.info("{}: {} servers, version {}", source, now.servers().size(), now.version());
            log.debug("{}: {}", source, now.servers());
            unstableLogged = false;
        } else if (damping.heldBackInARow() >= UNSTABLE_LISTS && !unstableLogged) {
            unstableLogged = true;
            log.warn(
                    "{}: its list keeps changing and is never stable for {}, so version {} stays in force: make the"
                            + " source return all servers each time, in the same order",
                    source,
                    settleTime,
                    now.version());
        }
    }

    private void failed(Throwable failure) {
        String reason = reason(failure);
        if (failuresInARow++ == 0) {
            failingSinceNanos = System.nanoTime();
        }
        lastFailure = failure;
        DiscoveryStatus before = status;
        DiscoveryStatus now = new DiscoveryStatus(
                before.version(),
                before.servers(),
                before.looks() + 1,
                before.failures() + 1,
                before.heldBack(),
                before.lastSuccess(),
                Instant.now(),
                reason);
        status = now;
        if (loggedFailures.add(failure.getClass())) {
            String kept = now.version() == 0
                    ? "no servers are known yet"
                    : "the list of " + now.servers().size() + " servers stays in force";
            if (failure instanceof Error) {
                log.error("{}: {}; {}", source, reason, kept, failure);
            } else {
                log.warn("{}: {}; {}", source, reason, kept);
            }
        }
    }

    /**
     * Returns the text of a failure for the log. The failure may quote untrusted input, so control characters are
     * replaced and long text is shortened.
     */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        String type = failure.getClass().getSimpleName();
        String text = message == null || message.isBlank()
                ? type
                : failure instanceof IOException || failure instanceof RuntimeException
                        ? message
                        : type + ": " + message;
        String printable = text.replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= MAX_REASON_CHARS ? printable : printable.substring(0, MAX_REASON_CHARS) + "...";
    }

    private void notifyListener() {
        Consumer<List<Server>> notified = listener;
        DiscoveryStatus now = status;
        if (notified == null || notifiedVersion == now.version()) {
            return;
        }
        notifying = true;
        try {
            if (!closed) {
                notifiedVersion = now.version();
                notified.accept(now.servers());
            }
        } catch (Throwable e) { // The discovery continues with the next change.
            log.error(
                    "{}: the listener of onChange(...) failed for a list of {} servers",
                    source,
                    now.servers().size(),
                    e);
        } finally {
            notifying = false;
        }
    }

    /**
     * Ends the thread and closes the source. Idempotent. Waits up to five seconds for a look in progress.
     *
     * <p>Interrupts a running listener but does not wait for it, because the listener may be waiting for the thread
     * that calls this method. The source is then closed when the listener returns.
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
        return source + ", version " + status.version();
    }
}
