// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.RoutingSender;
import io.memshard.client.sender.SecondAttempt;
import io.memshard.client.sender.SendMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sender that sends each command to the server of its key, or where a {@link ServerDownPolicy} says. Thread-safe. */
final class ClusterSender implements RoutingSender {

    static final int ANY = -1;

    private final Cluster cluster;
    private final int index;
    private final ServerDownPolicy serverDown;
    private final @Nullable String routingKey;
    private volatile IfRefused ifRefused;

    ClusterSender(Cluster cluster, int index, ServerDownPolicy serverDown) {
        this(cluster, index, serverDown, null);
    }

    private ClusterSender(Cluster cluster, int index, ServerDownPolicy serverDown, @Nullable String routingKey) {
        this.cluster = cluster;
        this.index = index;
        this.serverDown = serverDown;
        this.routingKey = routingKey;
        ifRefused = new IfRefused(cluster.topology());
    }

    @Override
    public CommandSender withServerDown(ServerDownPolicy policy) {
        return new ClusterSender(cluster, index, cluster.options().check(policy), routingKey);
    }

    @Override
    public CommandSender withRoutingKey(String key) {
        return new ClusterSender(cluster, index, serverDown, key);
    }

    private CommandSender at(ServerConnections server) {
        return index == ANY ? server : server.each().get(index);
    }

    private CommandSender at(Routes routes, Command<?> command, SendMode mode) {
        ServerConnections only = routes.only();
        if (only != null && !only.isEjected()) {
            return at(only);
        }
        return at(routes, command.key(), mode);
    }

    private CommandSender at(Routes routes, @Nullable String ofCommand, SendMode mode) {
        String key = routingKey == null ? ofCommand : routingKey;
        if (key == null) {
            return at(routes.first(mode));
        }
        ServerConnections own = routes.of(key);
        return own.isEjected() ? insteadOf(own, routes, key) : at(own);
    }

    private CommandSender insteadOf(ServerConnections own, Routes routes, String key) {
        Routes gutter = routes.gutter();
        return switch (serverDown) {
            case FAIL_FAST -> own.refusal();
            case MISS -> own.miss();
            case NEXT_SERVER -> elsewhere(routes.nextOf(key), own, true);
            case NEXT_SERVER_FOR_READS -> elsewhere(routes.nextOf(key), own, false);
            case GUTTER -> elsewhere(gutter == null ? null : gutter.nextOf(key), own, true);
        };
    }

    private CommandSender elsewhere(@Nullable ServerConnections other, ServerConnections own, boolean writesToo) {
        if (other == null) {
            return own.refusal();
        }
        CommandSender sender = at(other);
        return new FailoverSender(sender, writesToo ? sender : own.refusal(), (int)
                cluster.options().failoverTtl.toSeconds());
    }

    @Override
    public <T> Reply<T> send(Command<T> command, SendMode mode) {
        Routes routes = cluster.routes;
        Reply<T> reply = at(routes, command, mode).send(command, mode);
        reply.orElse(command, ifRefusedAfter(routes.topology()));
        return reply;
    }

    @Override
    public <T> T call(Command<T> command, long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        Routes routes = cluster.routes;
        CommandSender server = at(routes, command, SendMode.AWAITED);
        try {
            return server.call(command, timeoutNanos);
        } catch (MemcachedConnectionException e) {
            return ifRefusedAfter(routes.topology()).awaitAfter(command, e, deadline);
        }
    }

    private IfRefused ifRefusedAfter(Topology topology) {
        IfRefused latest = ifRefused;
        if (latest.before.version() != topology.version()) {
            latest = new IfRefused(topology);
            ifRefused = latest;
        }
        return latest;
    }

    private final class IfRefused implements SecondAttempt {

        private final Topology before;

        IfRefused(Topology before) {
            this.before = before;
        }

        @Override
        public <T> @Nullable Reply<T> after(
                Command<T> failed, MemcachedException failure, SendMode mode, long restNanos) {
            if (!(failure instanceof MemcachedConnectionException) || !failure.isSafeToRetry() || restNanos <= 0) {
                return null;
            }
            Routes now = cluster.routes;
            boolean isAccepted = before.version() != now.topology().version()
                    || (at(now, failed, mode) instanceof ServerConnections server
                            && server.isReadyElsewhere(failure.context(), mode));
            Command<T> again = isAccepted ? failed.again() : null;
            return again == null ? null : send(again, mode);
        }
    }

    @Override
    public <I> Map<CommandSender, List<I>> byServer(List<I> items, Function<I, String> key) {
        Routes routes = cluster.routes;
        ServerConnections only = routes.only();
        if (only != null && !only.isEjected()) {
            return Map.of(at(only), items);
        }
        if (routingKey != null) {
            return Map.of(at(routes, routingKey, SendMode.UNAWAITED), items);
        }
        Map<CommandSender, List<I>> groups = new LinkedHashMap<>();
        for (I item : items) {
            groups.computeIfAbsent(at(routes, key.apply(item), SendMode.UNAWAITED), any -> new ArrayList<>())
                    .add(item);
        }
        return groups;
    }

    @Override
    public CompletableFuture<@Nullable Void> pause(long nanos) {
        return cluster.routes.servers().get(0).pause(nanos);
    }

    @Override
    public CommandContext context(String verb, @Nullable String key, Phase phase) {
        Routes routes = cluster.routes;
        String of = routingKey == null ? key : routingKey;
        ServerConnections own = of == null ? routes.first(SendMode.UNAWAITED) : routes.of(of);
        return (own.isEjected() && of != null ? insteadOf(own, routes, of) : at(own)).context(verb, key, phase);
    }

    @Override
    public String toString() {
        ServerConnections only = cluster.routes.only();
        return only == null ? cluster.toString() : at(only).toString();
    }
}
