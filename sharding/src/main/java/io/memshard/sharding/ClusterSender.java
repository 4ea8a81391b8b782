// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import io.memshard.client.connection.CallObservation;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Futures;
import io.memshard.client.connection.Reply;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes each command to the server of its key.
 *
 * <p>A server that leaves refuses commands. A command that was on its way to it then goes to the server that has its
 * key now.
 *
 * <p>Threading: immutable.
 */
final class ClusterSender implements CommandSender {

    /** In place of an index: the connection that the chooser picks. */
    static final int ANY = -1;

    private final Cluster cluster;
    private final int index;

    /**
     * A sender to the servers of a cluster.
     *
     * @param index which connection of each server takes the commands, or {@link #ANY}
     */
    ClusterSender(Cluster cluster, int index) {
        this.cluster = cluster;
        this.index = index;
    }

    private CommandSender at(ServerConnections server) {
        return index == ANY ? server.any() : server.connection(index);
    }

    @Override
    public <T> Reply<T> send(Command<T> command) {
        return send(command, false);
    }

    @Override
    public <T> Reply<T> sendAgain(Command<T> command) {
        return send(command, true);
    }

    private <T> Reply<T> send(Command<T> command, boolean again) {
        Routes routes = cluster.routes();
        CommandSender server = at(routes.of(command, ServerConnections::isReadyToSend));
        Reply<T> reply = again ? server.sendAgain(command) : server.send(command);
        return isNow(routes) ? reply : new MovedReply<>(command, reply);
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        Routes routes = cluster.routes();
        try {
            return at(routes.of(command, ServerConnections::isReadyToCall)).call(command, timeoutNanos);
        } catch (MemcachedConnectionException e) {
            return callElsewhere(routes, command, timeoutNanos, e);
        }
    }

    @Override
    public <T> T callAgain(Command<T> command, long timeoutNanos) {
        Routes routes = cluster.routes();
        try {
            return at(routes.of(command, ServerConnections::isReadyToCall)).callAgain(command, timeoutNanos);
        } catch (MemcachedConnectionException e) {
            return callElsewhere(routes, command, timeoutNanos, e);
        }
    }

    private boolean isNow(Routes routes) {
        return routes == cluster.routes();
    }

    private <T> T callElsewhere(
            Routes before, Command<T> command, long timeoutNanos, MemcachedConnectionException failure) {
        if (isNow(before) || !failure.isSafeToRetry()) {
            throw failure;
        }
        return call(command.again(), timeoutNanos);
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        Routes routes = cluster.routes();
        ServerConnections only = routes.only();
        if (only != null) {
            return Map.of(at(only), items);
        }
        Map<CommandSender, List<I>> groups = new LinkedHashMap<>();
        for (I item : items) {
            groups.computeIfAbsent(at(routes.of(key.apply(item))), any -> new ArrayList<>())
                    .add(item);
        }
        return groups;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return at(cluster.routes().servers().get(0)).pause(nanos);
    }

    @Override
    public @Nullable CallObservation callObservation(@Nullable String key) {
        Routes routes = cluster.routes();
        if (key != null) {
            return routes.of(key).any().callObservation(key);
        }
        CallObservation observation = routes.ready().any().callObservation(null);
        return observation == null || routes.only() != null ? observation : observation.ofSeveralServers();
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        Routes routes = cluster.routes();
        return at(key == null ? routes.ready() : routes.of(key)).context(verb, key, phase);
    }

    @Override
    public String toString() {
        ServerConnections only = cluster.routes().only();
        return only == null ? cluster.toString() : at(only).toString();
    }

    /** The reply to a command that was sent while the topology changed. */
    private final class MovedReply<T> implements Reply<T> {

        private final Command<T> command;
        private final Reply<T> reply;

        MovedReply(Command<T> command, Reply<T> reply) {
            this.command = command;
            this.reply = reply;
        }

        @Override
        public T await(long timeoutNanos) {
            try {
                return reply.await(timeoutNanos);
            } catch (MemcachedConnectionException e) {
                if (!e.isSafeToRetry()) {
                    throw e;
                }
                return call(command.again(), timeoutNanos);
            }
        }

        @Override
        public CompletableFuture<T> toFuture(Duration timeout) {
            return reply.toFuture(timeout).exceptionallyCompose(thrown -> {
                Throwable cause = Futures.cause(thrown);
                return cause instanceof MemcachedConnectionException failure && failure.isSafeToRetry()
                        ? send(command.again()).toFuture(timeout)
                        : CompletableFuture.failedFuture(cause);
            });
        }
    }
}
