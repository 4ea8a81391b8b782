// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.link.InFlight;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaRelease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that holds at most one link at a time and replaces it when it fails.
 *
 * <p>While there is a link, a command costs one volatile read here. Everything else is rare and happens
 * under {@link #lock}: queueing during the first attempt to connect, refusing afterwards, replacing links.
 *
 * <p>Threading: thread-safe. Attempts to connect block a thread of the group, one a connection at a time.
 *
 * <p>Memory effects: {@link #link} is written under the lock after the queued commands were moved to it, so
 * what a thread sends that finds it there comes after them.
 */
final class ReconnectingConnection implements Connection, Link.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** So many futures may wait to be completed, or {@code maxInFlight} if that is more. */
    private static final int MAX_BACKLOG = 1024;

    private final LinkContext context;
    private final LinkOpener opener;
    private final ConnectionGroup group;
    private final @Nullable ConnectionListener listener;
    private final Handshake handshake;
    /** For futures of commands that failed. A stage of a reply's future may wait for one of these. */
    private final FutureCompleter failed;

    /** For futures of commands whose replies were read by a thread that runs no stages. */
    private final FutureCompleter replied;

    private final OpenedLinks links = new OpenedLinks();

    private final Object lock = new Object();

    /** The link commands go to; null unless ready. Written under the lock. */
    private volatile @Nullable Link link;

    /** Written under the lock. */
    private volatile ConnectionState state = ConnectionState.NEW;

    /** Commands sent during the first attempt. Added to under the lock. */
    private final UnsentCommands unsent;

    private final WaitingReleases releases = new WaitingReleases();

    /** The link that queued commands are being moved to, before it is there for others. Guarded by the lock. */
    private @Nullable Link movingTo;

    /** Guarded by the lock. */
    private final AttemptTasks tasks;

    /** Why there is no link. Guarded by the lock. */
    private @Nullable Throwable lastFailure;

    /** Whether the server is to blame for the last failure. Written under the lock; the timer may see it late. */
    private volatile boolean serverFailed;

    /** When to try again. Guarded by the lock. */
    private final Attempts attempts;

    /** What the log tells of this and of other connections to the server. */
    private final ServerLog log;

    /** What this and other connections to the server share. */
    private final PerServer server;

    /** Told what says something about the server. */
    private final ServerWatch watch;

    /** Whether the log knows of a failure and of no recovery since. Written under the lock. */
    private volatile boolean failing;

    /** Whether a link was lost and the first attempt at another has not ended. Guarded by the lock. */
    private boolean lostJustNow;

    /** Whether commands are refused because the client is about to be closed. Guarded by the lock. */
    private boolean draining;

    /**
     * A connection without a link.
     *
     * @param server what it shares with the other connections to its server
     */
    ReconnectingConnection(LinkContext context, LinkOpener opener, ConnectionGroup group, PerServer server) {
        this.context = context;
        this.opener = opener;
        this.group = group;
        this.listener = group.listener();
        this.tasks = new AttemptTasks(group.threads());
        this.server = server;
        this.log = server.log;
        this.watch = server.watch;
        this.attempts = new Attempts(
                context.options().backoff(),
                server.sockets,
                () -> ThreadLocalRandom.current().nextLong());
        this.handshake = new Handshake(context, opener, this, server.dependencies());
        this.failed = group.threads().newFutureCompleter();
        this.unsent = new UnsentCommands(failed, new InFlight(context.options(), context.budget()));
        this.replied = group.threads().newFutureCompleter();
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        PendingReply<T> exchange = reply(command);
        if (mode.isAwaited()) {
            exchange.sendAhead();
        } else if (!mode.isRetry() && isRefusedForBacklog(exchange)) {
            return exchange;
        }
        if (!mode.isRetry() || !waitsForReconnect(exchange)) {
            dispatch(exchange);
        }
        return exchange;
    }

    private boolean isRefusedForBacklog(Exchange<?> exchange) {
        int backlog = backlog();
        if (backlog < MAX_BACKLOG || backlog < context.options().maxInFlight()) {
            return false;
        }
        LinkFailure.refuseOverload(
                exchange,
                backlog + " futures wait for a stage that blocks: do not block in stages of futures, or set a"
                        + " completionExecutor");
        return true;
    }

    /** How many futures wait to be completed. */
    int backlog() {
        return replied.backlog() + failed.backlog();
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return group.threads().pause(nanos);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        PendingReply<T> exchange = reply(command);
        exchange.registerCaller(timeoutNanos);
        try {
            dispatch(exchange);
            return exchange.awaitAsRegistered(timeoutNanos);
        } catch (Throwable e) {
            if (!exchange.isOver()) {
                // Nobody may count on this thread to read.
                exchange.abandon();
            }
            throw e;
        }
    }

    /** Returns the reply to come, whose end is reported if anybody wants to know. */
    private <T> PendingReply<T> reply(Command<T> command) {
        return listener == null && !CommandEvent.isRecorded()
                ? new PendingReply<>(command, context)
                : new ObservedReply<>(command, context, listener);
    }

    /** Queues a second attempt if the lost link is about to be replaced. Returns whether it is. */
    private boolean waitsForReconnect(Exchange<?> exchange) {
        synchronized (lock) {
            boolean waits = !draining && isAboutToReconnect();
            if (waits) {
                unsent.add(exchange);
            }
            return waits;
        }
    }

    /** Guarded by the lock. */
    private boolean isAboutToReconnect() {
        Link current = link;
        // A link that is not alive is one whose loss is not known here yet.
        return current == null ? lostJustNow && state == ConnectionState.RECONNECTING : !current.isAlive();
    }

    private void dispatch(Exchange<?> exchange) {
        Link current = link;
        if (current == null) {
            dispatchWithoutLink(exchange);
        } else {
            current.send(exchange);
        }
    }

    private void dispatchWithoutLink(Exchange<?> exchange) {
        Link current;
        synchronized (lock) {
            current = link;
            if (current == null && !draining) {
                open();
                if (state == ConnectionState.CONNECTING || movingTo != null) {
                    unsent.add(exchange);
                    return;
                }
            }
        }
        if (current == null) {
            exchange.fail(notConnected(exchange));
            exchange.completeFuture();
        } else {
            current.send(exchange);
        }
    }

    /** Starts the first attempt to connect, unless that was done before. */
    void open() {
        synchronized (lock) {
            if (state == ConnectionState.NEW) {
                become(ConnectionState.CONNECTING, null);
                startAttempt();
            }
        }
    }

    /** Why commands are not sent now; null if they are. */
    @Nullable
    String whyNotReady() {
        synchronized (lock) {
            if (link != null) {
                return null;
            }
            return context + ": " + (lastFailure == null ? "still connecting" : LinkFailure.describe(lastFailure));
        }
    }

    private MemcachedConnectionException notConnected(Exchange<?> exchange) {
        Throwable cause;
        boolean closed;
        synchronized (lock) {
            cause = lastFailure;
            closed = state == ConnectionState.CLOSED || (draining && cause == null);
        }
        String why = closed
                ? "the connection was closed by this client"
                : cause == null ? "not connected" : LinkFailure.describe(cause);
        CommandContext context = exchange.commandContext(exchange.endingPhase());
        return cause instanceof AuthenticationRefusedException
                ? new MemcachedAuthenticationException(why, context, cause)
                : new MemcachedConnectionException(why, context, cause);
    }

    private void startAttempt() {
        synchronized (lock) {
            if (!wantsLink()) {
                return;
            }
            try {
                tasks.start(this::connect, attempts.failures());
            } catch (RejectedExecutionException e) {
                lastFailure = new IOException("the client is closed", e);
            } catch (Throwable e) {
                // No thread can be started now. Perhaps one can later.
                attemptFailed(e, false);
            }
        }
    }

    /**
     * Whether it is of use to connect. If it drains, only commands that wait for a link are, and no other comes.
     * Guarded by the lock.
     */
    private boolean wantsLink() {
        return state != ConnectionState.NEW && state != ConnectionState.CLOSED && (!draining || unsent.size() > 0);
    }

    /**
     * One attempt to connect, blocking. Runs on a connecting thread. Whatever it meets, another follows in its time: if
     * this does not see to that, the timer does.
     */
    private void connect() {
        long timeoutNanos = context.options().connectTimeout().toNanos();
        long deadline = Long.MAX_VALUE;
        Link opened;
        try {
            log.attempted();
            opener.prepare();
            deadline = System.nanoTime() + timeoutNanos;
            opened = handshake.open(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            attemptFailed(new IOException("closed while connecting", e), false);
            return;
        } catch (Throwable e) {
            attemptFailed(e, deadline - System.nanoTime() <= 0);
            return;
        }
        boolean published = false;
        Throwable failure = null;
        try {
            synchronized (lock) {
                attempts.linkReady(opened, System.nanoTime());
            }
            links.add(opened);
            unsent.setMoving(true);
            published = publish(opened);
        } catch (Throwable e) {
            failure = e;
        } finally {
            unsent.setMoving(false);
        }
        if (!published) {
            opened.close();
            lostWhileMoving(opened, failure == null ? new IOException("lost with its first commands") : failure);
        } else if (!opened.isAlive()) {
            linkLost(opened, new IOException("lost while connecting"));
        }
    }

    /** Moves the queued commands to a link, then lets all others go there; false if it has failed or is not wanted. */
    private boolean publish(Link opened) {
        while (opened.isAlive()) {
            Exchange<?> first;
            synchronized (lock) {
                if (state == ConnectionState.CLOSED) {
                    return false;
                }
                become(ConnectionState.READY, null);
                first = unsent.first();
                movingTo = first == null ? null : opened;
                if (first == null) {
                    lastFailure = null;
                    link = draining ? null : opened;
                    return true;
                }
            }
            // What is sent meanwhile is queued, and so comes after it.
            if (first.isOver()) {
                failed(first);
            } else {
                move(first, opened);
                first.wake();
            }
            unsent.removeFirst(first);
        }
        return false;
    }

    private void move(Exchange<?> exchange, Link opened) {
        try {
            opened.send(exchange);
        } catch (Throwable e) {
            LOG.error("{} could not be given what waited for it", exchange.context, e);
            // It is not moved again. Those that come after it wait for the next link.
            opened.close();
            LinkFailure.fail(exchange, e);
            failed(exchange);
        }
    }

    /** The link has failed because of what was moved to it; what was not waits for the next attempt. */
    private void lostWhileMoving(Link lost, Throwable failure) {
        synchronized (lock) {
            if (state != ConnectionState.CLOSED) {
                movingTo = null;
                attempts.linkLost(lost, System.nanoTime());
                reconnectAfter(failure);
            }
        }
    }

    private void attemptFailed(Throwable cause, boolean timedOut) {
        List<Exchange<?>> waiting;
        synchronized (lock) {
            if (!wantsLink()) {
                return;
            }
            lostJustNow = false;
            movingTo = null;
            become(ConnectionState.RECONNECTING, cause);
            failedFor(cause instanceof AuthenticationRefusedException ? cause : cannotConnect(cause, timedOut), cause);
            waiting = unsent.all();
        }
        unsent.fail(waiting, this::notConnected);
    }

    /** Begins the next attempt now, if that is to be made later. */
    void attemptNow() {
        synchronized (lock) {
            if (state == ConnectionState.RECONNECTING && tasks.cancelLater()) {
                startAttempt();
            }
        }
    }

    private IOException cannotConnect(Throwable cause, boolean timedOut) {
        String what = Handshake.wasConnected(cause) ? "cannot use " : "cannot connect to ";
        String within =
                timedOut ? " within " + context.options().connectTimeout().toMillis() + " ms" : "";
        return new IOException(what + context.server() + within + ": " + LinkFailure.describe(cause), cause);
    }

    @Override
    public void failed(List<Exchange<?>> exchanges) {
        failed.complete(exchanges);
    }

    @Override
    public void replied(List<Exchange<?>> exchanges) {
        replied.complete(exchanges);
    }

    /** On a thread of the group. If it fails, callers get the stale item until its time is over. */
    @Override
    public void release(List<MetaRelease> claims) {
        releases.release(claims, this::pause, this::send);
    }

    /** Not on a link of the handshake: if that has no answer, the attempt fails. */
    @Override
    public void timedOut(Link asked, long sentNanos, String why) {
        if (asked == link) {
            watch.timedOut(sentNanos, System.nanoTime(), why);
        }
    }

    @Override
    public void linkLost(Link lost, Throwable cause) {
        // No command suffers from the loss of an idle link, as to a server's idle_timeout, so none is refused for it.
        boolean idle = lost.inFlight() == 0 && cause instanceof IOException;
        synchronized (lock) {
            if (link != lost || state == ConnectionState.CLOSED) {
                return;
            }
            link = null;
            long now = System.nanoTime();
            attempts.linkLost(lost, now);
            if (idle && attempts.hasServed(lost, now) && attempts.mayStart(now)) {
                LOG.debug("{}: lost while idle ({}), to be opened again", context, LinkFailure.describe(cause));
                become(ConnectionState.CONNECTING, cause);
                startAttempt();
                return;
            }
            reconnectAfter(cause);
        }
    }

    /** Guarded by the lock. */
    private void reconnectAfter(Throwable loss) {
        become(ConnectionState.RECONNECTING, loss);
        lostJustNow = true;
        IOException lost = new IOException("connection lost (" + LinkFailure.describe(loss) + ")", loss);
        failedFor(lost, lost);
    }

    /** Has the failure told, and another attempt made after it. Guarded by the lock. */
    private void failedFor(Throwable failure, Throwable cause) {
        lastFailure = failure;
        if (!draining) {
            failing = true;
            log.failed(this, context, LinkFailure.describe(failure), cause);
            // A server that refuses credentials is there, and an Error is this process's own.
            serverFailed = cause instanceof IOException && !(cause instanceof AuthenticationRefusedException);
            if (serverFailed) {
                watch.failed(LinkFailure.describe(failure));
            }
        }
        tasks.startLater(this::startAttempt, attempts.delayNanos(cause, System.nanoTime()));
    }

    /** Changes the state and has that told. Guarded by the lock. */
    private void become(ConnectionState next, @Nullable Throwable cause) {
        ConnectionState previous = state;
        if (previous != next) {
            state = next;
            try {
                StateEvent.record(context, previous, next, cause);
                group.threads().announcer().stateChanged(this, previous, next, cause);
            } catch (Throwable e) {
                // What comes after a change of state must come, whether it could be told or not.
                LOG.error("{}: {} after {} could not be told", context, next, previous, e);
            }
        }
    }

    /** The timer's call. Runs no stage of a future, because the long waits of other callers end by the timer. */
    void tick(long nowNanos) {
        failed.tick();
        replied.tick();
        unsent.settle();
        if (links.tick(nowNanos)) {
            watch.answered();
        }
        Link current = link;
        if (current == null) {
            attemptIfNoneComes();
            unsent.failDue(nowNanos);
        } else if (!current.isAlive()) {
            linkLost(current, new IOException("an Error has kept its loss from being told"));
        } else if (failing) {
            tellIfRecovered(current, nowNanos);
        }
    }

    private void tellIfRecovered(Link current, long nowNanos) {
        synchronized (lock) {
            if (link == current && attempts.hasServed(current, nowNanos)) {
                failing = false;
                log.recovered(this);
            }
        }
    }

    private void attemptIfNoneComes() {
        synchronized (lock) {
            if (link == null && wantsLink() && tasks.areDone()) {
                LOG.warn("{}: an Error has kept the next attempt to connect from being made", context);
                movingTo = null;
                tasks.startLater(this::startAttempt, attempts.delayNanos(null, System.nanoTime()));
            }
        }
    }

    @Override
    public boolean isReady() {
        ConnectionState now = state;
        return now == ConnectionState.NEW || now == ConnectionState.CONNECTING || now == ConnectionState.READY;
    }

    @Override
    public int inFlight() {
        Link current = link;
        if (current != null) {
            return current.inFlight();
        }
        synchronized (lock) {
            return unsent.size() + (movingTo == null ? 0 : movingTo.inFlight());
        }
    }

    @Override
    public long bytesInFlight() {
        Link current = link;
        return current == null ? unsent.bytes() : current.bytesInFlight();
    }

    @Override
    public ConnectionState state() {
        return state;
    }

    /** Whether it is without a link, and that is a failure of the server. */
    boolean isCutOff() {
        return state == ConnectionState.RECONNECTING && serverFailed;
    }

    @Override
    public ServerAddress server() {
        return context.server();
    }

    @Override
    public boolean hidesKeys() {
        return context.options().hidesKeys();
    }

    @Override
    public int index() {
        return context.index();
    }

    @Override
    public @Nullable String socket() {
        return context.socket();
    }

    /** Refuses commands from now on. Those that were sent before go on, and only for them it still connects. */
    void drain() {
        synchronized (lock) {
            draining = true;
            link = null;
            // One that is ready has ended its attempt, or is about to, and its thread may write to the socket.
            if (state != ConnectionState.READY && !wantsLink()) {
                tasks.cancel();
            }
        }
    }

    /** Whether no command is queued or in flight, and no future waits to be completed. */
    boolean isDrained() {
        return unsent.size() == 0 && links.areDrained() && backlog() == 0;
    }

    /**
     * Closes a connection that drains, if it is drained. A thread that found a link before may still send on it. That
     * is refused before it is looked once more, so nothing is closed that was sent meanwhile.
     */
    void closeIfDrained() {
        if (isDrained()) {
            links.forEach(Link::refuse);
            if (isDrained()) {
                close();
            }
        }
    }

    /** Whether nothing is left to be done for a closed connection: no link, no attempt and no future. */
    boolean isOver() {
        synchronized (lock) {
            if (state != ConnectionState.CLOSED || !tasks.areDone()) {
                return false;
            }
        }
        return links.isEmpty() && isDrained();
    }

    @Override
    public void retire(Duration drainTimeout) {
        server.retire(this, drainTimeout);
    }

    /** Waits for nothing: see {@link #awaitClosed}. Called again, it does again what an Error has cut short. */
    @Override
    public void close() {
        List<Exchange<?>> waiting;
        synchronized (lock) {
            become(ConnectionState.CLOSED, null);
            movingTo = null;
            link = null;
            failing = false;
            log.closed(this);
            tasks.cancel();
            waiting = unsent.all();
        }
        unsent.fail(waiting, this::notConnected);
        links.forEach(Link::close);
    }

    /** Waits until the links of a closed connection have given back what they have, or the time is over. */
    void awaitClosed(long deadlineNanos) {
        links.forEach(each -> each.awaitClosed(deadlineNanos));
    }

    /** {@code host:port[index] STATE}. */
    @Override
    public String toString() {
        return context + " " + state;
    }
}
