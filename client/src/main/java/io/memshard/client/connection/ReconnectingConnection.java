// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.concurrent.LoopFuture;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
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
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Connection that holds at most one link at a time and replaces it when it fails.
 *
 * <p>This class wraps each command in an {@link Exchange}, waits for it or returns it, and completes futures for the
 * links. {@link Dispatcher} decides where an exchange goes, and has the one lock of a connection. {@link Reconnector}
 * opens links. While there is a link, a command costs one volatile read here.
 *
 * <p>Threading: thread-safe; every field is final. The dispatcher and the reconnector change under their lock. The
 * other parts are thread-safe: the queue of unsent commands, the links, the completers of futures and the claims to
 * release.
 */
final class ReconnectingConnection implements Connection, Link.Listener {

    /** Maximum number of futures that wait to be completed, or {@code maxInFlight} if that is more. */
    private static final int MAX_BACKLOG = 1024;

    private final LinkContext context;
    private final LinkOpener opener;
    private final ConnectionGroup group;
    private final PerServer server;
    private final @Nullable ConnectionListener listener;

    /**
     * Completer of the futures of failed commands. It is separate, because a stage of a reply's future may wait for a
     * command that fails.
     */
    private final FutureCompleter failed;

    /** Completer of futures whose replies were read by a thread that runs no stages. */
    private final FutureCompleter replied;

    private final WaitingReleases releases = new WaitingReleases();
    private final UnsentCommands unsent;
    private final Dispatcher dispatcher;
    private final Reconnector reconnector;
    private final OpenedLinks links;

    /**
     * Creates a connection without a link.
     *
     * @param server state that the connections to one server share
     */
    ReconnectingConnection(LinkContext context, LinkOpener opener, ConnectionGroup group, PerServer server) {
        this.context = context;
        this.opener = opener;
        this.group = group;
        this.listener = group.listener();
        this.server = server;
        failed = group.threads().newFutureCompleter();
        replied = group.threads().newFutureCompleter();
        unsent = new UnsentCommands(failed, new InFlight(context.options(), context.budget()));
        Handshake handshake = new Handshake(context, opener, this, server.dependencies());
        dispatcher = new Dispatcher(this, context, unsent, group);
        reconnector = new Reconnector(this, handshake, dispatcher, unsent, server);
        links = reconnector.links();
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        PendingReply<T> exchange = reply(command);
        if (mode.isAwaited()) {
            if (isRefusedOnIoThread(exchange)) {
                return exchange;
            }
            exchange.sendAhead();
        } else if (!mode.isRetry() && isRefusedForBacklog(exchange)) {
            return exchange;
        }
        if (!mode.isRetry() || !dispatcher.queueAgain(exchange)) {
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
                backlog + " futures are queued behind a stage that blocks: do not block in stages of futures, or set a"
                        + " completionExecutor");
        return true;
    }

    /** Returns the number of futures that wait to be completed. */
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
        if (isRefusedOnIoThread(exchange)) {
            return exchange.result();
        }
        exchange.registerCaller(timeoutNanos);
        try {
            dispatch(exchange);
            return exchange.awaitAsRegistered(timeoutNanos);
        } catch (Throwable e) {
            if (!exchange.isOver()) {
                // No other caller may rely on this thread to read.
                exchange.abandon();
                if (e instanceof Error error) {
                    exchange.fail(error);
                }
            }
            throw e;
        }
    }

    private boolean isRefusedOnIoThread(Exchange<?> exchange) {
        if (!opener.isIoThread()) {
            return false;
        }
        exchange.fail(new MemcachedUnsupportedException(
                LoopFuture.WAITS_FOR_ITSELF, exchange.commandContext(Phase.QUEUED), null));
        return true;
    }

    /** Creates the reply to a command. Its end is reported if there is a listener or a recording of commands. */
    private <T> PendingReply<T> reply(Command<T> command) {
        return listener == null && !(FlightRecorder.IS_PRESENT && CommandEvent.isRecorded())
                ? new PendingReply<>(command, context)
                : new ObservedReply<>(command, context, listener);
    }

    private void dispatch(Exchange<?> exchange) {
        Link current = dispatcher.link;
        if (current == null) {
            reconnector.open();
            dispatcher.sendWithoutLink(exchange);
        } else {
            current.send(exchange);
        }
    }

    @Override
    public void open() {
        reconnector.open();
    }

    void attemptNow() {
        reconnector.attemptNow();
    }

    @Nullable
    String whyNotReady() {
        return dispatcher.whyNotReady();
    }

    boolean isCutOff() {
        return reconnector.isCutOff();
    }

    // What links report.

    @Override
    public void failed(List<Exchange<?>> exchanges) {
        failed.complete(exchanges);
    }

    @Override
    public void replied(List<Exchange<?>> exchanges) {
        replied.complete(exchanges);
    }

    /** Sends the releases on a thread of the client. If that fails, callers get the stale item until it expires. */
    @Override
    public void release(List<MetaRelease> claims) {
        releases.release(claims, this::pause, this::send);
    }

    /** Counts a time-out against the server, unless the link is not in use yet: then the attempt to connect fails. */
    @Override
    public void timedOut(Link link, long sentNanos, String why) {
        if (link == dispatcher.link) {
            server.timedOut(sentNanos, why);
        }
    }

    @Override
    public void linkLost(Link lost, Throwable cause) {
        reconnector.linkLost(lost, cause);
    }

    /**
     * Does the periodic work of the connection; called by the timer. Runs no stage of a future, because the timer also
     * has to end the long waits of other callers.
     */
    void tick(long nowNanos) {
        failed.tick();
        replied.tick();
        unsent.settle();
        links.tick(nowNanos, server);
        reconnector.tick(nowNanos);
    }

    // Status.

    @Override
    public boolean isReady() {
        ConnectionState now = state();
        return now == ConnectionState.NEW || now == ConnectionState.CONNECTING || now == ConnectionState.READY;
    }

    @Override
    public int inFlight() {
        return dispatcher.inFlight();
    }

    @Override
    public long bytesInFlight() {
        Link current = dispatcher.link;
        return current == null ? unsent.bytes() : current.bytesInFlight();
    }

    @Override
    public ConnectionState state() {
        return dispatcher.state;
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

    // The end.

    void drain() {
        reconnector.drain();
    }

    /** Returns whether no command is queued or in flight, and no future waits to be completed. */
    boolean isDrained() {
        return unsent.size() == 0 && links.areDrained() && backlog() == 0;
    }

    /**
     * Closes a draining connection if it is drained. A thread that read the link earlier may still send on it. So the
     * links first refuse new commands, and the connection is checked again. If it is not drained, a later call closes.
     */
    void closeIfDrained() {
        if (isDrained()) {
            links.forEach(Link::refuse);
            if (isDrained()) {
                close();
            }
        }
    }

    /** Returns whether a closed connection has nothing left to do: no link, no attempt and no future. */
    boolean isOver() {
        return reconnector.hasEnded() && links.isEmpty() && isDrained();
    }

    @Override
    public void retire(Duration drainTimeout) {
        server.retire(this, drainTimeout);
    }

    /**
     * Closes the connection and returns at once: see {@link #awaitClosed}. A second call repeats what an Error has
     * interrupted.
     */
    @Override
    public void close() {
        reconnector.close();
    }

    /** Waits until the links of a closed connection have released their sockets, or the deadline has passed. */
    void awaitClosed(long deadlineNanos) {
        links.forEach(each -> each.awaitClosed(deadlineNanos));
    }

    /** Returns {@code host:port[index] STATE}. */
    @Override
    public String toString() {
        return context + " " + state();
    }
}
