// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.List;

final class Servers {

    /** Maximum number of points. A larger ring would take minutes and gigabytes of memory. */
    private static final long MAX_POINTS = 10_000_000;

    private Servers() {}

    static List<Server> checked(List<Server> servers) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("the list of servers is empty: name a server, such as cache-1:11211");
        }
        return List.copyOf(servers);
    }

    static int checkedPoints(long points) {
        if (points > MAX_POINTS) {
            throw new IllegalArgumentException("the ring would have " + points
                    + " points for these servers and weights, but may have at most " + MAX_POINTS
                    + ": divide all weights by the same number, or use fewer servers");
        }
        return (int) points;
    }

    static void requireNoWeights(List<Server> servers) {
        for (Server server : servers) {
            if (server.weight() != 1) {
                throw new IllegalArgumentException("server " + server + " has a weight, which this ring does not"
                        + " support: remove the weight, or use a ring with weights");
            }
        }
    }
}
