// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.MetaNoop;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State that the connections to one server share: the log, the budget of sockets, and the watch over the server with
 * its probes. Threading: thread-safe. There is one probe at a time, on a connecting thread.
 *
 * <p>A probe checks whether a server responds, over a socket of its own. It connects like any connection, and then
 * waits for the answers to {@value #READS} reads, because a proxy answers the handshake's {@code mn} itself. There are
 * two reads, because a server may answer only the first command of a connection. An error reply counts as an answer.
 */
final class PerServer implements ServerWatch.Actions {

    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int READS = 2;
    private static final String PROBE_FAILED = "no probe could be sent";

    record Environment(AddressResolver resolver, Logger log) {

        static final Environment SYSTEM =
                new Environment(AddressResolver.SYSTEM, LoggerFactory.getLogger(Connection.class));
    }

    private final ServerAddress address;
    final ServerLog log;
    final SocketBudget sockets;
    final ServerWatch watch;

    private final ClientThreads threads;
    private final Handshake.Dependencies dependencies;
    private final LinkContext probing;
    private final LinkOpener opener;
    private final Handshake handshake;

    /** Includes retiring connections. Changed only under the monitor of this object. */
    private final List<ReconnectingConnection> connections = new CopyOnWriteArrayList<>();

    /** Guarded by this object. */
    private long unusedSinceNanos = System.nanoTime();

    PerServer(LinkContext probing, LinkOpener opener, ClientThreads threads, Environment environment) {
        address = probing.server();
        this.probing = probing;
        this.opener = opener;
        this.threads = threads;
        log = new ServerLog(address, environment.log(), System::nanoTime);
        sockets = new SocketBudget(probing.options().longestReconnectDelay(), System.nanoTime());
        watch = new ServerWatch(
                address,
                this,
                InstantSource.system(),
                // The generator of the current thread: after an Error another thread may be the timer.
                () -> ThreadLocalRandom.current().nextLong());
        dependencies = new Handshake.Dependencies(
                environment.resolver(), threads.racers(), sockets, log, System::nanoTime, new AddressOrder());
        handshake = new Handshake(probing, opener, (link, cause) -> {}, dependencies);
    }

    Handshake.Dependencies dependencies() {
        return dependencies;
    }

    synchronized void add(ReconnectingConnection connection) {
        connections.add(connection);
        sockets.share(connections.size(), System.nanoTime());
    }

    private synchronized void remove(ReconnectingConnection connection) {
        connections.remove(connection);
        unusedSinceNanos = System.nanoTime();
        sockets.share(Math.max(1, connections.size()), unusedSinceNanos);
    }

    Stream<ReconnectingConnection> connections() {
        return connections.stream();
    }

    boolean isOpen(@Nullable Connection failing) {
        return connections().anyMatch(each -> each != failing && each.state() == ConnectionState.READY);
    }

    /** Closes each connection. Repeats a close that an Error has interrupted, so that no command stays in flight. */
    void close() {
        for (ReconnectingConnection each : connections) {
            try {
                each.close();
            } catch (Throwable e) {
                each.close();
            }
        }
    }

    /** Returns whether there has been no connection for a while. A connection may be about to be added. */
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

    /** Ticks each connection, then the watch over the server. Called by the timer; does not throw. */
    void tick(long nowNanos) {
        for (ReconnectingConnection each : connections) {
            ClientThreads.safely(each, () -> each.tick(nowNanos));
            if (each.isRetiring() && each.isOver()) {
                remove(each);
            }
        }
        ClientThreads.safely(address, () -> {
            watch.tick(nowNanos);
            log.tick();
        });
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The watch is notified of the end.
    public void probe() {
        try {
            // With 0 failures the probe goes first: there is one probe at a time, and its answer helps callers.
            threads.connect(this::runProbe, 0);
        } catch (Throwable e) {
            // The client is closed, or no thread can be started now. Perhaps one can later.
            watch.probed(PROBE_FAILED);
        }
    }

    private void runProbe() {
        @Nullable String why = PROBE_FAILED;
        try {
            why = whyUnanswered();
        } finally {
            watch.probed(why);
        }
    }

    /** Returns why there was no answer within the connect timeout; null if there was one. */
    private @Nullable String whyUnanswered() {
        try {
            opener.prepare();
            long deadline =
                    System.nanoTime() + probing.options().connectTimeout().toNanos();
            Link link = handshake.open(deadline);
            try {
                for (int i = 0; i < READS; i++) {
                    read(link, deadline);
                }
            } finally {
                link.close();
                link.awaitClosed(System.nanoTime() + CLOSE_NANOS);
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "the client is closed";
        } catch (AuthenticationRefusedException e) {
            // The server responds. Callers have to learn that their credentials are refused.
            return null;
        } catch (IOException | RuntimeException | Error e) {
            // A full server responds too, and may serve the connections that are open.
            return ServerFullException.isCauseOf(e) ? null : LinkFailure.describe(e);
        }
    }

    private void read(Link link, long deadlineNanos) throws IOException {
        Exchange<?> exchange = new Exchange<>(MetaNoop.read(), probing);
        try {
            link.call(exchange, deadlineNanos);
        } catch (MemcachedException e) {
            if (exchange.command.errorReply() == null) {
                throw new IOException("the server answered the handshake, but no get: " + LinkFailure.describe(e), e);
            }
        }
    }

    @Override
    public void reconnect() {
        connections.forEach(ReconnectingConnection::attemptNow);
    }

    @Override
    public boolean isReconnected() {
        return connections().noneMatch(each -> each.state() == ConnectionState.RECONNECTING);
    }

    @Override
    public boolean isCutOff() {
        return !isOpen(null) && connections().anyMatch(ReconnectingConnection::isCutOff);
    }

    @Override
    public @Nullable String whyUnreachable() {
        return isOpen(null)
                ? null
                : connections()
                        .filter(each -> each.state() == ConnectionState.RECONNECTING)
                        .map(ReconnectingConnection::whyNotReady)
                        .reduce(null, (first, last) -> last);
    }

    @Override
    public void changed(ServerStatus before, ServerStatus now) {
        log.changed(before, now);
        threads.announcer().serverStateChanged(before, now);
    }
}
