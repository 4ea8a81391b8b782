// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.sender.SendMode;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections to each server of a topology, and the server of each key. Immutable. */
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

    @Nullable
    ServerConnections nextOf(String key) {
        int next = locator.locate(key, server -> !servers.get(server).isEjected());
        return next == ServerLocator.NONE ? null : servers.get(next);
    }

    ServerConnections first(SendMode mode) {
        for (ServerConnections each : servers) {
            if (each.isReady(mode) && !each.isEjected()) {
                return each;
            }
        }
        return servers.get(0);
    }
}
