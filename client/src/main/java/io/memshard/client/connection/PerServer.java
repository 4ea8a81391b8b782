// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State that the connections to a server share. Fails commands for an ejected server. Threading: thread-safe. */
final class PerServer implements ServerWatch.Actions, CommandSender {

    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int READS = 2;
    private static final String PROBE_FAILED = "no probe could be sent";

    record Environment(Addresses.Resolver resolver, Logger log) {

        static final Environment SYSTEM =
                new Environment(Addresses::ofSystem, LoggerFactory.getLogger(Connection.class));
    }

    final Environment environment;
    final Addresses addresses = new Addresses();
    final ServerLog log;
    final SocketBudget sockets;
    final ServerWatch watch;

    private final ClientThreads threads;
    private final LinkContext context;
    private final LinkOpener opener;
    private final Handshake handshake;

    /** Includes retiring connections. Changed only under the monitor of this object. */
    private final List<Connection> connections = new CopyOnWriteArrayList<>();

    /** Guarded by this object. */
    private long unusedSinceNanos = System.nanoTime();

    PerServer(LinkContext context, LinkOpener opener, ClientThreads threads, Environment environment) {
        this.context = context;
        this.opener = opener;
        this.threads = threads;
        this.environment = environment;
        log = new ServerLog(context.server(), environment.log(), System::nanoTime);
        sockets = new SocketBudget(context.options().reconnectDelay.limit(), System.nanoTime());
        watch = new ServerWatch(
                context.server(),
                this,
                InstantSource.system(),
                // The current thread's generator, because after an Error another thread may be the timer.
                () -> ThreadLocalRandom.current().nextLong());
        handshake = new Handshake(context.ofSocket("probe"), opener, (link, cause) -> {}, this);
    }

    synchronized void add(Connection connection) {
        connections.add(connection);
        sockets.share(connections.size());
    }

    private synchronized void remove(Connection connection) {
        connections.remove(connection);
        unusedSinceNanos = System.nanoTime();
        sockets.share(Math.max(1, connections.size()));
    }

    Stream<Connection> connections() {
        return connections.stream();
    }

    boolean isOpen(@Nullable LinkKeeper failing) {
        return connections().anyMatch(each -> each != failing && each.state() == ConnectionState.READY);
    }

    synchronized boolean isUnused(long nowNanos) {
        return connections.isEmpty() && nowNanos - unusedSinceNanos >= UNUSED_NANOS;
    }

    void timedOut(long sentNanos, String why) {
        watch.timedOut(sentNanos, System.nanoTime(), why);
        log.timedOut();
    }

    void replied(long inTime, long tooLate) {
        watch.replied(inTime, tooLate);
        log.answered(inTime);
    }

    void tick(long nowNanos) {
        for (Connection each : connections) {
            ClientThreads.safely(each, () -> each.tick(nowNanos));
            if (each.isDraining() && each.isOver()) {
                remove(each);
            }
        }
        ClientThreads.safely(this, () -> {
            watch.tick(nowNanos);
            log.tick();
        });
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        PendingReply<T> reply = new ObservedReply<>(command, context, threads.announcer.listener);
        ServerStatus status = watch.status();
        reply.fail(new MemcachedConnectionException(
                "the command was not sent, because the server has been " + status.state() + " since "
                        + status.since().truncatedTo(ChronoUnit.MILLIS) + " (" + status.reason() + ")",
                reply.commandContext(Phase.QUEUED),
                null));
        return reply;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return threads.pause(nanos);
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        return context.forCommand(verb, key, phase);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // runProbe notifies the watch.
    public void probe() {
        try {
            threads.connect(this::runProbe, 0);
        } catch (Throwable e) {
            watch.probed(PROBE_FAILED);
        }
    }

    private void runProbe() {
        @Nullable String why = PROBE_FAILED;
        try {
            opener.prepare();
            long deadline = System.nanoTime() + context.options().connectTimeout.toNanos();
            Link link = handshake.open(deadline);
            try {
                // The handshake proves little: a proxy answers mn itself, and a failing server may answer one command.
                for (int i = 0; i < READS; i++) {
                    read(link, deadline);
                }
            } finally {
                Handshake.close(link);
            }
            why = null;
        } catch (Throwable e) {
            // A server that refuses credentials or is full counts as working, so that callers get its refusal.
            boolean works = e instanceof Handshake.AuthenticationRefusedException || ServerFullException.isCauseOf(e);
            why = works ? null : LinkFailure.describe(e);
        } finally {
            watch.probed(why);
        }
    }

    private void read(Link link, long deadlineNanos) throws IOException {
        Exchange<?> exchange = new Exchange<>(MetaNoop.read(), context);
        try {
            link.call(exchange, deadlineNanos);
        } catch (MemcachedException e) {
            if (exchange.command.errorReply() == null) {
                throw new IOException(
                        "the server answered the handshake, but failed to answer a get: " + LinkFailure.describe(e), e);
            }
        }
    }

    @Override
    public void reconnect() {
        connections.forEach(Connection::attemptNow);
    }

    @Override
    public boolean isReconnected() {
        return connections().noneMatch(each -> each.state() == ConnectionState.RECONNECTING);
    }

    @Override
    public boolean isCutOff() {
        return !isOpen(null) && connections().anyMatch(Connection::isCutOff);
    }

    @Override
    public @Nullable String whyUnreachable() {
        return isOpen(null)
                ? null
                : connections()
                        .filter(each -> each.state() == ConnectionState.RECONNECTING)
                        .map(Connection::whyNotReady)
                        .reduce(null, (first, last) -> last);
    }

    @Override
    public void changed(ServerStatus before, ServerStatus now) {
        log.changed(before, now);
        threads.announcer.serverStateChanged(before, now);
    }

    @Override
    public String toString() {
        return context.server().toString();
    }
}
