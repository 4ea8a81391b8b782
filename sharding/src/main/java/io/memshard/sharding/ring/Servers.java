// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;

/** What every ring asks of its servers. */
final class Servers {

    /** More would take minutes and gigabytes to make. */
    private static final long MAX_POINTS = 10_000_000;

    private Servers() {}

    /** A copy of the list. */
    static List<Server> checked(List<Server> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("no servers: name at least one, as in cache-1:11211");
        }
        return List.copyOf(servers);
    }

    /** Refuses more points, or slots, than a ring may have of all servers together. Returns their number. */
    static int checkedPoints(long points) {
        if (points > MAX_POINTS) {
            throw new IllegalArgumentException("the servers and their weights make " + points
                    + " points of the ring, which has at most " + MAX_POINTS
                    + ": divide all weights by the same number, or take fewer servers");
        }
        return (int) points;
    }

    /** Refuses weights, of which the original has none, or ignores them. */
    static void requireNoWeights(List<Server> servers) {
        for (Server server : servers) {
            if (server.weight() != 1) {
                throw new IllegalArgumentException("server " + server + " has a weight, which this ring does not have:"
                        + " leave it out, or take a ring with weights");
            }
        }
    }
}
