// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.MemcachedClient;
import io.memshard.client.ejection.EjectionOptions;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.operation.Calls;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@code Memshard}, with their defaults. {@code Memshard.builder()} describes, checks and writes the
 * fields of its own object. Each client reads a copy, whose fields never change.
 */
public final class MemshardOptions extends ConnectionOptions {

    public List<Server> servers = List.of();
    public @Nullable Discovery discovery;
    public Ring ring = Ring.libmemcachedWeighted();

    public int connectionsPerServer = defaultConnections(Runtime.getRuntime().availableProcessors());
    public int loopSockets;
    public ConnectionChooser chooser = ConnectionChooser.stickyRoundRobin();
    public boolean connectEagerly;
    public Transport transport = Transport.AUTO;
    public int ioThreads = Math.min(2, Runtime.getRuntime().availableProcessors());

    public Duration requestTimeout = Duration.ofMillis(500);

    public FailurePolicy failurePolicy = FailurePolicy.FAIL_FAST;
    public ServerDownPolicy serverDown = ServerDownPolicy.FAIL_FAST;
    public EjectionOptions ejection = EjectionOptions.DEFAULTS;
    public List<Server> gutter = List.of();
    public Duration failoverTtl = Duration.ofSeconds(60);

    public String keyPrefix = "";
    public boolean hashKeys;

    public @Nullable ConnectionListener listener;

    public static int defaultConnections(int processors) {
        return Math.min(8, Math.max(2, processors / 2));
    }

    @Override
    public MemshardOptions clone() {
        return (MemshardOptions) super.clone();
    }

    public MemshardOptions withConnections(int connections) {
        MemshardOptions copy = clone();
        copy.connectionsPerServer = connections;
        copy.loopSockets = connections;
        copy.ioThreads = Math.min(ioThreads, connections);
        return copy;
    }

    public ServerAddress server() {
        if (servers.size() != 1) {
            throw new IllegalStateException(
                    "server() requires one server, but " + servers.size() + " servers are set: use servers");
        }
        return servers.get(0).address();
    }

    public String shownServers() {
        return new Topology(1, servers).shownServers();
    }

    public boolean hasSocketPairs() {
        return transport == Transport.AUTO && tls == null;
    }

    public int socketsPerServer() {
        return connectionsPerServer + (hasSocketPairs() ? loopSockets : 0);
    }

    /** Returns the time after which the liveness check has failed each unanswered command. */
    Duration drainTimeout() {
        return connectTimeout.plus(livenessTimeout.multipliedBy(2));
    }

    public String storedKey(String key) {
        return new KeyRule(keyPrefix, hashKeys).stored(key);
    }

    public ServerDownPolicy check(ServerDownPolicy policy) {
        Objects.requireNonNull(policy, "serverDown is null");
        if (policy == ServerDownPolicy.GUTTER && gutter.isEmpty()) {
            throw new IllegalArgumentException(
                    "serverDown is GUTTER, but gutter is empty: name spare servers, such as spare-1:11211");
        }
        return policy;
    }

    /** Checks that no spare server is one of {@code others}. */
    public void checkServers(List<Server> others) {
        for (Server spare : gutter) {
            ServerAddress address = spare.address().withName(null);
            if (others.stream()
                    .anyMatch(server -> server.address().withName(null).equals(address))) {
                throw new IllegalArgumentException("gutter: " + address + " is one of the servers too, but a spare"
                        + " server must have no keys of its own: name another server");
            }
        }
    }

    /** Returns a client. {@code times} is as for {@link Calls}. */
    public <V> MemcachedClient<V> client(
            CommandSender sender,
            Transcoder<V> transcoder,
            Function<@Nullable String, @Nullable ServerAddress> servers,
            LongUnaryOperator times) {
        Calls.Observation observation = Calls.Observation.by(listener, servers, hideKeys);
        Calls calls = new Calls(sender, failurePolicy, requestTimeout, observation, times);
        MemcachedClient<V> client =
                Clients.blocking(calls, transcoder, maxValueBytes).withKeyPrefix(keyPrefix);
        return hashKeys ? client.withHashedKeys() : client;
    }
}
