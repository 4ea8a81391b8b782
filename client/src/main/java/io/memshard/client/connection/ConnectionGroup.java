// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientThread;
import io.memshard.client.concurrent.OwnThread;
import io.memshard.client.ejection.ServerWatch;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.link.ByteBudget;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkOpener;
import io.memshard.client.link.SpareThreads;
import io.memshard.client.link.callers.CallerDrivenLink;
import io.memshard.client.link.eventloop.EventLoopOpener;
import io.memshard.client.link.eventloop.NettyVersions;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes connections and owns what they share: event loops, a timer and the threads that connect.
 *
 * <p>Threading: thread-safe. All threads are daemons named {@code memshard-*}; event loops start with the
 * first connection that opens on them, connecting threads end when idle.
 */
public final class ConnectionGroup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGroup.class);

    /** How often it is looked whether connections are ready, or have nothing left to do. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** While more connections than this retire, further ones wait. */
    private static final int MAX_RETIRING = 1_000;

    private static final long RETIRING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long IDLE_SECONDS = 5;
    private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ConnectionOptions options;
    private final ByteBudget budget;
    private final List<ReconnectingConnection> connections = new CopyOnWriteArrayList<>();
    /** The connections that take no more commands, and until when those in flight may take. */
    private final ConcurrentMap<ReconnectingConnection, Long> retiring = new ConcurrentHashMap<>();

    private final ConcurrentMap<ServerAddress, PerServer> servers = new ConcurrentHashMap<>();
    private final Surroundings surroundings;
    private final EventLoopOpener eventLoop;
    private final Timer timer;
    private final ConnectThreads connectors;

    /** For the addresses of a name that are tried at the same time. */
    private final ThreadPoolExecutor racers;

    /** For futures: at most four threads for each connection that has some to complete, and the spare ones. */
    private final ThreadPoolExecutor completers;

    private final SpareThreads spares;

    private final Pauses pauses;

    private final @Nullable ConnectionListener listener;

    /** For changes of state. */
    private final ThreadPoolExecutor listeners;

    private final Announcer announcer;

    /** Written by {@link #onFailure}, and read by those that tell of changes. */
    private volatile Runnable onFailure = () -> {};

    private volatile boolean closed;

    /** Whether a thread was started that ends the others. */
    private final AtomicBoolean ending = new AtomicBoolean();

    /** A group without connections, which tells nobody what happens on them. */
    public ConnectionGroup(ConnectionOptions options, int eventLoopThreads) {
        this(options, eventLoopThreads, null);
    }

    /**
     * A group without connections.
     *
     * @param eventLoopThreads how many event loops the connections share, at least 1
     * @param listener is told what happens on them; null for nobody
     * @throws IllegalStateException if the Netty on the class path cannot be used
     */
    public ConnectionGroup(ConnectionOptions options, int eventLoopThreads, @Nullable ConnectionListener listener) {
        this(
                options,
                eventLoopThreads,
                listener,
                new Surroundings(AddressResolver.SYSTEM, LoggerFactory.getLogger(Connection.class)));
    }

    /**
     * What the connections find outside the client.
     *
     * @param resolver finds the addresses of servers
     * @param log told what happens to connections
     */
    record Surroundings(AddressResolver resolver, Logger log) {}

    /** As the others, in other surroundings. */
    ConnectionGroup(
            ConnectionOptions options,
            int eventLoopThreads,
            @Nullable ConnectionListener listener,
            Surroundings surroundings) {
        NettyVersions.check();
        this.options = options;
        this.budget = new ByteBudget(options.bytesInFlight());
        this.listener = listener;
        this.surroundings = surroundings;
        eventLoop = new EventLoopOpener(eventLoopThreads, options);
        timer = new Timer(this::tick);
        connectors = new ConnectThreads(IDLE_SECONDS);
        racers = threads("memshard-connect");
        completers = threads("memshard-complete");
        spares = new SpareThreads(completers);
        pauses = new Pauses(timer, completers);
        listeners = threads("memshard-listener");
        announcer = new Announcer(listener, listeners);
        timer.start();
    }

    /**
     * A new connection, which opens its socket with its first command.
     *
     * @param index its position in its array
     * @throws IllegalArgumentException if the server cannot be reached by the transport as the options demand
     */
    public Connection newConnection(ServerAddress server, int index, Transport transport) {
        options.access().check(server, transport);
        LinkContext context = new LinkContext(server, index, null, options, options.protocol(), budget);
        return switch (transport) {
            case EVENT_LOOP -> newConnection(context, eventLoop);
            case CALLER_DRIVEN -> newConnection(context, CallerDrivenLink::open);
            case AUTO ->
                options.access().tls() != null
                        ? newConnection(context, eventLoop)
                        : new AutoConnection(
                                newConnection(context, CallerDrivenLink::open),
                                newConnection(context.ofSocket("event loop"), eventLoop));
        };
    }

    /** A new connection of one socket, which is known to the timer, and so is what it shares with others. */
    Connection newConnection(LinkContext context, LinkOpener opener) {
        checkOpen();
        if (opener == eventLoop) {
            eventLoop.expectLinks();
        }
        AtomicReference<@Nullable ReconnectingConnection> made = new AtomicReference<>();
        // In one step: what a server's connections share is forgotten while there are none.
        servers.compute(context.server(), (address, there) -> {
            PerServer server = there == null ? newPerServer(address) : there;
            ReconnectingConnection connection = new ReconnectingConnection(context, opener, this, server);
            server.add(connection);
            made.set(connection);
            return server;
        });
        ReconnectingConnection connection = Objects.requireNonNull(made.get());
        connections.add(connection);
        if (closed) {
            // Whoever closes the group may not have seen it.
            connection.close();
        }
        checkOpen();
        return connection;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
    }

    /** Threads that end when idle, as many as there are tasks. */
    private static ThreadPoolExecutor threads(String name) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                OwnThread.factory(name));
    }

    /**
     * Has a connection refuse commands from now on, closes it when those in flight have ended, and forgets it. Waits
     * for nothing.
     *
     * @param connection one of this group
     * @param drainTimeout how long those in flight may take
     */
    public void retire(Connection connection, Duration drainTimeout) {
        long deadline = System.nanoTime() + drainTimeout.toNanos();
        List<Connection> retired = connection instanceof AutoConnection auto ? auto.sockets() : List.of(connection);
        connections.stream().filter(retired::contains).forEach(each -> {
            each.drain();
            retiring.put(each, deadline);
        });
    }

    /**
     * Waits while more than 1,000 connections retire, for up to 5 seconds, so that quick changes of servers do not fill
     * the memory. Returns early if the group is closed or the calling thread is interrupted. Returns at once on a
     * thread of a client: a connection is closed only after the stages of its futures have returned.
     *
     * <p>Threading: call it without a lock. The timer ends what retires, and needs no lock of a caller. Each of many
     * threads may find the same place, so there can be more by what those threads retire.
     */
    public void awaitPlaceToRetire() {
        if (!ClientThread.isCurrent()) {
            holds(() -> retiring.size() <= MAX_RETIRING, System.nanoTime() + RETIRING_NANOS);
        }
    }

    /** Closes a retiring connection when it is drained or its time is over, and forgets it when nothing is left. */
    private void tickRetiring(ReconnectingConnection connection, long deadlineNanos, long nowNanos) {
        if (connection.isOver()) {
            connections.remove(connection);
            retiring.remove(connection);
            connection.perServer().remove(connection);
        } else if (connection.state() != ConnectionState.CLOSED) {
            if (nowNanos - deadlineNanos >= 0) {
                close(connection);
            } else {
                connection.closeIfDrained();
            }
        }
    }

    /** Returns the listener that is notified of what happens on the connections; null for none. */
    @Nullable
    ConnectionListener listener() {
        return listener;
    }

    /**
     * Has something done when a connection was lost or could not be opened, and when a server was ejected.
     *
     * @param task called with locks held, again and again while a server is down; must not block
     */
    public void onFailure(Runnable task) {
        onFailure = task;
    }

    /** Has the listener told of a change of state, by a thread of its own. */
    void announce(Connection connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
        if (to == ConnectionState.RECONNECTING) {
            onFailure.run();
        }
        announcer.announce(connection, told -> told.stateChanged(connection, from, to, cause));
    }

    /** As the other, of a change of a server. */
    void announce(ServerStatus before, ServerStatus now) {
        if (before.state() == ServerState.UP) {
            onFailure.run();
        }
        announcer.announce(now.server(), told -> told.serverStateChanged(before, now));
    }

    private PerServer newPerServer(ServerAddress server) {
        return new PerServer(server, options, this, surroundings.log);
    }

    /** Whether a server is there, as its connections and probes find; while it has connections, always the same. */
    public ServerWatch watch(ServerAddress server) {
        return servers.computeIfAbsent(server, this::newPerServer).watch;
    }

    /** What refuses commands for a server that is ejected. */
    public CommandSender newRefusal(ServerAddress server) {
        LinkContext context = new LinkContext(server, 0, null, options, options.protocol(), budget);
        return new RefusingSender(context, this, watch(server));
    }

    /** What probes a server. A socket that its caller drives costs no thread. TLS goes over event loops. */
    ServerProbe newProbe(ServerAddress server, PerServer shared) {
        LinkContext context = new LinkContext(server, 0, "probe", options, options.protocol(), budget);
        LinkOpener opener = options.access().tls() != null ? eventLoop : CallerDrivenLink::open;
        return new ServerProbe(context, opener, means(shared.sockets, shared.log));
    }

    /** What a connection needs to open links. */
    Handshake.Means means(SocketBudget sockets, ServerLog log) {
        return new Handshake.Means(surroundings.resolver, racers, sockets, log, System::nanoTime);
    }

    FutureCompleter newFutureCompleter() {
        return new FutureCompleter(options.completionExecutor(), completers, spares);
    }

    /**
     * Runs a blocking attempt to connect on a thread made for that.
     *
     * @param failures how many in a row came before it
     */
    Future<?> connect(Runnable attempt, int failures) {
        return connectors.start(attempt, failures);
    }

    /** Runs a blocking attempt to connect after a delay. */
    Timer.Task connectLater(Runnable attempt, long delayNanos) {
        return timer.schedule(attempt, delayNanos);
    }

    /** As {@link CommandSender#pause}. */
    CompletableFuture<@Nullable Void> pause(long nanos) {
        return pauses.begin(nanos);
    }

    /** The connections that are not retiring. */
    private List<ReconnectingConnection> staying() {
        return connections.stream().filter(each -> !retiring.containsKey(each)).toList();
    }

    /** Has each connection open its socket now, and not with its first command. */
    public void open() {
        staying().forEach(ReconnectingConnection::open);
    }

    /**
     * Opens each connection and waits until all are ready.
     *
     * @param timeout how long at most, more than zero and at most 24 days
     * @throws MemcachedConnectionException if one is not ready in time; it names each of those, and why
     * @throws MemcachedInterruptedException if the calling thread is interrupted
     */
    public void awaitReady(Duration timeout) {
        long deadline = System.nanoTime()
                + ConnectionOptions.checkTimeout("awaitReady", timeout).toNanos();
        open();
        if (!holds(() -> notReady().isEmpty(), deadline)) {
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

    private List<String> notReady() {
        return staying().stream()
                .map(ReconnectingConnection::whyNotReady)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Waits until {@code condition} holds; false if it does not by then, or the thread is interrupted. */
    private boolean holds(BooleanSupplier condition, long deadlineNanos) {
        while (!condition.getAsBoolean()) {
            if (closed || Thread.currentThread().isInterrupted() || deadlineNanos - System.nanoTime() <= 0) {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        return true;
    }

    private void tick() {
        long now = System.nanoTime();
        safely(eventLoop, () -> eventLoop.tick(now));
        for (ReconnectingConnection connection : connections) {
            safely(connection, () -> {
                connection.tick(now);
                Long deadline = retiring.get(connection);
                if (deadline != null) {
                    tickRetiring(connection, deadline, now);
                }
            });
        }
        servers.forEach((address, server) -> safely(address, () -> {
            server.tick(now);
            if (server.isUnused(now)) {
                forget(address, now);
            }
        }));
        safely(this, () -> {
            pauses.tick();
            announcer.tick();
            connectors.tick();
        });
    }

    /** What one part of a tick throws, as for lack of memory, must not keep the others from their deadlines. */
    private static void safely(Object subject, Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            LOG.error("{}: the timer failed, and goes on", subject, e);
        }
    }

    private void forget(ServerAddress address, long nowNanos) {
        if (servers.computeIfPresent(address, (any, server) -> server.isUnused(nowNanos) ? null : server) == null) {
            announcer.announce(address, told -> told.serverLeft(address));
        }
    }

    /**
     * Refuses commands from now on, waits until those in flight have ended and their futures are completed, and closes.
     * An operation that sends further commands fails with these. Called on a thread of a client, it closes at once.
     *
     * @param drainTimeout how long to wait at most, zero to 24 days. If the calling thread is interrupted, it closes at
     *     once
     */
    public void close(Duration drainTimeout) {
        if (!drainTimeout.isZero()) {
            long deadline = System.nanoTime()
                    + ConnectionOptions.checkTimeout("drainTimeout", drainTimeout)
                            .toNanos();
            connections.forEach(ReconnectingConnection::drain);
            if (!ClientThread.isCurrent()) {
                holds(() -> connections.stream().allMatch(ReconnectingConnection::isDrained), deadline);
            }
        }
        close();
    }

    /**
     * Closes each connection, then ends every thread. Idempotent.
     *
     * <p>First every command in flight on any connection fails, whatever the threads are held up by. Then the threads
     * are waited for, up to about ten seconds; one that a stage or a listener holds up beyond that ends when it
     * returns. Called on a thread of a client, as by a stage that depends on a future or by a listener, it waits for
     * none: they end afterwards.
     */
    @Override
    public void close() {
        closed = true;
        connections.forEach(ConnectionGroup::close);
        timer.end();
        pauses.endAll();
        connectors.shutdownNow();
        racers.shutdownNow();
        if (!ClientThread.isCurrent()) {
            endThreads();
        } else if (ending.compareAndSet(false, true)) {
            new OwnThread(this::endThreads, "memshard-close").start();
        }
    }

    /** An Error that cuts it short must not leave a command in flight, on this connection or another. */
    private static void close(ReconnectingConnection connection) {
        try {
            connection.close();
        } catch (Throwable e) {
            LOG.error("{}: closing was cut short, and is done again", connection, e);
            connection.close();
        }
    }

    private void endThreads() {
        long deadline = System.nanoTime() + SHUTDOWN_NANOS;
        try {
            timer.awaitEnd(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        awaitCompleted(deadline);
        // An attempt under way closes its socket on the event loop, which must still be there.
        awaitEnd(connectors, deadline);
        awaitEnd(racers, deadline);
        // What an Error has cut short is done again, as the timer did before.
        tick();
        eventLoop.close();
        connections.forEach(connection -> connection.awaitClosed(deadline));
        completers.shutdown();
        awaitEnd(completers, deadline);
        tick();
        listeners.shutdown();
        awaitEnd(listeners, deadline);
    }

    /** Ticks in the timer's place while futures wait, so that spare threads go on where a stage blocks. */
    private void awaitCompleted(long deadlineNanos) {
        try {
            while (connections.stream().anyMatch(each -> each.backlog() > 0) && deadlineNanos - System.nanoTime() > 0) {
                tick();
                completers.awaitTermination(Timer.TICK_NANOS, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEnd(ThreadPoolExecutor executor, long deadlineNanos) {
        try {
            executor.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
