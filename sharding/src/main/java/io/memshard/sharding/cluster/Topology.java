// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * List of a client's servers, with a version. Immutable.
 *
 * @param version the version: 1 initially, increased by one with each change
 * @param servers the servers, at least one; no two servers have the same address or name. Unmodifiable. Some rings
 *     depend on the order of the servers
 */
public record Topology(long version, List<Server> servers) {

    /**
     * Checks the servers.
     *
     * @throws IllegalArgumentException if the list is empty, or if two servers have the same address or name
     */
    public Topology {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("servers is empty: name at least one server, such as cache-1:11211");
        }
        servers = List.copyOf(servers);
        Map<ServerAddress, Integer> addresses = new HashMap<>();
        Map<String, Integer> names = new HashMap<>();
        for (int at = 0; at < servers.size(); at++) {
            Server server = servers.get(at);
            ServerAddress address = server.address().withName(null);
            checkUnique("address", address.toString(), addresses.put(address, at), at);
            if (server.name() != null) {
                checkUnique("name", server.name(), names.put(server.name(), at), at);
            }
        }
    }

    /**
     * Checks that no server has a zone. Only clients with zones accept servers with zones.
     *
     * @throws IllegalArgumentException if a server has a zone; the message names the server
     */
    public static void checkNoZones(List<Server> servers) {
        for (Server each : servers) {
            if (each.zone() != null) {
                throw new IllegalArgumentException("servers: " + each + " has a zone, but the client has no zones:"
                        + " remove @" + each.zone() + ", or create the client with buildZones");
            }
        }
    }

    private static void checkUnique(String what, String value, @Nullable Integer before, int at) {
        if (before != null) {
            throw new IllegalArgumentException("servers " + (before + 1) + " and " + (at + 1) + " have the same " + what
                    + " " + value + ": write each server once, as in cache-1:11211, cache-2:11211");
        }
    }

    /** Returns the servers on one line, in the format of the builder's setting {@code servers}. */
    public String shownServers() {
        return servers.stream().map(Server::toString).collect(Collectors.joining(", "));
    }

    /** Returns the version, followed by {@link #shownServers}. */
    @Override
    public String toString() {
        return "Topology[version=" + version + ", " + shownServers() + ']';
    }
}
