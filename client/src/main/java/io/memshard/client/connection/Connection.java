// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.LoopFuture;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaRelease;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Connection to one server, with one socket at a time. {@code State} says what happens to a command without a socket.
 * Threading: thread-safe.
 */
public final class Connection extends LinkKeeper implements CommandSender {

    private static final int MAX_BACKLOG = 1024;
    private static final int MAX_RELEASES = 1024;

    private final @Nullable ConnectionListener listener;
    private final Semaphore releases = new Semaphore(MAX_RELEASES);

    Connection(LinkContext context, LinkOpener opener, ConnectionGroup group, PerServer server) {
        super(context, opener, group, server);
        listener = group.threads.announcer.listener;
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        PendingReply<T> exchange =
                isObserved() ? new ObservedReply<>(command, context, listener) : new PendingReply<>(command, context);
        if (mode.isAwaited()) {
            if (isRefusedOnIoThread(exchange)) {
                return exchange;
            }
            exchange.sendAhead();
        } else if (!mode.isRetry() && isRefusedForBacklog(exchange)) {
            return exchange;
        }
        dispatch(exchange, mode.isRetry());
        return exchange;
    }

    private boolean isRefusedForBacklog(Exchange<?> exchange) {
        int backlog = backlog();
        if (backlog < MAX_BACKLOG || backlog < context.options().maxInFlight) {
            return false;
        }
        LinkFailure.refuseOverload(
                exchange,
                backlog + " futures wait, because functions attached to futures block: do not block in such functions,"
                        + " or set a completionExecutor");
        return true;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return group.threads.pause(nanos);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        Exchange<T> exchange =
                isObserved() ? new ObservedReply<>(command, context, listener) : new Exchange<>(command, context);
        if (isRefusedOnIoThread(exchange)) {
            return exchange.result();
        }
        exchange.registerCaller(timeoutNanos);
        try {
            dispatch(exchange, false);
            return exchange.awaitAsRegistered(timeoutNanos);
        } catch (Throwable e) {
            if (!exchange.isOver()) {
                // Other callers must not rely on this thread to read.
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

    private boolean isObserved() {
        return listener != null || ObservedReply.isRecorded();
    }

    private void dispatch(Exchange<?> exchange, boolean isRetry) {
        Link current = state.link();
        if (current == null || (isRetry && !current.isAlive())) {
            sendWithoutLink(exchange, isRetry);
        } else {
            current.send(exchange);
        }
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
    @SuppressWarnings("FutureReturnValueIgnored") // No thread waits for the end.
    public void release(List<MetaRelease> claims) {
        if (releases.tryAcquire(claims.size())) {
            pause(claims.get(0).delayNanos()).thenRun(() -> {
                releases.release(claims.size());
                claims.forEach(this::send);
            });
        }
    }

    /** Ignores a link that is not in use yet, because its attempt to connect fails anyway. */
    @Override
    public void timedOut(Link link, long sentNanos, String why) {
        if (link == state.link()) {
            server.timedOut(sentNanos, why);
        }
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return context.forCommand(verb, key, phase);
    }

    @Override
    public boolean isReady() {
        return state.name().compareTo(ConnectionState.RECONNECTING) < 0;
    }

    @Override
    public ConnectionState state() {
        return state.name();
    }

    @Override
    public ServerAddress server() {
        return context.server();
    }

    @Override
    public int index() {
        return context.index();
    }

    @Override
    public @Nullable String socket() {
        return context.socket();
    }

    @Override
    public String toString() {
        return context + " " + state();
    }
}
