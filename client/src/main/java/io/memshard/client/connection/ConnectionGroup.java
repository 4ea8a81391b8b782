// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.LoopFuture;
import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.link.ByteBudget;
import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.EventLoopOpener;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.NettyVersions;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.sender.CommandSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Connections of a client, with the servers, event loops and {@link ClientThreads} that they share. Thread-safe. */
public final class ConnectionGroup implements AutoCloseable {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long RETIRING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int MAX_RETIRING = 1_000;

    private final ConnectionOptions options;
    private final ByteBudget budget;
    private final PerServer.Environment environment;
    private final @Nullable ConnectionListener listener;
    private final EventLoopOpener eventLoop;
    private final CallerDrivenOpener callerDriven = new CallerDrivenOpener();
    private final ClientThreads threads;

    /**
     * Servers that have a connection, or had one lately. Adding a connection and removing a server that has none are
     * atomic steps, so that no connection is lost with its server.
     */
    private final ConcurrentMap<ServerAddress, PerServer> servers = new ConcurrentHashMap<>();

    /** Written before the connections are drained, and read after a new one was added. */
    private volatile boolean draining;

    private volatile boolean hasConnected;

    /** Written before the connections are closed, and read after a new one was added. */
    private volatile boolean closed;

    public ConnectionGroup(ConnectionOptions options, int eventLoopThreads) {
        this(options, eventLoopThreads, null);
    }

    /**
     * Creates a group without connections. Throws an {@link IllegalStateException} if the Netty on the class path
     * cannot be used. At least one event loop is required.
     */
    public ConnectionGroup(ConnectionOptions options, int eventLoopThreads, @Nullable ConnectionListener listener) {
        this(options, eventLoopThreads, listener, PerServer.Environment.SYSTEM);
    }

    ConnectionGroup(
            ConnectionOptions options,
            int eventLoopThreads,
            @Nullable ConnectionListener listener,
            PerServer.Environment environment) {
        NettyVersions.check();
        this.options = options;
        this.budget = new ByteBudget(options.bytesInFlight());
        this.environment = environment;
        this.listener = listener;
        eventLoop = new EventLoopOpener(eventLoopThreads, options);
        threads = new ClientThreads(this, options.completionExecutor(), listener);
        threads.start();
    }

    /**
     * Creates a connection, which opens its socket with its first command. The {@code index} counts the connections to
     * its server from 0.
     *
     * @throws IllegalArgumentException if the transport cannot reach the server with these options
     */
    public Connection newConnection(ServerAddress server, int index, Transport transport) {
        options.check(server, transport);
        LinkContext context = context(server, index, null);
        return hasPairs(options, transport)
                ? new AutoConnection(
                        newConnection(context, callerDriven), newConnection(context.ofSocket("event loop"), eventLoop))
                : newConnection(context, transport == Transport.CALLER_DRIVEN ? callerDriven : eventLoop);
    }

    public static boolean hasPairs(ConnectionOptions options, Transport transport) {
        return transport == Transport.AUTO && options.tls() == null;
    }

    /**
     * Creates the connections to one server. Of the pairs of {@link #hasPairs}, only the first {@code loopSockets} have
     * a socket of their own for asynchronous calls and virtual threads. The other pairs share these sockets.
     */
    public List<Connection> newConnections(
            ServerAddress server, int connections, int loopSockets, Transport transport) {
        List<Connection> each = new ArrayList<>();
        for (int index = 0; index < connections; index++) {
            each.add(
                    index < loopSockets || !hasPairs(options, transport)
                            ? newConnection(server, index, transport)
                            : new AutoConnection(
                                    newConnection(context(server, index, null), callerDriven),
                                    each.get(index % loopSockets).ofOtherCallers()));
        }
        return each;
    }

    private LinkContext context(ServerAddress server, int index, @Nullable String socket) {
        return new LinkContext(server, index, socket, options, options.protocol(), budget, eventLoop::isIoThread);
    }

    Connection newConnection(LinkContext context, LinkOpener opener) {
        checkOpen();
        AtomicReference<@Nullable ReconnectingConnection> made = new AtomicReference<>();
        servers.compute(context.server(), (address, known) -> {
            PerServer server = known == null ? newServer(address) : known;
            ReconnectingConnection created = new ReconnectingConnection(context, opener, this, server);
            server.add(created);
            made.set(created);
            return server;
        });
        ReconnectingConnection connection = Objects.requireNonNull(made.get());
        if (closed) {
            // The thread that closes the group may not have seen this connection.
            connection.close();
        }
        checkOpen();
        if (draining) {
            connection.drain();
        }
        return connection;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
    }

    /** Creates the state of a server. The thread of a probe does the probe's I/O; with TLS, an event loop does it. */
    private PerServer newServer(ServerAddress address) {
        LinkOpener probing = options.tls() != null ? eventLoop : callerDriven;
        return new PerServer(context(address, 0, "probe"), probing, threads, environment);
    }

    /** Returns the watch of a server; always the same watch while the server has connections. */
    public ServerWatch watch(ServerAddress server) {
        return servers.computeIfAbsent(server, this::newServer).watch;
    }

    public CommandSender newRefusal(ServerAddress server) {
        return new RefusingSender(context(server, 0, null), this, watch(server));
    }

    void connected() {
        hasConnected = true;
    }

    /**
     * Returns the time limit of a call that begins now. The connectTimeout is added if no connection of the client has
     * opened yet, because the first call of a JVM loads classes.
     */
    public long callNanos(long timeoutNanos) {
        return hasConnected
                ? timeoutNanos
                : timeoutNanos + options.connectTimeout().toNanos();
    }

    boolean isClosed() {
        return closed;
    }

    ClientThreads threads() {
        return threads;
    }

    @Nullable
    ConnectionListener listener() {
        return listener;
    }

    /**
     * Sets a task that runs when a connection is lost or cannot be opened, and when a server is ejected or unreachable.
     * The task is called with locks held, and must not block.
     */
    public void onFailure(Runnable task) {
        threads.announcer().onFailure(task);
    }

    private Stream<ReconnectingConnection> connections() {
        return servers.values().stream().flatMap(PerServer::connections);
    }

    private List<ReconnectingConnection> staying() {
        return connections().filter(each -> !each.isRetiring()).toList();
    }

    private List<String> notReady() {
        return staying().stream()
                .map(ReconnectingConnection::whyNotReady)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    public void open() {
        staying().forEach(ReconnectingConnection::open);
    }

    /**
     * Opens each connection and waits until all are ready. If one is not ready in time, the message of the exception
     * names each such connection, with the reason. Fails on an event loop of the group, because event loops open the
     * connections.
     */
    public void awaitReady(Duration timeout) {
        if (eventLoop.isIoThread()) {
            throw new MemcachedUnsupportedException(LoopFuture.WAITS_FOR_ITSELF);
        }
        long deadline = System.nanoTime()
                + ConnectionOptions.checkTimeout("awaitReady", timeout).toNanos();
        if (!await(this::openAndCheck, deadline)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new MemcachedInterruptedException("interrupted while waiting for connections", null, null);
            }
            List<String> notReady = notReady();
            throw new MemcachedConnectionException(
                    notReady.size() + " of " + staying().size() + " sockets are not ready after " + timeout.toMillis()
                            + " ms: " + String.join("; ", notReady),
                    null,
                    null);
        }
    }

    private boolean openAndCheck() {
        open();
        return notReady().isEmpty();
    }

    /**
     * Waits for up to 5 seconds while more than 1,000 connections are retiring, so that rapid changes of the servers do
     * not fill the memory. Returns at once on a thread of a client, which may have to return before a connection is
     * closed. Called without a lock.
     */
    public void awaitPlaceToRetire() {
        if (!threads.isOwnThread()) {
            await(
                    () -> connections()
                                    .filter(ReconnectingConnection::isRetiring)
                                    .count()
                            <= MAX_RETIRING,
                    System.nanoTime() + RETIRING_NANOS);
        }
    }

    /** Waits until a condition holds. Returns false at the deadline, when the group is closed, or on an interrupt. */
    private boolean await(BooleanSupplier condition, long deadlineNanos) {
        while (!condition.getAsBoolean()) {
            if (closed || Thread.currentThread().isInterrupted() || deadlineNanos - System.nanoTime() <= 0) {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        return true;
    }

    /**
     * Refuses commands from now on, waits until the commands in flight have ended and their futures are completed, and
     * closes the group. An operation that then has to send further commands fails. Closes immediately on a thread of a
     * client, or after an interrupt. The {@code drainTimeout} is zero to 24 days.
     */
    public void close(Duration drainTimeout) {
        if (!drainTimeout.isZero()) {
            long deadline = System.nanoTime()
                    + ConnectionOptions.checkTimeout("drainTimeout", drainTimeout)
                            .toNanos();
            draining = true;
            connections().forEach(ReconnectingConnection::drain);
            if (!threads.isOwnThread()) {
                await(() -> connections().allMatch(ReconnectingConnection::isDrained), deadline);
            }
        }
        close();
    }

    /**
     * Fails every command in flight, closes each connection, and ends every thread. Idempotent. Waits for up to about
     * ten seconds until the threads have ended, but not on a thread of a client, as in a stage or a listener.
     */
    @Override
    public void close() {
        closed = true;
        servers.values().forEach(PerServer::close);
        threads.end();
    }

    void tick() {
        long now = System.nanoTime();
        ClientThreads.safely(eventLoop, () -> eventLoop.tick(now));
        servers.forEach((address, server) -> {
            server.tick(now);
            ClientThreads.safely(address, () -> forgetIfUnused(address, server, now));
        });
    }

    private void forgetIfUnused(ServerAddress address, PerServer server, long nowNanos) {
        if (server.isUnused(nowNanos)
                && servers.computeIfPresent(address, (any, known) -> known.isUnused(nowNanos) ? null : known) == null) {
            threads.announcer().serverLeft(address);
        }
    }

    boolean isCompleting() {
        return connections().anyMatch(each -> each.backlog() > 0);
    }

    /** Ends the event loops, then waits until links have released their sockets, or the deadline has passed. */
    void closeLinks(long deadlineNanos) {
        eventLoop.close();
        callerDriven.close();
        connections().forEach(connection -> connection.awaitClosed(deadlineNanos));
        callerDriven.awaitClosed(deadlineNanos);
    }
}
