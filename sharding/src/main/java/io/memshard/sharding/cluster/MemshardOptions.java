// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.MemcachedClient;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.operation.Calls;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.wire.KeyRule;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.Topology;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Settings of a {@code Memshard}. {@code Memshard.builder()} describes and checks each setting. Immutable. */
public record MemshardOptions(
        List<Server> servers,
        @Nullable Discovery discovery,
        Ring ring,
        int connectionsPerServer,
        int loopSockets,
        ConnectionChooser chooser,
        Transport transport,
        Duration requestTimeout,
        int ioThreads,
        ConnectionOptions connection,
        FailurePolicy failurePolicy,
        FailoverOptions failover,
        String keyPrefix,
        boolean hashesKeys,
        boolean connectsEagerly,
        @Nullable ConnectionListener listener) {

    public ServerAddress server() {
        if (servers.size() != 1) {
            throw new IllegalStateException(
                    "server() requires one server, but " + servers.size() + " servers are set: use servers()");
        }
        return servers.get(0).address();
    }

    public String shownServers() {
        return new Topology(1, servers).shownServers();
    }

    public boolean hasSocketPairs() {
        return transport == Transport.AUTO && connection.tls() == null;
    }

    public int socketsPerServer() {
        return connectionsPerServer + (hasSocketPairs() ? loopSockets : 0);
    }

    /** Returns the time after which the liveness check has failed each unanswered command. */
    Duration drainTimeout() {
        return connection.connectTimeout().plus(connection.livenessTimeout().multipliedBy(2));
    }

    public String storedKey(String key) {
        return new KeyRule(keyPrefix, hashesKeys).stored(key);
    }

    /** Returns a client. {@code times} converts a call's timeout to its time limit, both in nanoseconds. */
    public <V> MemcachedClient<V> client(
            CommandSender sender,
            Transcoder<V> transcoder,
            Function<@Nullable String, @Nullable ServerAddress> servers,
            LongUnaryOperator times) {
        Calls.Observation observation = Calls.Observation.by(listener, servers, connection.hidesKeys());
        Calls calls = new Calls(sender, failurePolicy, requestTimeout, observation, times);
        MemcachedClient<V> client =
                Clients.blocking(calls, transcoder, connection.maxValueBytes()).withKeyPrefix(keyPrefix);
        return hashesKeys ? client.withHashedKeys() : client;
    }

    public MemshardOptions withConnections(int connections) {
        return new MemshardOptions(
                servers,
                discovery,
                ring,
                connections,
                connections,
                chooser,
                transport,
                requestTimeout,
                Math.min(ioThreads, connections),
                connection,
                failurePolicy,
                failover,
                keyPrefix,
                hashesKeys,
                connectsEagerly,
                listener);
    }
}
