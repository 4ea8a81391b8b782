// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.ServerAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers of a client that have a connection, or had one lately. A connection stays here until it is closed and has
 * nothing left to do.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Memory effects: a connection that {@link #add} has returned is seen by every later {@link #close} and tick. A
 * server is removed in one atomic step with the check that it has no connections. A connection is added in an atomic
 * step too. No connection is therefore lost with its server.
 */
final class ServerRegistry {

    /** Maximum number of retiring connections before further ones wait. */
    private static final int MAX_RETIRING = 1_000;

    private final ConcurrentMap<ServerAddress, PerServer> servers = new ConcurrentHashMap<>();
    private final Function<ServerAddress, PerServer> factory;
    private final Consumer<ServerAddress> onForgotten;

    /**
     * Creates a registry without servers.
     *
     * @param factory the factory of servers that are not known yet
     * @param onForgotten the action that the timer calls with the address of each server that was removed
     */
    ServerRegistry(Function<ServerAddress, PerServer> factory, Consumer<ServerAddress> onForgotten) {
        this.factory = factory;
        this.onForgotten = onForgotten;
    }

    /** Returns a server; always the same while it has connections. */
    PerServer get(ServerAddress address) {
        return servers.computeIfAbsent(address, factory);
    }

    /** Creates a connection to a server, and adds it. */
    ReconnectingConnection add(ServerAddress address, Function<PerServer, ReconnectingConnection> newConnection) {
        AtomicReference<@Nullable ReconnectingConnection> made = new AtomicReference<>();
        servers.compute(address, (any, known) -> {
            PerServer server = known == null ? factory.apply(address) : known;
            ReconnectingConnection connection = newConnection.apply(server);
            server.add(connection);
            made.set(connection);
            return server;
        });
        return Objects.requireNonNull(made.get());
    }

    /** Returns every connection, retiring ones included. */
    Stream<ReconnectingConnection> connections() {
        return servers.values().stream().flatMap(each -> each.connections().stream());
    }

    /** Returns the connections that are not retiring. */
    List<ReconnectingConnection> staying() {
        return servers.values().stream().flatMap(PerServer::staying).toList();
    }

    List<String> notReady() {
        return staying().stream()
                .map(ReconnectingConnection::whyNotReady)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Returns whether so few connections retire that a further one need not wait. */
    boolean canRetire() {
        return servers.values().stream().mapToInt(PerServer::retiring).sum() <= MAX_RETIRING;
    }

    /** Ticks each server, and removes unused ones. Called by the timer. */
    void tick(long nowNanos) {
        servers.forEach((address, server) -> {
            server.tick(nowNanos);
            ClientThreads.safely(address, () -> forgetIfUnused(address, server, nowNanos));
        });
    }

    private void forgetIfUnused(ServerAddress address, PerServer server, long nowNanos) {
        if (server.isUnused(nowNanos)
                && servers.computeIfPresent(address, (any, known) -> known.isUnused(nowNanos) ? null : known) == null) {
            onForgotten.accept(address);
        }
    }

    void close() {
        servers.values().forEach(PerServer::close);
    }
}
