// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.listener.ConnectionState;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Reconnector of a connection: it opens the link, and replaces it when it fails.
 *
 * <h2>Why an attempt follows each failure</h2>
 *
 * <p>While there is no link, an attempt to connect is running or scheduled, unless the connection is new, closed or
 * drained. Each change to a state without a link starts or schedules an attempt under the lock. If an {@link Error} has
 * prevented this, {@link #tick} finds no attempt running or scheduled, and schedules one.
 *
 * <p>Threading: thread-safe. An attempt to connect blocks a thread of the client; each connection has one attempt at a
 * time. {@link #attempts} and {@link #failures} are confined to the connection's lock, {@link
 * Dispatcher#lock}, except where they say otherwise. {@link #handshake} is confined to the current attempt.
 */
final class Reconnector {

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    private final LinkContext context;
    private final Handshake handshake;
    private final Dispatcher dispatcher;
    private final UnsentCommands unsent;
    private final OpenedLinks links = new OpenedLinks();
    private final Object lock;
    private final Attempts attempts;
    private final ConnectionFailures failures;
    private final PerServer server;

    /** Last attempt to connect. It is done once it has ended for any reason. Guarded by the lock. */
    private @Nullable Future<?> attempt;

    /** Last task of the timer that starts an attempt. Guarded by the lock. */
    private Timer.@Nullable Task retry;

    /** True if the last attempt was started early, on credit, because the server works again. Guarded by the lock. */
    private boolean isOnCredit;

    /**
     * Creates a reconnector that has made no attempt.
     *
     * @param connection the connection that the log names
     * @param handshake the opener of the links
     * @param dispatcher the dispatcher that gets the links
     */
    Reconnector(
            Connection connection,
            Handshake handshake,
            Dispatcher dispatcher,
            UnsentCommands unsent,
            PerServer server) {
        this.context = handshake.context();
        this.handshake = handshake;
        this.dispatcher = dispatcher;
        this.unsent = unsent;
        lock = dispatcher.lock;
        attempts = new Attempts(
                new Backoff(
                        context.options().firstReconnectDelay(),
                        context.options().longestReconnectDelay()),
                server.sockets,
                () -> ThreadLocalRandom.current().nextLong());
        this.server = server;
        failures = new ConnectionFailures(connection, context, server);
    }

    /** Returns the links that were opened and have something left to do. */
    OpenedLinks links() {
        return links;
    }

    /** Returns whether there is no link, and the server is to blame. */
    boolean isCutOff() {
        return dispatcher.state == ConnectionState.RECONNECTING && failures.isOfServer();
    }

    // Attempts to connect.

    /** Starts the first attempt, unless it was started before. */
    void open() {
        synchronized (lock) {
            if (dispatcher.isNew()) {
                dispatcher.connecting(null);
                startAttempt();
            }
        }
    }

    /** Starts the next attempt now, if one is scheduled for later, because the server works again. */
    void attemptNow() {
        synchronized (lock) {
            if (dispatcher.state == ConnectionState.RECONNECTING && cancelRetry()) {
                isOnCredit = true;
                startAttempt();
            }
        }
    }

    private void startAttempt() {
        synchronized (lock) {
            if (!dispatcher.wantsLink()) {
                return;
            }
            try {
                attempt = server.threads().connect(this::connect, attempts.failures());
            } catch (RejectedExecutionException e) {
                dispatcher.setFailure(new IOException("the client is closed", e), System.nanoTime());
            } catch (Throwable e) {
                // No thread can be started now. Perhaps one can later.
                attemptFailed(e, false);
            }
        }
    }

    /**
     * Makes one attempt, blocking. Runs on a connecting thread. If the attempt fails in any way, another one follows:
     * if this method does not schedule it, the timer does.
     */
    private void connect() {
        long timeoutNanos = context.options().connectTimeout().toNanos();
        long deadline = Long.MAX_VALUE;
        Link opened;
        try {
            handshake.prepare();
            deadline = System.nanoTime() + timeoutNanos;
            opened = handshake.open(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            attemptFailed(new IOException("the client closed the connection before it was open", e), false);
            return;
        } catch (Throwable e) {
            attemptFailed(e, deadline - System.nanoTime() <= 0);
            return;
        }
        boolean published = false;
        boolean isFirst = false;
        Throwable failure = null;
        try {
            synchronized (lock) {
                attempts.linkReady(opened, System.nanoTime());
                isFirst = !isOnCredit;
            }
            links.add(opened);
            unsent.setMoving(true);
            published = dispatcher.publish(opened);
        } catch (Throwable e) {
            failure = e;
        } finally {
            unsent.setMoving(false);
        }
        if (!published) {
            opened.close();
            Throwable loss = failure == null ? opened.failure() : failure;
            if (loss != null) {
                lostWhileMoving(opened, loss);
            }
        } else if (isFirst) {
            // Only an attempt with a socket of the budget leads to attempts on credit, so the budget still limits their
            // number.
            server.reconnect();
        }
    }

    private void attemptFailed(Throwable cause, boolean timedOut) {
        List<Exchange<?>> waiting;
        synchronized (lock) {
            if (!dispatcher.wantsLink()) {
                return;
            }
            dispatcher.reconnecting(cause, false);
            attemptAfter(failures.ofAttempt(cause, timedOut), cause);
            waiting = unsent.all();
        }
        unsent.fail(waiting, dispatcher::notConnected);
    }

    /** Reports a failure, and schedules the next attempt. Guarded by the lock. */
    private void attemptAfter(Throwable failure, Throwable cause) {
        isOnCredit = false;
        long now = System.nanoTime();
        long delay = attempts.delayNanos(cause, now);
        dispatcher.setFailure(failure, now + delay);
        if (!dispatcher.isDraining()) {
            failures.report(failure, cause, delay);
        }
        retryAfter(delay);
    }

    /** Schedules an attempt, unless the client is closed. Guarded by the lock, like the next three methods. */
    private void retryAfter(long delayNanos) {
        try {
            retry = server.threads().connectLater(this::startAttempt, delayNanos);
        } catch (RejectedExecutionException e) {
            // The client is closed, and needs no connection.
        }
    }

    /** Returns whether an attempt was scheduled, and is now cancelled. */
    private boolean cancelRetry() {
        return retry != null && retry.cancel();
    }

    private void cancelAttempts() {
        cancelRetry();
        if (attempt != null) {
            attempt.cancel(true);
        }
    }

    /** Returns whether no attempt is running or scheduled, perhaps because of an {@link Error}. */
    private boolean isIdle() {
        return (attempt == null || attempt.isDone()) && (retry == null || retry.isDone());
    }

    // Lost links.

    /** Hides a lost link from senders, and starts or schedules the next attempt. */
    void linkLost(Link lost, Throwable cause) {
        synchronized (lock) {
            if (dispatcher.remove(lost)) {
                replace(lost, cause);
            }
        }
    }

    /**
     * Same as {@link #linkLost}, for a link that has failed while commands were moved to it. Commands that were not
     * moved yet wait for the next attempt.
     */
    private void lostWhileMoving(Link lost, Throwable cause) {
        synchronized (lock) {
            if (dispatcher.state != ConnectionState.CLOSED) {
                dispatcher.abandonMove();
                replace(lost, cause);
            }
        }
    }

    /**
     * Starts the next attempt, for which commands wait, if the server has closed a link that has served: it may have
     * taken the link, or this process, for idle. Otherwise schedules the attempt. Guarded by the lock.
     */
    private void replace(Link lost, Throwable cause) {
        long now = System.nanoTime();
        attempts.linkLost(lost, now);
        IOException loss = new IOException("connection lost (" + LinkFailure.describe(cause) + ")", cause);
        boolean isClosed = cause instanceof IOException && !(cause instanceof SocketTimeoutException);
        if (!isClosed || !attempts.hasServed(lost, now) || !attempts.mayStart(now)) {
            dispatcher.reconnecting(cause, true);
            attemptAfter(loss, loss);
            return;
        }
        if (lost.inFlight() > 0) {
            failures.report(loss, loss, 0);
        } else {
            LOG.debug("{}: the idle connection was lost ({}); reconnecting", context, LinkFailure.describe(cause));
        }
        dispatcher.connecting(cause);
        isOnCredit = false;
        startAttempt();
    }

    // The timer's calls.

    /**
     * Reconnects after an Error has hidden a loss or prevented an attempt. Fails queued commands whose timeout has
     * expired, and logs a recovery.
     */
    void tick(long nowNanos) {
        Link current = dispatcher.link;
        Throwable loss = current == null ? null : current.failure();
        if (current == null) {
            attemptIfNoneComes();
            unsent.failDue(nowNanos);
        } else if (loss != null) {
            // Its report is about to come, or an Error has prevented the report.
            linkLost(current, loss);
        } else if (failures.isLogged()) {
            logIfRecovered(current, nowNanos);
        }
    }

    private void attemptIfNoneComes() {
        synchronized (lock) {
            if (dispatcher.link == null && dispatcher.wantsLink() && isIdle()) {
                LOG.warn("{}: an Error prevented the next attempt to connect; trying again", context);
                dispatcher.abandonMove();
                retryAfter(attempts.delayNanos(null, System.nanoTime()));
            }
        }
    }

    private void logIfRecovered(Link current, long nowNanos) {
        synchronized (lock) {
            if (dispatcher.link == current && attempts.hasServed(current, nowNanos)) {
                failures.recovered();
            }
        }
    }

    // The end.

    /** Refuses commands from now on. Commands sent before continue, and a link is opened only for them. */
    void drain() {
        synchronized (lock) {
            dispatcher.drain();
            // In state READY the attempt has ended or is about to, and its thread may write to the socket.
            if (dispatcher.state != ConnectionState.READY && !dispatcher.wantsLink()) {
                cancelAttempts();
            }
        }
    }

    /** Fails queued commands and closes every link. Does not wait. Repeats what an Error has interrupted. */
    void close() {
        List<Exchange<?>> waiting;
        synchronized (lock) {
            dispatcher.close();
            failures.closed();
            cancelAttempts();
            waiting = unsent.all();
        }
        unsent.fail(waiting, dispatcher::notConnected);
        links.forEach(Link::close);
    }

    /** Returns whether the connection is closed and no attempt is in progress. */
    boolean hasEnded() {
        synchronized (lock) {
            return dispatcher.state == ConnectionState.CLOSED && isIdle();
        }
    }
}
