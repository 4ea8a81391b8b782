// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State that the connections to one server share: the log, the budget of sockets, and the watch over the server.
 *
 * <p>Threading: thread-safe.
 */
final class PerServer implements ServerWatch.Actions {

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    /** Time for which this object is kept without a connection. */
    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Text created in advance, since there may be no memory when it is needed. */
    private static final String PROBE_FAILED = "no probe could be sent";

    /**
     * Parts of a client that tests replace.
     *
     * @param resolver the resolver of servers' addresses
     * @param log the logger of messages about servers
     */
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
    private final ServerProbe probe;

    /** Connections to the server, including retiring ones. Changed only under the monitor of this object. */
    private final List<ReconnectingConnection> connections = new CopyOnWriteArrayList<>();

    /** Retiring connections, each with the time by which it closes. Added to only under the monitor of this object. */
    private final Map<ReconnectingConnection, Long> retiring = new ConcurrentHashMap<>();

    /** Guarded by this. */
    private long unusedSinceNanos = System.nanoTime();

    /**
     * Creates the state of a server without connections.
     *
     * @param probing context of the links that probe the server
     * @param opener the opener of these links
     */
    PerServer(LinkContext probing, LinkOpener opener, ClientThreads threads, Environment environment) {
        address = probing.server();
        this.threads = threads;
        log = new ServerLog(address, environment.log(), System::nanoTime);
        sockets = new SocketBudget(probing.options().longestReconnectDelay(), System.nanoTime());
        watch = new ServerWatch(
                address,
                this,
                InstantSource.system(),
                // Not confined to one thread, because after an Error another thread may be the timer.
                () -> ThreadLocalRandom.current().nextLong());
        dependencies = new Handshake.Dependencies(
                environment.resolver(), threads.racers(), sockets, log, System::nanoTime, new AddressOrder());
        probe = new ServerProbe(probing, opener, dependencies);
    }

    ClientThreads threads() {
        return threads;
    }

    Handshake.Dependencies dependencies() {
        return dependencies;
    }

    synchronized void add(ReconnectingConnection connection) {
        connections.add(connection);
        sockets.share(connections.size(), System.nanoTime());
    }

    /** Removes a closed connection that has nothing left to do. */
    private synchronized void remove(ReconnectingConnection connection) {
        connections.remove(connection);
        retiring.remove(connection);
        unusedSinceNanos = System.nanoTime();
        sockets.share(Math.max(1, connections.size()), unusedSinceNanos);
    }

    /** Returns every connection to the server, retiring ones included. */
    List<ReconnectingConnection> connections() {
        return connections;
    }

    /** Returns the connections that are not retiring. */
    Stream<ReconnectingConnection> staying() {
        return connections.stream().filter(each -> !retiring.containsKey(each));
    }

    /** Returns whether a connection other than {@code failing} is open. */
    boolean isOpen(Connection failing) {
        return connections.stream().anyMatch(each -> each != failing && each.state() == ConnectionState.READY);
    }

    int retiring() {
        return retiring.size();
    }

    /** Same as {@link Connection#retire}, for a connection of this server. */
    void retire(ReconnectingConnection connection, Duration drainTimeout) {
        long deadline = System.nanoTime() + drainTimeout.toNanos();
        connection.drain();
        synchronized (this) {
            // A connection that was removed must not be added again.
            if (connections.contains(connection)) {
                retiring.put(connection, deadline);
            }
        }
    }

    void close() {
        connections.forEach(PerServer::close);
    }

    /**
     * Closes a connection, a second time if an Error interrupts the first. The Error must not leave a command in
     * flight, on this connection or on the others.
     */
    private static void close(ReconnectingConnection connection) {
        try {
            connection.close();
        } catch (Throwable e) {
            LOG.error("{}: the connection could not be closed; closing again", connection, e);
            connection.close();
        }
    }

    /**
     * Returns whether there has been no connection for a while. The delay exists because a connection may be about to
     * be added.
     */
    synchronized boolean isUnused(long nowNanos) {
        return connections.isEmpty() && nowNanos - unusedSinceNanos >= UNUSED_NANOS;
    }

    /** Counts a time-out of a command: see {@link ServerWatch#timedOut}. */
    void timedOut(long sentNanos, String why) {
        watch.timedOut(sentNanos, System.nanoTime(), why);
        log.timedOut();
    }

    /** Counts replies: see {@link ServerWatch#replied}. */
    void replied(long inTime, long tooLate) {
        watch.replied(inTime, tooLate);
        log.answered(inTime);
    }

    /** Ticks each connection, then the watch over the server. Called by the timer; does not throw. */
    void tick(long nowNanos) {
        for (ReconnectingConnection each : connections) {
            ClientThreads.safely(each, () -> tick(each, nowNanos));
        }
        ClientThreads.safely(address, () -> {
            watch.tick(nowNanos);
            log.tick();
        });
    }

    private void tick(ReconnectingConnection connection, long nowNanos) {
        connection.tick(nowNanos);
        Long deadline = retiring.get(connection);
        if (deadline != null) {
            tickRetiring(connection, deadline, nowNanos);
        }
    }

    /**
     * Closes a retiring connection when it is drained or its deadline has passed. Removes it when it has no work left.
     */
    private void tickRetiring(ReconnectingConnection connection, long deadlineNanos, long nowNanos) {
        if (connection.isOver()) {
            remove(connection);
        } else if (connection.state() != ConnectionState.CLOSED) {
            if (nowNanos - deadlineNanos >= 0) {
                close(connection);
            } else {
                connection.closeIfDrained();
            }
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The watch is notified of the end.
    public void probe() {
        try {
            // With 0 failures it goes first: there is one probe at a time, and its answer helps callers.
            threads.connect(this::runProbe, 0);
        } catch (Throwable e) {
            // The client is closed, or no thread can be started now. Perhaps one can later.
            watch.probed(PROBE_FAILED);
        }
    }

    private void runProbe() {
        @Nullable String why = PROBE_FAILED;
        try {
            why = probe.run();
        } finally {
            watch.probed(why);
        }
    }

    @Override
    public void reconnect() {
        connections.forEach(ReconnectingConnection::attemptNow);
    }

    @Override
    public boolean isReconnected() {
        return connections.stream().noneMatch(each -> each.state() == ConnectionState.RECONNECTING);
    }

    @Override
    public boolean isCutOff() {
        boolean cutOff = false;
        for (ReconnectingConnection each : connections) {
            if (each.state() == ConnectionState.READY) {
                return false;
            }
            cutOff |= each.isCutOff();
        }
        return cutOff;
    }

    @Override
    public @Nullable String whyUnreachable() {
        String why = null;
        for (ReconnectingConnection each : connections) {
            ConnectionState state = each.state();
            if (state == ConnectionState.READY) {
                return null;
            }
            why = state == ConnectionState.RECONNECTING ? each.whyNotReady() : why;
        }
        return why;
    }

    @Override
    public void changed(ServerStatus before, ServerStatus now) {
        try {
            log.changed(before, now);
            if (FlightRecorder.IS_PRESENT) {
                ServerStateEvent.record(before, now);
            }
            threads.announcer().serverStateChanged(before, now);
        } catch (Throwable e) {
            // The steps after a change of state must be taken, whether it could be announced or not.
            LOG.error("{}: the listener missed the change from {} to {}", now.server(), before.state(), now.state(), e);
        }
    }
}
