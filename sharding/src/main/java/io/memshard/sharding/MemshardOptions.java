// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.KeyRule;
import io.memshard.sharding.discovery.Discovery;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code Memshard} is made with: the settings of a {@code MemshardBuilder}, which describes and checks each of
 * them.
 *
 * <p>Threading: immutable.
 *
 * @param servers the servers at first, at least one
 * @param discovery finds the servers later, and is closed with the client; null if they are given
 * @param ring how keys are spread over the servers
 * @param connectionsPerServer how many connections it has, at least 1
 * @param chooser which connection takes a command
 * @param transport which threads do the I/O
 * @param requestTimeout how long a command may take, from call to reply
 * @param ioThreads how many event-loop threads the connections share, at least 1
 * @param connection how each connection behaves
 * @param failurePolicy what the clients do about failures
 * @param failover when a server counts as down, and what becomes of its keys meanwhile
 * @param keyPrefix stands before each key; empty for none
 * @param hashesKeys whether keys are hashed that memcached refuses
 * @param connectsEagerly whether connections are opened at once, and not with their first commands
 * @param listener is told what happens on the connections; null for none
 */
public record MemshardOptions(
        List<Server> servers,
        @Nullable Discovery discovery,
        Ring ring,
        int connectionsPerServer,
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

    /**
     * The only server.
     *
     * @throws IllegalStateException if there are several
     */
    public ServerAddress server() {
        if (servers.size() != 1) {
            throw new IllegalStateException(servers.size() + " servers");
        }
        return servers.get(0).address();
    }

    /** The servers with a comma between. */
    public String shownServers() {
        return Topology.shown(servers);
    }

    /** How many sockets a connection has once both kinds of callers are there. */
    public int socketsPerConnection() {
        return transport == Transport.AUTO && connection.access().tls() == null ? 2 : 1;
    }

    /** The key that the server is sent for a key of a client. */
    public String storedKey(String key) {
        return new KeyRule(keyPrefix, hashesKeys).stored(key);
    }

    /** The same with another number of connections, and with no more event-loop threads than these can use. */
    public MemshardOptions withConnections(int connections) {
        return new MemshardOptions(
                servers,
                discovery,
                ring,
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
