// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.LoopFuture;
import io.memshard.client.concurrent.Timeouts;
import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.link.EventLoopOpener;
import io.memshard.client.link.InFlight;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.NettyVersions;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.sender.CommandSender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Connections of a client to its servers, and the threads that the connections share. Threading: thread-safe. */
public final class ConnectionGroup implements AutoCloseable {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final ConnectionOptions options;
    private final InFlight.Budget budget;
    private final PerServer.Environment environment;
    private final EventLoopOpener eventLoop;
    private final CallerDrivenOpener callerDriven = new CallerDrivenOpener();
    final ClientThreads threads;

    /** Servers. The map adds connections and removes unused servers atomically. */
    private final ConcurrentMap<ServerAddress, PerServer> servers = new ConcurrentHashMap<>();

    /** Set before the drain, and read after each new connection, so that every connection drains. */
    private volatile boolean draining;

    volatile boolean hasConnected;

    /** Set before the close, and read after each new connection, so that every connection closes. */
    private volatile boolean closed;

    public ConnectionGroup(ConnectionOptions options, int eventLoopThreads) {
        this(options, eventLoopThreads, null);
    }

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
        this.budget = new InFlight.Budget(options.bytesInFlight());
        this.environment = environment;
        eventLoop = new EventLoopOpener(eventLoopThreads, options);
        threads = new ClientThreads(this, options.completionExecutor, listener);
        threads.start();
    }

    public Connection newConnection(ServerAddress server, int index, Transport transport) {
        options.check(server, transport);
        return newConnection(context(server, index), transport == Transport.CALLER_DRIVEN ? callerDriven : eventLoop);
    }

    public Connection newSecondSocket(ServerAddress server, int index) {
        return newConnection(context(server, index).ofSocket("event loop"), eventLoop);
    }

    private LinkContext context(ServerAddress server, int index) {
        return new LinkContext(server, index, null, options, options.protocol, budget, eventLoop::isIoThread);
    }

    Connection newConnection(LinkContext context, LinkOpener opener) {
        checkOpen();
        Connection[] made = new Connection[1];
        servers.compute(context.server(), (address, known) -> {
            PerServer server = known == null ? newServer(address) : known;
            made[0] = new Connection(context, opener, this, server);
            server.add(made[0]);
            return server;
        });
        Connection connection = made[0];
        if (closed) {
            connection.close();
        }
        checkOpen();
        if (draining) {
            connection.retire(Duration.ZERO);
        }
        return connection;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
    }

    private PerServer newServer(ServerAddress address) {
        LinkOpener probing = options.tls != null ? eventLoop : callerDriven;
        return new PerServer(context(address, 0), probing, threads, environment);
    }

    public ServerWatch watch(ServerAddress server) {
        return perServer(server).watch;
    }

    private PerServer perServer(ServerAddress server) {
        return servers.computeIfAbsent(server, this::newServer);
    }

    public CommandSender newRefusal(ServerAddress server) {
        return perServer(server);
    }

    /** Adds the connectTimeout to the timeout until a connection is open, because the first call loads classes. */
    public long callNanos(long timeoutNanos) {
        return hasConnected ? timeoutNanos : timeoutNanos + options.connectTimeout.toNanos();
    }

    /** Sets a task for failures of connections and servers. The task runs under locks, so it must not block. */
    public void onFailure(Runnable task) {
        threads.announcer.onFailure(task);
    }

    private Stream<Connection> connections() {
        return servers.values().stream().flatMap(PerServer::connections);
    }

    private List<Connection> staying() {
        return connections().filter(each -> !each.isDraining()).toList();
    }

    private List<String> notReady() {
        return staying().stream()
                .map(Connection::whyNotReady)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    public void open() {
        staying().forEach(Connection::open);
    }

    public void awaitReady(Duration timeout) {
        if (eventLoop.isIoThread()) {
            throw new MemcachedUnsupportedException(LoopFuture.WAITS_FOR_ITSELF);
        }
        long deadline =
                System.nanoTime() + Timeouts.check("awaitReady", timeout).toNanos();
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

    private boolean await(BooleanSupplier condition, long deadlineNanos) {
        while (!condition.getAsBoolean()) {
            if (closed || Thread.currentThread().isInterrupted() || deadlineNanos - System.nanoTime() <= 0) {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        return true;
    }

    public void close(Duration drainTimeout) {
        if (!drainTimeout.isZero()) {
            long deadline = System.nanoTime()
                    + Timeouts.check("drainTimeout", drainTimeout).toNanos();
            draining = true;
            connections().forEach(each -> each.retire(drainTimeout));
            if (!threads.isOwnThread()) {
                await(() -> connections().allMatch(each -> each.state() == ConnectionState.CLOSED), deadline);
            }
        }
        close();
    }

    @Override
    public void close() {
        closed = true;
        connections().forEach(Connection::close);
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
            threads.announcer.serverLeft(address);
        }
    }

    boolean isCompleting() {
        return connections().anyMatch(each -> each.backlog() > 0);
    }

    void closeLinks(long deadlineNanos) {
        eventLoop.close();
        callerDriven.close();
        connections().forEach(connection -> connection.awaitClosed(deadlineNanos));
        callerDriven.awaitClosed(deadlineNanos);
    }
}
