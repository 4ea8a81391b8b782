// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.sender.SendMode;
import io.memshard.sharding.Topology;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Routes of a topology: the connections to each server, and the server of each key.
 *
 * <p>Threading: immutable.
 */
final class Routes {

    private final Topology topology;
    private final List<ServerConnections> servers;
    private final ServerLocator locator;
    private final @Nullable Routes gutter;

    /** Only server; null if there are several servers, or spare ones. */
    final @Nullable ServerConnections only;

    /**
     * Creates routes to these servers.
     *
     * @param servers the connections to each server of the topology, in its order
     * @param gutter the routes to the spare servers; null if there are none
     */
    Routes(Topology topology, List<ServerConnections> servers, ServerLocator locator, @Nullable Routes gutter) {
        this.topology = topology;
        this.servers = List.copyOf(servers);
        this.locator = locator;
        this.gutter = gutter;
        only = servers.size() == 1 && gutter == null ? servers.get(0) : null;
    }

    Topology topology() {
        return topology;
    }

    List<ServerConnections> servers() {
        return servers;
    }

    @Nullable
    Routes gutter() {
        return gutter;
    }

    ServerConnections of(String key) {
        return servers.size() == 1 ? servers.get(0) : servers.get(locator.locate(key));
    }

    Server serverOf(String key) {
        return topology.servers().get(servers.size() == 1 ? 0 : locator.locate(key));
    }

    /** Returns the first server that is not ejected, in the ring's order for this key; null if all are ejected. */
    @Nullable
    ServerConnections nextOf(String key) {
        int next = locator.locate(key, server -> !servers.get(server).isEjected());
        return next == ServerLocator.NONE ? null : servers.get(next);
    }

    /**
     * Returns the first server that is ready for this mode and not ejected. If there is none, returns the first server.
     */
    ServerConnections first(SendMode mode) {
        for (ServerConnections each : servers) {
            if (each.isReady(mode) && !each.isEjected()) {
                return each;
            }
        }
        return servers.get(0);
    }
}
