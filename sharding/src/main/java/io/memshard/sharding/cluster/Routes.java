// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.sender.SendMode;
import io.memshard.sharding.Topology;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Routes of a topology: the connections to each server, and the server of each key. Immutable.
 *
 * @param only the only server; null if several servers or spare servers exist
 */
record Routes(
        Topology topology,
        List<ServerConnections> servers,
        ServerLocator locator,
        @Nullable Routes gutter,
        @Nullable ServerConnections only) {

    Routes(Topology topology, List<ServerConnections> servers, ServerLocator locator, @Nullable Routes gutter) {
        this(
                topology,
                List.copyOf(servers),
                locator,
                gutter,
                servers.size() == 1 && gutter == null ? servers.get(0) : null);
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

    /** Returns the first server that is ready for this mode and not ejected; otherwise the first server. */
    ServerConnections first(SendMode mode) {
        for (ServerConnections each : servers) {
            if (each.isReady(mode) && !each.isEjected()) {
                return each;
            }
        }
        return servers.get(0);
    }
}
