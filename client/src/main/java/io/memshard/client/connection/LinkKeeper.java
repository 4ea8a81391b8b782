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
import io.memshard.client.listener.ConnectionStatus;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Keeper of a connection's link. Opens and replaces the link, and queues or fails commands meanwhile.
 *
 * <p>Every command completes exactly once. A link completes the commands that it has accepted, and this class fails the
 * others. {@link #publish} shows a link to senders only after the queued commands have moved to this link, so that
 * later commands follow them. A failed attempt or a close changes the state and reads the queue in one locked block, so
 * that no command is queued in between.
 *
 * <p>Threading: thread-safe. {@link #lock} guards each change of the {@link #state}, the additions to the queue, and
 * the fields marked below. A thread that needs several locks takes this one before the monitors of the queue and of the
 * objects in {@link PerServer}. A thread that holds one of these monitors does not call a connection.
 */
abstract class LinkKeeper implements ConnectionStatus, AutoCloseable, Link.Listener {

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    final LinkContext context;
    final LinkOpener opener;
    final ConnectionGroup group;
    final PerServer server;

    /** Separate from {@link #replied}, because functions attached to a future may wait for failed commands. */
    final FutureCompleter failed;

    final FutureCompleter replied;

    private final UnsentCommands unsent;
    private final List<OpenedLink> links = new CopyOnWriteArrayList<>();
    private final Handshake handshake;
    private final Backoff backoff;
    private final Object lock = new Object();

    volatile State state = State.CREATED;

    /** Deadline of the drain. Written before {@link #state}. */
    private long closeByNanos;

    // All fields below are guarded by the lock.

    private Future<?> attempt = CompletableFuture.completedFuture(null);

    /** True if the last attempt started early, because the server works again. */
    private boolean isEarly;

    /** Number of consecutive attempts that failed, or whose link never worked. */
    private int failures;

    private @Nullable OpenedLink last;

    LinkKeeper(LinkContext context, LinkOpener opener, ConnectionGroup group, PerServer server) {
        this.context = context;
        this.opener = opener;
        this.group = group;
        this.server = server;
        failed = group.threads.newFutureCompleter();
        replied = group.threads.newFutureCompleter();
        unsent = new UnsentCommands(failed, new InFlight(context.options(), context.budget()));
        handshake = new Handshake(context, opener, this, server);
        backoff = context.options().reconnectDelay;
    }

    final void sendWithoutLink(Exchange<?> exchange, boolean isRetry) {
        State now;
        synchronized (lock) {
            open();
            reportLoss();
            now = state;
            if (now.queues(isRetry)) {
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

    public final void open() {
        synchronized (lock) {
            if (state.is(ConnectionState.NEW) && !state.isDraining()) {
                become(state.connecting(), null);
                startAttempt();
            }
        }
    }

    final void attemptNow() {
        synchronized (lock) {
            if (state.is(ConnectionState.RECONNECTING) && attempt.isDone() && !needsNoLink()) {
                isEarly = true;
                startAttempt();
            }
        }
    }

    /** Called under the lock. */
    private void startAttempt() {
        if (attempt.isDone()) {
            try {
                attempt = group.threads.connect(this::connect, failures);
            } catch (Throwable e) {
                // No thread can start, and a tick tries again; or the client is closed.
            }
        }
    }

    private void connect() {
        long deadline = Long.MAX_VALUE;
        Link link;
        try {
            opener.prepare();
            deadline = System.nanoTime() + context.options().connectTimeout.toNanos();
            link = handshake.open(deadline);
        } catch (Throwable e) {
            attemptFailed(e, deadline - System.nanoTime() <= 0);
            return;
        }
        boolean wasEarly = false;
        boolean published = false;
        Throwable failure = null;
        try {
            OpenedLink opened = new OpenedLink(link);
            synchronized (lock) {
                wasEarly = isEarly;
                last = opened;
            }
            links.add(opened);
            unsent.setMoving(true);
            published = publish(link);
        } catch (Throwable e) {
            failure = e;
        } finally {
            unsent.setMoving(false);
        }
        if (!published) {
            link.close();
            Throwable cause = failure == null ? link.failure() : failure;
            synchronized (lock) {
                if (cause != null && !state.is(ConnectionState.CLOSED)) {
                    replace(link, cause);
                }
            }
        } else if (!wasEarly) {
            server.reconnect();
        }
    }

    /** Called without the lock, because moving a command to the link may write to the socket. */
    private boolean publish(Link opened) {
        while (true) {
            Exchange<?> first;
            synchronized (lock) {
                // Under the lock, so that a later failure is reported after the link is in place.
                if (state.is(ConnectionState.CLOSED) || !opened.isAlive()) {
                    return false;
                }
                group.hasConnected = true; // Must come before moved commands end: ConnectionGroup.callNanos.
                first = unsent.first();
                if (first == null) {
                    become(state.opened(opened), null);
                    server.log.recovered(this);
                    return true;
                }
                become(state.moving(), null);
            }
            unsent.moveFirst(first, opened);
        }
    }

    private void attemptFailed(Throwable cause, boolean timedOut) {
        List<Exchange<?>> waiting;
        State now;
        synchronized (lock) {
            if (needsNoLink()) {
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

    /** Handles a failed link that has not reported its failure, perhaps because of an {@link Error}. */
    private void reportLoss() {
        Link current = state.link();
        Throwable loss = current == null ? null : current.failure();
        if (current != null && loss != null) {
            linkLost(current, loss);
        }
    }

    /** Reconnects at once if the link has worked. Called under the lock, like the methods up to {@link #become}. */
    private void replace(Link lost, Throwable cause) {
        long now = System.nanoTime();
        IOException loss = new IOException("connection lost (" + LinkFailure.describe(cause) + ")", cause);
        boolean hasServed = last != null && last.hasServed(now);
        last = null; // Its buffers are large.
        failures = hasServed ? 0 : failures;
        boolean isClosed = cause instanceof IOException && !(cause instanceof SocketTimeoutException);
        if (!isClosed || !hasServed || server.sockets.waitNanos(now) > 0) {
            reconnectLater(loss, cause, true);
            return;
        }
        if (lost.inFlight() > 0) {
            report(loss, cause, 0);
        } else {
            LOG.debug("{}: the idle connection was lost ({}); reconnecting", context, LinkFailure.describe(cause));
        }
        become(state.connecting(), cause);
        isEarly = false;
        startAttempt();
    }

    private void reconnectLater(Throwable failure, Throwable cause, boolean isLost) {
        long now = System.nanoTime();
        long delay = Math.max(server.sockets.waitNanos(now), backoff.delayNanos(failures, ThreadLocalRandom.current()));
        failures++;
        isEarly = false;
        become(state.reconnecting(failure, now + delay, isLost), cause);
        if (!state.isDraining()) {
            report(failure, cause, delay);
        }
    }

    private void report(Throwable failure, Throwable cause, long delayNanos) {
        server.log.failed(this, context, LinkFailure.describe(failure) + State.nextAttemptIn(delayNanos), cause);
        if (isServersFault(failure, state.isLost())) {
            server.watch.failed(LinkFailure.describe(failure));
        }
    }

    private boolean isServersFault(@Nullable Throwable failure, boolean isLost) {
        return failure instanceof IOException
                && !(failure instanceof Handshake.AuthenticationRefusedException)
                && (isLost ? !(failure.getCause() instanceof Error) : failure.getCause() instanceof IOException)
                && !(ServerFullException.isCauseOf(failure) && server.isOpen(this));
    }

    private boolean needsNoLink() {
        return state.is(ConnectionState.NEW)
                || state.is(ConnectionState.CLOSED)
                || (state.isDraining() && unsent.isEmpty());
    }

    private void become(State next, @Nullable Throwable cause) {
        State previous = state;
        state = next;
        if (previous.name() == next.name()) {
            return;
        }
        try {
            group.threads.announcer.stateChanged(context, this, previous.name(), next.name(), cause);
        } catch (Throwable e) {
            LOG.error(
                    "{}: the ConnectionListener was not notified of the state change from {} to {}",
                    context,
                    previous.name(),
                    next.name(),
                    e);
        }
    }

    /** Must not run functions attached to futures, because they might block the timer. */
    final void tick(long nowNanos) {
        replied.tick();
        failed.tick();
        links.removeAll(links.stream().filter(each -> !each.tick(nowNanos)).toList());
        if (state.link() == null) {
            unsent.failDue(nowNanos);
        }
        synchronized (lock) {
            reportLoss();
            if (state.link() == null && !needsNoLink() && nowNanos - state.nextAttemptNanos() >= 0) {
                startAttempt();
            }
        }
        if (state.isDraining() && !state.is(ConnectionState.CLOSED)) {
            closeIfDrained(nowNanos);
        }
        unsent.adjustReservation(); // Last, because there is no further tick once a drained connection is closed.
    }

    @Override
    public int inFlight() {
        Link current = state.link();
        return current != null
                ? current.inFlight()
                : unsent.size()
                        + links.stream()
                                .mapToInt(each -> each.link.isAlive() ? each.link.inFlight() : 0)
                                .sum();
    }

    @Override
    public long bytesInFlight() {
        Link current = state.link();
        return current == null ? unsent.bytes() : current.bytesInFlight();
    }

    final @Nullable String whyNotReady() {
        State now = state;
        Throwable why = now.failure();
        return now.link() != null
                ? null
                : context + ": " + (why == null ? "still connecting" : LinkFailure.describe(why));
    }

    final boolean isCutOff() {
        State now = state;
        return now.is(ConnectionState.RECONNECTING) && isServersFault(now.failure(), now.isLost());
    }

    final boolean isDraining() {
        return state.isDraining();
    }

    public final void retire(Duration drainTimeout) {
        synchronized (lock) {
            closeByNanos = System.nanoTime() + drainTimeout.toNanos();
            become(state.draining(), null);
            if (needsNoLink()) {
                attempt.cancel(true);
            }
        }
    }

    /** Checks again after the links refuse commands, because a thread may still send on an old link. */
    private void closeIfDrained(long nowNanos) {
        boolean drained = isDrained();
        if (drained) {
            links.forEach(each -> each.link.refuse());
            drained = isDrained();
        }
        if (drained || nowNanos - closeByNanos >= 0) {
            close();
        }
    }

    private boolean isDrained() {
        return unsent.isEmpty() && links.stream().allMatch(each -> each.link.isEmpty()) && backlog() == 0;
    }

    int backlog() {
        return replied.backlog() + failed.backlog();
    }

    final boolean isOver() {
        synchronized (lock) {
            return state.is(ConnectionState.CLOSED) && attempt.isDone() && links.isEmpty() && isDrained();
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
            attempt.cancel(true);
            waiting = unsent.all();
        }
        unsent.fail(waiting, now::failureOf);
        links.forEach(each -> each.link.close());
    }

    final void awaitClosed(long deadlineNanos) {
        links.forEach(each -> each.link.awaitClosed(deadlineNanos));
    }

    private final class OpenedLink {

        final Link link;

        private final long openedNanos = System.nanoTime();
        private final long greetings;

        private long replies;
        private long repliesInTime;

        OpenedLink(Link link) {
            this.link = link;
            greetings = link.completed();
            replies = greetings;
            repliesInTime = link.completedInTime();
        }

        /** Returns whether the link has worked; a failing server may close it right after the handshake. */
        boolean hasServed(long nowNanos) {
            return link.completed() > greetings || nowNanos - openedNanos >= server.sockets.servedNanos();
        }

        boolean tick(long nowNanos) {
            boolean isOpen = link.tick(nowNanos);
            long inTime = link.completedInTime() - repliesInTime;
            long all = link.completed() - replies;
            if (all > 0) {
                server.replied(inTime, all - inTime);
            }
            replies += all;
            repliesInTime += inTime;
            return isOpen;
        }
    }
}
