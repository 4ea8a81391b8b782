// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding;

import io.memshard.client.options.ServerAddress;
import io.memshard.sharding.ring.Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which servers there are, from one change to the next.
 *
 * <p>Threading: immutable.
 *
 * @param version 1 at first, and one more with each change
 * @param servers at least one, no two with the same address or name; unmodifiable. For some rings their order matters
 */
public record Topology(long version, List<Server> servers) {

    /**
     * Checks the servers.
     *
     * @throws IllegalArgumentException if there are none, or if two have the same address or name; it names both
     */
    public Topology {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("servers is empty: write host:port, or several with a comma between");
        }
        servers = List.copyOf(servers);
        Map<ServerAddress, Integer> addresses = new HashMap<>();
        Map<String, Integer> names = new HashMap<>();
        for (int at = 0; at < servers.size(); at++) {
            Server server = servers.get(at);
            refuseDuplicate("address", server.address().toString(), addresses.put(server.address(), at), at);
            if (server.name() != null) {
                refuseDuplicate("name", server.name(), names.put(server.name(), at), at);
            }
        }
    }

    /**
     * Refuses servers with a zone, in a client without zones.
     *
     * @throws IllegalArgumentException if one has a zone; it names it
     */
    public static void checkNoZones(List<Server> servers) {
        for (Server each : servers) {
            if (each.zone() != null) {
                throw new IllegalArgumentException("servers: " + each + " has a zone, and this client has none: leave @"
                        + each.zone() + " out, or make it with buildZones");
            }
        }
    }

    private static void refuseDuplicate(String what, String value, @Nullable Integer before, int at) {
        if (before != null) {
            throw new IllegalArgumentException("servers " + (before + 1) + " and " + (at + 1) + " have the same " + what
                    + " " + value + ": write each server once, as in cache-1:11211, cache-2:11211");
        }
    }

    /** Returns the servers in a line, as the builder reads them. */
    public String shownServers() {
        return shown(servers);
    }

    /** Returns the version and {@link #shownServers}. */
    @Override
    public String toString() {
        return "Topology[version=" + version + ", " + shownServers() + ']';
    }

    /** These servers with a comma between. */
    static String shown(List<Server> servers) {
        return servers.stream().map(Server::toString).collect(Collectors.joining(", "));
    }
}
