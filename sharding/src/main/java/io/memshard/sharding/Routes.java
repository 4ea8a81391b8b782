// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import io.memshard.client.protocol.Command;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the commands of a topology go.
 *
 * <p>Threading: immutable.
 */
final class Routes {

    private final Topology topology;
    private final ServerConnections[] servers;
    private final ServerLocator locator;

    /**
     * Routes to these servers.
     *
     * @param servers the connections to each server of the topology, in its order
     */
    Routes(Topology topology, List<ServerConnections> servers, ServerLocator locator) {
        this.topology = topology;
        this.servers = servers.toArray(new ServerConnections[0]);
        this.locator = locator;
    }

    Topology topology() {
        return topology;
    }

    /** The connections to each server, in the order of the topology. */
    List<ServerConnections> servers() {
        return List.of(servers);
    }

    /** The only server; null if there are several. */
    @Nullable
    ServerConnections only() {
        return servers.length == 1 ? servers[0] : null;
    }

    /**
     * The server that a command goes to: that of its key, or the first that is ready if it has none.
     *
     * @param isReady whether a server takes commands of the caller's kind
     */
    ServerConnections of(Command<?> command, Predicate<ServerConnections> isReady) {
        if (servers.length == 1) {
            return servers[0];
        }
        String key = command.key();
        return key == null ? first(isReady) : servers[locator.locate(key)];
    }

    /** The server of a key. */
    ServerConnections of(String key) {
        return servers.length == 1 ? servers[0] : servers[locator.locate(key)];
    }

    /** What the ring says about a key. */
    Server serverOf(String key) {
        return topology.servers().get(servers.length == 1 ? 0 : locator.locate(key));
    }

    /** The first server that takes commands; the first of all if none does. */
    ServerConnections ready() {
        return first(ServerConnections::isReadyToSend);
    }

    private ServerConnections first(Predicate<ServerConnections> isReady) {
        for (ServerConnections each : servers) {
            if (isReady.test(each)) {
                return each;
            }
        }
        return servers[0];
    }
}
