// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a {@link ServerSource} again and again, and tells which servers there are.
 *
 * <p>It asks once a period of the source, later by up to a tenth of that, and sooner after {@link #refreshNow}. After a
 * failure it asks after a second, then after longer and longer pauses up to the period, each cut by a random part. A
 * change is damped: it is told when each look has seen it for the settle time. That time is longer for servers that
 * change often. Another address of a named server is told at once.
 *
 * <p>Threading: thread-safe. One daemon thread, {@code memshard-discovery}, asks the source and calls the listener. It
 * starts with {@link #awaitServers} or {@link #onChange}.
 *
 * <p>Failure: a source that fails or has no servers changes nothing. The log has one warning for each kind of failure
 * in a row, and the recovery.
 */
public final class Discovery implements AutoCloseable {

    /** How long a change is looked at until it is told, unless one sets it. */
    public static final Duration DEFAULT_SETTLE_TIME = Duration.ofSeconds(5);

    /** How long one look may take, unless one sets it. */
    public static final Duration DEFAULT_LOOK_TIMEOUT = Duration.ofSeconds(10);

    /** A source with more is not to be believed, and no ring is built of them. */
    private static final int MAX_SERVERS = 10_000;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_DOUBLINGS = 16;
    private static final int MAX_REASON_CHARS = 300;
    private static final long END_NANOS = 5 * SECOND_NANOS;

    /** So many lists that were seen and gone again are worth a warning. */
    private static final int RESTLESS = 10;

    private final ServerSource source;
    private final Duration lookTimeout;
    private final Duration settleTime;
    private final Logger log;
    private final Thread thread = new Thread(this::run, "memshard-discovery");

    // Confined to the thread, all of the following.

    private final Damping damping;

    /** The kinds of failures that were told since the last success. */
    private final Set<Class<?>> told = new HashSet<>();

    private long failingSinceNanos;
    private int failuresInARow;
    private boolean restlessTold;
    private long periodNanos;

    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when anything of the following changes. */
    private final Condition changed = lock.newCondition();

    // Guarded by the lock, all of the following.

    private @Nullable Consumer<List<Server>> listener;

    /** Of the list that the listener was told last. */
    private long toldVersion;

    /** Whether the listener is at work. */
    private boolean telling;

    /** Whether the thread has ended, and the source is closed. */
    private boolean ended;

    private DiscoveryStatus status = new DiscoveryStatus(0, List.of(), 0, 0, 0, null, null, null);
    private @Nullable Throwable lastFailure;
    private boolean started;

    /** Set under the lock; read without it too, because a caller that finds it set has nothing to do. */
    private volatile boolean refreshWanted;

    /** Set under the lock. The thread, which reads it without, ends when it sees it. */
    private volatile boolean closed;

    /** A discovery with the default times, which has not begun. */
    public Discovery(ServerSource source) {
        this(source, DEFAULT_SETTLE_TIME, DEFAULT_LOOK_TIMEOUT);
    }

    /**
     * A discovery that has not begun.
     *
     * @param source is closed with this
     * @param settleTime how long a change is seen until it is told, zero (for at once) to 24 days
     * @param lookTimeout how long the source may take for an answer, more than zero and at most 24 days
     * @throws IllegalArgumentException if a time is out of its range, or the period of the source is
     */
    public Discovery(ServerSource source, Duration settleTime, Duration lookTimeout) {
        this(source, settleTime, lookTimeout, LoggerFactory.getLogger(Discovery.class));
    }

    Discovery(ServerSource source, Duration settleTime, Duration lookTimeout, Logger log) {
        this.source = Objects.requireNonNull(source, "source is null");
        this.settleTime = settleTime.isZero() ? settleTime : ConnectionOptions.checkTimeout("settleTime", settleTime);
        this.lookTimeout = ConnectionOptions.checkTimeout("lookTimeout", lookTimeout);
        this.log = log;
        damping = new Damping(settleTime.toNanos());
        periodNanos = period();
        thread.setDaemon(true);
    }

    private long period() {
        return ConnectionOptions.checkTimeout("period of " + source, source.period())
                .toNanos();
    }

    /**
     * The servers in force. Waits for the first list, which is told as soon as it is seen.
     *
     * @param timeout how long at most, more than zero and at most 24 days
     * @throws MemcachedConnectionException if there is no list in time; it says why. Looking goes on until this is
     *     closed
     * @throws MemcachedInterruptedException if the calling thread is interrupted
     * @throws IllegalStateException if this is closed
     */
    public List<Server> awaitServers(Duration timeout) {
        long remaining = ConnectionOptions.checkTimeout("timeout", timeout).toNanos();
        lock.lock();
        try {
            start();
            while (status.version() == 0) {
                if (closed) {
                    throw new IllegalStateException("the discovery is closed");
                }
                if (remaining <= 0) {
                    throw noServers(timeout);
                }
                remaining = changed.awaitNanos(remaining);
            }
            return status.servers();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException("interrupted while waiting for the servers", null, e);
        } finally {
            lock.unlock();
        }
    }

    private MemcachedConnectionException noServers(Duration timeout) {
        String reason = status.lastReason();
        return new MemcachedConnectionException(
                source + ": no servers within " + timeout.toMillis() + " ms: "
                        + (reason == null ? "the first look has not ended" : reason),
                null,
                lastFailure);
    }

    /**
     * Has a listener told of the servers in force, if there are any yet, and of each change. It takes the place of the
     * listener before.
     *
     * @param newListener called on the thread of this, which looks no further before it returns. The list is immutable
     * @throws IllegalStateException if this is closed
     */
    public void onChange(Consumer<List<Server>> newListener) {
        lock.lock();
        try {
            listener = Objects.requireNonNull(newListener, "listener is null");
            toldVersion = 0;
            start();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Holding the lock. */
    private void start() {
        if (closed) {
            throw new IllegalStateException("the discovery is closed");
        }
        if (!started) {
            started = true;
            thread.start();
        }
    }

    /**
     * Asks for a look before the period is over, as after the failure of a connection. Returns at once. However often
     * it is called, looks begin a second and a tenth of the period apart, whichever is longer.
     */
    public void refreshNow() {
        if (refreshWanted || closed) {
            return;
        }
        lock.lock();
        try {
            refreshWanted = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How long one look may take. */
    public Duration lookTimeout() {
        return lookTimeout;
    }

    /** How it fares at present. */
    public DiscoveryStatus status() {
        lock.lock();
        try {
            return status;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (!closed) {
                long begunNanos = System.nanoTime();
                refreshWanted = false;
                long pauseNanos = look();
                await(begunNanos, System.nanoTime() + pauseNanos);
            }
        } finally {
            try {
                source.close();
            } finally {
                signal(() -> ended = true);
            }
        }
    }

    /** Asks the source once; how long to wait until the next look. */
    private long look() {
        try {
            List<Server> seen = distinct(source.servers(lookTimeout));
            periodNanos = period();
            succeeded(seen);
            long now = System.nanoTime();
            long jitter = ThreadLocalRandom.current().nextLong(periodNanos / 10 + 1);
            return Math.min(periodNanos + jitter, damping.untilSettledNanos(now));
        } catch (Throwable e) { // An Error too: it must not end discovery.
            if (!closed) {
                Thread.interrupted(); // Nobody but close interrupts on purpose, and the listener is called next.
                failed(e);
            }
            long longest =
                    Math.min(periodNanos, SECOND_NANOS << Math.min(Math.max(0, failuresInARow - 1), MAX_DOUBLINGS));
            return longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1);
        }
    }

    private static List<Server> distinct(List<Server> servers) throws IOException {
        if (servers.size() > MAX_SERVERS) {
            throw new IOException("it has " + servers.size() + " servers: at most " + MAX_SERVERS + " are taken");
        }
        Set<String> names = new HashSet<>();
        Set<ServerAddress> addresses = new HashSet<>();
        List<Server> distinct = new ArrayList<>();
        for (Server server : servers) {
            String name = server.name();
            if ((name == null || names.add(name)) && addresses.add(server.address())) {
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
            double seconds = (System.nanoTime() - failingSinceNanos) / 1e9;
            log.info(
                    "{}: answers again after {} s, {} failure{}",
                    source,
                    String.format(Locale.ROOT, "%.1f", seconds),
                    failuresInARow,
                    failuresInARow == 1 ? "" : "s");
            failuresInARow = 0;
            told.clear();
        }
        boolean adopted = damping.offer(seen, System.nanoTime());
        DiscoveryStatus now = update(before -> new DiscoveryStatus(
                before.version() + (adopted ? 1 : 0),
                damping.current(),
                before.looks() + 1,
                before.failures(),
                damping.heldBack(),
                Instant.now(),
                before.lastFailure(),
                before.lastReason()));
        if (adopted) {
            log.info("{}: {} servers, version {}", source, now.servers().size(), now.version());
            log.debug("{}: {}", source, now.servers());
            restlessTold = false;
        } else if (damping.heldBackInARow() >= RESTLESS && !restlessTold) {
            restlessTold = true;
            log.warn(
                    "{}: its list changes again and again and stays for no {}, so version {} stays in force: let the"
                            + " source tell all servers each time, in the same order",
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
        DiscoveryStatus now = update(before -> new DiscoveryStatus(
                before.version(),
                before.servers(),
                before.looks() + 1,
                before.failures() + 1,
                before.heldBack(),
                before.lastSuccess(),
                Instant.now(),
                reason));
        lock.lock();
        try {
            lastFailure = failure;
        } finally {
            lock.unlock();
        }
        if (told.add(failure.getClass())) {
            String kept = now.version() == 0
                    ? "there are no servers yet"
                    : "the list of " + now.servers().size() + " servers stays in force";
            if (failure instanceof Error) {
                log.error("{}: {}; {}", source, reason, kept, failure);
            } else {
                log.warn("{}: {}; {}", source, reason, kept);
            }
        }
    }

    /** What the log may have of a failure, whose message may quote what somebody else wrote. */
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

    private DiscoveryStatus update(UnaryOperator<DiscoveryStatus> change) {
        lock.lock();
        try {
            status = change.apply(status);
            changed.signalAll();
            return status;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the next look is due, and calls the listener meanwhile. */
    private void await(long begunNanos, long dueNanos) {
        long soonest = begunNanos + Math.max(periodNanos / 10, Math.min(periodNanos, SECOND_NANOS));
        while (!closed) {
            tell();
            lock.lock();
            try {
                long due = refreshWanted && soonest - dueNanos < 0 ? soonest : dueNanos;
                long remaining = due - System.nanoTime();
                if (remaining <= 0) {
                    return;
                }
                if (listener == null || toldVersion == status.version()) {
                    changed.awaitNanos(remaining);
                }
            } catch (InterruptedException e) {
                // By close, which has said so; by anybody else it means nothing.
            } finally {
                lock.unlock();
            }
        }
    }

    /** Calls the listener with the list in force, unless it was told that. */
    private void tell() {
        Consumer<List<Server>> told;
        List<Server> servers;
        lock.lock();
        try {
            told = listener;
            servers = status.servers();
            if (told == null || closed || toldVersion == status.version()) {
                return;
            }
            toldVersion = status.version();
            telling = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            told.accept(servers);
        } catch (Throwable e) { // Discovery goes on with what comes next.
            log.error("{}: the listener failed at a list of {} servers", source, servers.size(), e);
        } finally {
            signal(() -> telling = false);
        }
    }

    private void signal(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the thread, and closes the source. Idempotent. Waits up to five seconds for a source at work. It interrupts
     * a listener at work and does not wait for it, as the listener may wait for the thread that calls this. The source
     * is closed then when the listener returns.
     */
    @Override
    public void close() {
        boolean neverStarted;
        lock.lock();
        try {
            neverStarted = !started && !closed;
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (neverStarted) {
            source.close();
        } else if (Thread.currentThread() != thread) {
            thread.interrupt();
            awaitEnd();
        }
    }

    private void awaitEnd() {
        long remaining = END_NANOS;
        lock.lock();
        try {
            while (started && !ended && !telling && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** The source, and the version of its list. */
    @Override
    public String toString() {
        return source + ", version " + status().version();
    }
}
