package io.memshard.client.connection;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Backoff;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
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

    private final LinkContext context;
    private final LinkOpener opener;
    private final ConnectionGroup group;
    private final Handshake handshake;
    /** For futures of commands that failed. A stage of a reply's future may wait for one of these. */
    private final FutureCompleter failed;

    /** For futures of commands whose replies were read by a thread that runs no stages. */
    private final FutureCompleter replied;

    /** Every link from when it opens until nothing is left to be done for it. */
    private final List<Link> links = new CopyOnWriteArrayList<>();

    private final Object lock = new Object();

    /** The link commands go to; null unless ready. Written under the lock. */
    private volatile @Nullable Link link;

    /** Written under the lock. */
    private volatile ConnectionState state = ConnectionState.NEW;

    /** Commands sent during the first attempt. Added to under the lock. */
    private final UnsentCommands unsent;

    /** The link that queued commands are being moved to, before it is there for others. Guarded by the lock. */
    private @Nullable Link movingTo;

    /** The last attempt, done when it is over, whatever has ended it. Guarded by the lock. */
    private @Nullable Future<?> attempt;

    /** The timer's last task to start an attempt. Guarded by the lock. */
    private @Nullable Future<?> retry;

    /** Why there is no link. Guarded by the lock. */
    private @Nullable Throwable lastFailure;

    /** Attempts failed in a row, the loss of a link being the first. Guarded by the lock. */
    private int failures;

    /** Whether a link was lost and the first attempt at another has not ended. Guarded by the lock. */
    private boolean lostJustNow;

    /** When the link became ready. Guarded by the lock. */
    private long readySinceNanos;

    ReconnectingConnection(LinkContext context, LinkOpener opener, ConnectionGroup group) {
        this.context = context;
        this.opener = opener;
        this.group = group;
        this.handshake = new Handshake(context, opener, this, System::nanoTime);
        this.failed = group.newFutureCompleter();
        this.unsent = new UnsentCommands(failed);
        this.replied = group.newFutureCompleter();
    }

    @Override
    public <T> Reply<T> send(Command<T> command) {
        PendingReply<T> exchange = reply(command);
        dispatch(exchange);
        return exchange;
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        return call(command, timeoutNanos, false);
    }

    @Override
    public <T> Reply<T> sendAgain(Command<T> command) {
        PendingReply<T> exchange = reply(command);
        dispatchAgain(exchange);
        return exchange;
    }

    @Override
    public <T> T callAgain(Command<T> command, long timeoutNanos) {
        return call(command, timeoutNanos, true);
    }

    private <T> T call(Command<T> command, long timeoutNanos, boolean again) {
        PendingReply<T> exchange = reply(command);
        exchange.registerCaller(timeoutNanos);
        try {
            if (again) {
                dispatchAgain(exchange);
            } else {
                dispatch(exchange);
            }
            return exchange.awaitAsRegistered(timeoutNanos);
        } catch (Throwable e) {
            if (!exchange.isOver()) {
                // Nobody may count on this thread to read.
                exchange.abandon();
            }
            throw e;
        }
    }

    private <T> PendingReply<T> reply(Command<T> command) {
        ConnectionListener listener = group.listener();
        return listener == null && !CommandEvent.isRecorded()
                ? new PendingReply<>(command, context)
                : new ObservedReply<>(command, context, listener);
    }

    private void dispatchAgain(Exchange<?> exchange) {
        synchronized (lock) {
            if (isAboutToReconnect()) {
                unsent.add(exchange, context.options().maxInFlight());
                return;
            }
        }
        dispatch(exchange);
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
            if (current == null) {
                if (state == ConnectionState.NEW) {
                    become(ConnectionState.CONNECTING, null);
                    startAttempt();
                }
                if (state == ConnectionState.CONNECTING || movingTo != null) {
                    unsent.add(exchange, context.options().maxInFlight());
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

    private MemcachedConnectionException notConnected(Exchange<?> exchange) {
        Throwable cause;
        synchronized (lock) {
            cause = lastFailure;
        }
        String why = state == ConnectionState.CLOSED
                ? "the connection was closed by this client"
                : cause == null ? "not connected" : LinkFailure.describe(cause);
        CommandContext context = exchange.commandContext(exchange.endingPhase());
        return cause instanceof AuthenticationRefusedException
                ? new MemcachedAuthenticationException(why, context, cause)
                : new MemcachedConnectionException(why, context, cause);
    }

    private void startAttempt() {
        synchronized (lock) {
            if (state == ConnectionState.CLOSED) {
                return;
            }
            try {
                attempt = group.connect(this::connect);
            } catch (RejectedExecutionException e) {
                lastFailure = new IOException("the client is closed", e);
            } catch (Throwable e) {
                // No thread can be started now. Perhaps one can later.
                attemptFailed(e);
            }
        }
    }

    /**
     * One attempt to connect, blocking. Runs on a connecting thread. Whatever it meets, another follows in its time: if
     * this does not see to that, the timer does.
     */
    private void connect() {
        long timeoutNanos = context.options().connectTimeout().toNanos();
        Link opened;
        try {
            opener.prepare();
            opened = handshake.open(System.nanoTime() + timeoutNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            attemptFailed(new IOException("closed while connecting", e));
            return;
        } catch (Throwable e) {
            attemptFailed(e);
            return;
        }
        boolean published = false;
        Throwable failure = null;
        try {
            links.add(opened);
            published = publish(opened);
        } catch (Throwable e) {
            failure = e;
        }
        if (!published) {
            opened.close();
            lostWhileMoving(failure == null ? new IOException("lost with its first commands") : failure);
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
                    failures = 0;
                    lastFailure = null;
                    readySinceNanos = System.nanoTime();
                    link = opened;
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
    private void lostWhileMoving(Throwable failure) {
        synchronized (lock) {
            if (state != ConnectionState.CLOSED) {
                movingTo = null;
                reconnectAfter(failure);
            }
        }
    }

    private void attemptFailed(Throwable cause) {
        List<Exchange<?>> waiting;
        synchronized (lock) {
            if (state == ConnectionState.CLOSED) {
                return;
            }
            boolean first = state != ConnectionState.RECONNECTING;
            lostJustNow = false;
            movingTo = null;
            boolean unwanted = cause instanceof AuthenticationRefusedException;
            lastFailure = unwanted
                    ? cause
                    : new IOException(
                            "cannot connect to " + context.server() + " within "
                                    + context.options().connectTimeout().toMillis() + " ms: "
                                    + LinkFailure.describe(cause),
                            cause);
            become(ConnectionState.RECONNECTING, cause);
            if (cause instanceof Error) {
                LOG.error("{}: {}", context, lastFailure.getMessage(), cause);
            } else if (first) {
                LOG.warn("{}: {}", context, lastFailure.getMessage());
            }
            waiting = unsent.all();
            RandomGenerator random = ThreadLocalRandom.current();
            Backoff backoff = context.options().backoff();
            retryAfter(unwanted ? backoff.slowDelayNanos(random) : backoff.delayNanos(failures, random));
        }
        unsent.fail(waiting, this::notConnected);
    }

    @Override
    public void failed(List<Exchange<?>> exchanges) {
        failed.complete(exchanges);
    }

    @Override
    public void replied(List<Exchange<?>> exchanges) {
        replied.complete(exchanges);
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
            if (idle && hasServed()) {
                LOG.info("{}: lost while idle ({}), opened again", context, LinkFailure.describe(cause));
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
        lastFailure = new IOException("connection lost (" + LinkFailure.describe(loss) + ")", loss);
        LOG.warn("{}: {}", context, lastFailure.getMessage());
        retryAfter(context.options().backoff().delayNanos(failures, ThreadLocalRandom.current()));
    }

    /** Whether the link has lived long enough for another to be opened at once. Guarded by the lock. */
    private boolean hasServed() {
        return System.nanoTime() - readySinceNanos
                > context.options().backoff().base().toNanos();
    }

    /** Guarded by the lock. */
    private void retryAfter(long delayNanos) {
        failures++;
        try {
            retry = group.connectLater(this::startAttempt, delayNanos);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: the client is closed, so it does not reconnect", context);
        }
    }

    /** Changes the state and has that told. Guarded by the lock. */
    private void become(ConnectionState next, @Nullable Throwable cause) {
        ConnectionState previous = state;
        if (previous != next) {
            state = next;
            try {
                StateEvent.record(context, previous, next, cause);
                group.announce(this, previous, next, cause);
            } catch (Throwable e) {
                // What comes after a change of state must come, whether it could be told or not.
                LOG.error("{}: {} after {} could not be told", context, next, previous, e);
            }
        }
    }

    /** The timer's call. Runs no stage of a future, because the long waits of other callers end by the timer. */
    void tick(long nowNanos) {
        failed.completeLeftOver();
        replied.completeLeftOver();
        links.removeAll(links.stream().filter(each -> !each.tick(nowNanos)).toList());
        if (link == null) {
            attemptIfNoneComes();
            unsent.failDue(nowNanos);
        }
    }

    private void attemptIfNoneComes() {
        synchronized (lock) {
            boolean wantsLink = link == null && state != ConnectionState.NEW && state != ConnectionState.CLOSED;
            if (wantsLink && isDone(attempt) && isDone(retry)) {
                LOG.warn("{}: an Error has kept the next attempt to connect from being made", context);
                movingTo = null;
                retryAfter(context.options().backoff().base().toNanos());
            }
        }
    }

    private static boolean isDone(@Nullable Future<?> task) {
        return task == null || task.isDone();
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
    public ConnectionState state() {
        return state;
    }

    @Override
    public ServerAddress server() {
        return context.server();
    }

    @Override
    public int index() {
        return context.index();
    }

    /** Waits for nothing: see {@link #awaitClosed}. Called again, it does again what an Error has cut short. */
    @Override
    public void close() {
        List<Exchange<?>> waiting;
        synchronized (lock) {
            become(ConnectionState.CLOSED, null);
            movingTo = null;
            link = null;
            if (attempt != null) {
                attempt.cancel(true);
            }
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
