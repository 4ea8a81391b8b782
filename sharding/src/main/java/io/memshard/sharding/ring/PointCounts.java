// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.List;

@FunctionalInterface
interface PointCounts {

    int KETAMA = 160;

    int[] of(List<Server> servers);

    static PointCounts each(int points) {
        return servers -> {
            Servers.requireNoWeights(servers);
            int[] counts = new int[servers.size()];
            Arrays.fill(counts, points);
            return counts;
        };
    }

    static PointCounts timesWeight(int points) {
        return servers -> {
            Servers.checkedPoints(points * totalWeight(servers));
            return servers.stream().mapToInt(server -> points * server.weight()).toArray();
        };
    }

    /** Returns counts computed in float. Source: libmemcached, {@code hosts.cc}; twemproxy, {@code nc_ketama.c}. */
    static PointCounts byShareInFloat() {
        return servers -> {
            float total = totalWeight(servers);
            return servers.stream()
                    .mapToInt(server -> {
                        float share = server.weight() / total;
                        return (int) Math.floor(share * KETAMA / Digest.KETAMA_POINTS * servers.size())
                                * Digest.KETAMA_POINTS;
                    })
                    .toArray();
        };
    }

    static PointCounts byShare() {
        return servers -> {
            double total = totalWeight(servers);
            return servers.stream()
                    .mapToInt(server -> (int) ((double) servers.size() * KETAMA * server.weight() / total))
                    .toArray();
        };
    }

    private static long totalWeight(List<Server> servers) {
        return servers.stream().mapToLong(Server::weight).sum();
    }
}
