// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.link.InFlight;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Keeper of a connection's link. Opens the link, replaces it after a failure, and queues or fails commands meanwhile.
 * At most one link is in use at a time.
 *
 * <h2>Every command completes exactly once</h2>
 *
 * <p>A command is sent on a link, refused, or queued. A link completes each command that it has accepted; a refused
 * command fails here. {@link #publish} moves queued commands to a link. Senders see this link only once the queue is
 * empty, so no later command overtakes a queued one. A failed attempt to connect, or the closing of the connection,
 * fails the queued commands. Both change the state and read the queue under one lock, so no command is queued in
 * between. The timer fails a queued command when its timeout expires, even if an {@link Error} has interrupted one of
 * these steps.
 *
 * <h2>An attempt follows each failure</h2>
 *
 * <p>While there is no link, an attempt to connect runs or is scheduled, unless the connection is new, closed or
 * drained ({@link #isSound}). If an Error has prevented the attempt, the timer schedules one.
 *
 * <p>Threading: thread-safe. An attempt blocks a thread of the client. If an Error causes two attempts at a time, only
 * the last one has an effect ({@link #number}). {@link #lock} guards each change of the {@link #state}, the additions
 * to the queue, and the fields marked below. A thread takes this lock before the monitors of the queue, the timer, the
 * log, and the server's watch and budget. No thread calls a connection while it holds one of these monitors.
 *
 * <p>Memory effects: a state with a link is written under the lock, after the queued commands were moved to the link. A
 * command from a thread that has read this link therefore follows the queued commands.
 */
abstract class LinkKeeper implements Connection, Link.Listener {

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    final LinkContext context;
    final LinkOpener opener;
    final ConnectionGroup group;
    final PerServer server;

    /** Completer of the futures of failed commands, for which stages of other futures may wait. */
    final FutureCompleter failed;

    final UnsentCommands unsent;
    final OpenedLinks links = new OpenedLinks();
    private final Handshake handshake;
    private final Object lock = new Object();

    volatile State state;

    // All fields below are guarded by the lock.

    private final Attempts attempts;

    private @Nullable Future<?> attempt;

    /** Number of the last attempt, and higher once the attempt has failed. A late outcome then has no effect. */
    private int number;

    private Timer.@Nullable Task retry;

    /** True if the last attempt started before its scheduled time, because the server works again. */
    private boolean isOnCredit;

    private boolean isFailing;

    LinkKeeper(LinkContext context, LinkOpener opener, ConnectionGroup group, PerServer server) {
        this.context = context;
        this.opener = opener;
        this.group = group;
        this.server = server;
        failed = group.threads().newFutureCompleter();
        unsent = new UnsentCommands(failed, new InFlight(context.options(), context.budget()));
        handshake = new Handshake(context, opener, this, server.dependencies());
        state = State.created(context.protocol() == Protocol.CLASSIC);
        attempts = new Attempts(
                new Backoff(
                        context.options().firstReconnectDelay(),
                        context.options().longestReconnectDelay()),
                server.sockets,
                () -> ThreadLocalRandom.current().nextLong());
    }

    final void sendWithoutLink(Exchange<?> exchange) {
        State now;
        synchronized (lock) {
            open();
            now = state;
            if (now.queues()) {
                unsent.add(exchange);
                return;
            }
        }
        Link current = now.link();
        if (current == null) {
            exchange.fail(now.failureOf(exchange));
            exchange.completeFuture();
        } else {
            current.send(exchange);
        }
    }

    /** Queues the second attempt of a command if a lost link is about to be replaced. Otherwise returns false. */
    final boolean queueAgain(Exchange<?> exchange) {
        synchronized (lock) {
            boolean queues = state.queuesAgain();
            if (queues) {
                unsent.add(exchange);
            }
            return queues;
        }
    }

    @Override
    public void open() {
        synchronized (lock) {
            if (state.is(ConnectionState.NEW) && !state.isDraining()) {
                become(state.connecting(), null);
                startAttempt();
                assert isSound();
            }
        }
    }

    void attemptNow() {
        synchronized (lock) {
            if (state.is(ConnectionState.RECONNECTING) && retry != null && retry.cancel()) {
                isOnCredit = true;
                startAttempt();
                assert isSound();
            }
        }
    }

    private void startAttempt() {
        synchronized (lock) {
            if (state.link() != null || state.movingTo() != null || needsNoLink()) {
                return;
            }
            int mine = ++number;
            try {
                attempt = group.threads().connect(() -> connect(mine), attempts.failures());
            } catch (RejectedExecutionException e) {
                // The client is closed, and closes this connection.
            } catch (Throwable e) {
                // No thread can start now, so another attempt follows later.
                attemptFailed(mine, e, false);
            }
        }
    }

    private void connect(int mine) {
        long deadline = Long.MAX_VALUE;
        Link opened;
        try {
            opener.prepare();
            deadline = System.nanoTime() + context.options().connectTimeout().toNanos();
            opened = handshake.open(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            attemptFailed(mine, new IOException("the client closed the connection before it was open", e), false);
            return;
        } catch (Throwable e) {
            attemptFailed(mine, e, deadline - System.nanoTime() <= 0);
            return;
        }
        boolean isFirst = false;
        boolean published = false;
        Throwable failure = null;
        try {
            synchronized (lock) {
                attempts.linkReady(opened.completed(), System.nanoTime());
                isFirst = !isOnCredit;
            }
            links.add(opened);
            unsent.setMoving(true);
            published = publish(mine, opened);
        } catch (Throwable e) {
            failure = e;
        } finally {
            unsent.setMoving(false);
        }
        if (!published) {
            opened.close();
            lostWhileMoving(mine, opened, failure == null ? opened.failure() : failure);
        } else if (isFirst) {
            server.reconnect(); // Not for an attempt that was itself started early.
        }
    }

    /**
     * Moves the queued commands to a link, and then lets senders use it. Called without the lock, because the calling
     * thread may write to the socket. Returns false if the link has failed, the connection is closed, or another
     * attempt has begun.
     */
    private boolean publish(int mine, Link opened) {
        while (true) {
            Exchange<?> first;
            synchronized (lock) {
                // Under the lock, so that a later failure is reported after the link is in place.
                if (mine != number || state.is(ConnectionState.CLOSED) || !opened.isAlive()) {
                    return false;
                }
                group.connected(); // Before moved commands end; see ConnectionGroup.callNanos.
                first = unsent.first();
                if (first == null || state.movingTo() != opened) {
                    become(state.opened(opened, first != null), null);
                }
                if (first == null) {
                    assert isSound();
                    return true;
                }
            }
            // A command sent meanwhile is queued, and therefore follows this one.
            unsent.moveFirst(first, opened);
        }
    }

    private void attemptFailed(int mine, Throwable cause, boolean timedOut) {
        List<Exchange<?>> waiting;
        State now;
        synchronized (lock) {
            if (mine != number || needsNoLink()) {
                return;
            }
            reconnectLater(handshake.failure(cause, timedOut), cause, false);
            waiting = unsent.all();
            now = state;
        }
        unsent.fail(waiting, now::failureOf);
    }

    @Override
    public void linkLost(Link lost, Throwable cause) {
        synchronized (lock) {
            if (state.link() == lost) {
                replace(lost, cause);
            }
        }
    }

    private void lostWhileMoving(int mine, Link lost, @Nullable Throwable cause) {
        synchronized (lock) {
            if (mine == number && cause != null && !state.is(ConnectionState.CLOSED)) {
                replace(lost, cause);
            }
        }
    }

    /**
     * Replaces a lost link. If the link has served, the server may have closed it as idle. The next attempt then starts
     * now, and commands wait for it. Called under the lock, like all methods down to {@link #tickLink}.
     */
    private void replace(Link lost, Throwable cause) {
        long now = System.nanoTime();
        IOException loss = new IOException("connection lost (" + LinkFailure.describe(cause) + ")", cause);
        boolean hasServed = attempts.hasServed(lost.completed(), now);
        boolean isClosed = cause instanceof IOException && !(cause instanceof SocketTimeoutException);
        if (!isClosed || !hasServed || !attempts.mayStart(now)) {
            reconnectLater(loss, cause, true);
            return;
        }
        if (lost.inFlight() > 0) {
            report(loss, cause, 0, isServersFault(loss));
        } else {
            LOG.debug("{}: the idle connection was lost ({}); reconnecting", context, LinkFailure.describe(cause));
        }
        become(state.connecting(), cause);
        isOnCredit = false;
        startAttempt();
        assert isSound();
    }

    private void reconnectLater(Throwable failure, Throwable cause, boolean isLost) {
        number++;
        isOnCredit = false;
        long now = System.nanoTime();
        long delay = attempts.delayNanos(cause, now);
        boolean isServersFault = isServersFault(isLost ? failure : cause);
        become(state.reconnecting(failure, now + delay, isLost, isServersFault), cause);
        if (!state.isDraining()) {
            report(failure, cause, delay, isServersFault);
        }
        try {
            retry = group.threads().connectLater(this::startAttempt, delay);
        } catch (RejectedExecutionException e) {
            // The client is closed, and closes this connection.
        }
        assert isSound();
    }

    private void report(Throwable failure, Throwable cause, long delayNanos, boolean isServersFault) {
        isFailing = true;
        server.log.failed(this, context, LinkFailure.describe(failure) + State.nextAttemptIn(delayNanos), cause);
        if (isServersFault) {
            server.watch.failed(LinkFailure.describe(failure));
        }
    }

    /**
     * Returns whether a failure counts against the server. A server that refuses credentials, or is full but serves
     * another connection of this client, works. An Error comes from this process.
     */
    private boolean isServersFault(Throwable cause) {
        return cause instanceof IOException
                && !(cause instanceof AuthenticationRefusedException)
                && !(ServerFullException.isCauseOf(cause) && server.isOpen(this));
    }

    private boolean needsNoLink() {
        return state.is(ConnectionState.NEW)
                || state.is(ConnectionState.CLOSED)
                || (state.isDraining() && unsent.size() == 0);
    }

    private boolean isSound() {
        return state.link() != null
                || needsNoLink()
                || isAttempting()
                || (state.is(ConnectionState.RECONNECTING) && isScheduled())
                || group.isClosed();
    }

    private boolean isAttempting() {
        return attempt != null && !attempt.isDone();
    }

    private boolean isScheduled() {
        return retry != null && !retry.isDone();
    }

    private void cancelAttempts() {
        if (retry != null) {
            retry.cancel();
        }
        if (attempt != null) {
            attempt.cancel(true);
        }
    }

    private void become(State next, @Nullable Throwable cause) {
        State previous = state;
        state = next;
        if (previous.name() == next.name()) {
            return;
        }
        try {
            group.threads().announcer().stateChanged(context, this, previous.name(), next.name(), cause);
        } catch (Throwable e) {
            // The next steps must follow even if the change was not announced.
            LOG.error("{}: the listener missed the change from {} to {}", context, previous.name(), next.name(), e);
        }
    }

    /** Fails due commands, repeats an attempt that an Error has prevented, and logs a recovery. Called by the timer. */
    final void tickLink(long nowNanos) {
        unsent.settle();
        links.tick(nowNanos, server);
        if (state.link() == null) {
            unsent.failDue(nowNanos);
        }
        synchronized (lock) {
            Link current = state.link();
            Throwable loss = current == null ? null : current.failure();
            if (current != null && loss != null) {
                // The link is about to report its loss, or an Error has prevented the report.
                replace(current, loss);
            } else if (!isSound()) {
                Throwable missed = new IllegalStateException("an Error prevented the last attempt to connect");
                reconnectLater(missed, missed, false);
            } else if (current != null && isFailing && attempts.hasServed(current.completed(), nowNanos)) {
                isFailing = false;
                server.log.recovered(this);
            }
        }
    }

    @Override
    public boolean isReady() {
        ConnectionState now = state();
        return now == ConnectionState.NEW || now == ConnectionState.CONNECTING || now == ConnectionState.READY;
    }

    @Override
    public int inFlight() {
        Link current = state.link();
        if (current != null) {
            return current.inFlight();
        }
        synchronized (lock) {
            Link moving = state.movingTo();
            return unsent.size() + (moving == null ? 0 : moving.inFlight());
        }
    }

    @Override
    public long bytesInFlight() {
        Link current = state.link();
        return current == null ? unsent.bytes() : current.bytesInFlight();
    }

    @Override
    public ConnectionState state() {
        return state.name();
    }

    @Nullable
    String whyNotReady() {
        State now = state;
        Throwable why = now.failure();
        return now.link() != null
                ? null
                : context + ": " + (why == null ? "still connecting" : LinkFailure.describe(why));
    }

    boolean isCutOff() {
        return state.isServersFault();
    }

    /** Refuses further commands. Earlier commands continue, and a link is opened only for them. */
    void drain() {
        synchronized (lock) {
            become(state.draining(), null);
            // In state READY, the attempt has ended or is about to, and its thread may be writing to the socket.
            if (!state.is(ConnectionState.READY) && needsNoLink()) {
                cancelAttempts();
            }
        }
    }

    final boolean hasEnded() {
        synchronized (lock) {
            return state.is(ConnectionState.CLOSED) && !isAttempting() && !isScheduled();
        }
    }

    @Override
    public void close() {
        List<Exchange<?>> waiting;
        State now;
        synchronized (lock) {
            become(state.closed(), null);
            now = state;
            server.log.closed(this);
            cancelAttempts();
            waiting = unsent.all();
        }
        unsent.fail(waiting, now::failureOf);
        links.forEach(Link::close);
    }
}
