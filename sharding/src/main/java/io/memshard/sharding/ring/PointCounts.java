// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.List;

@FunctionalInterface
interface PointCounts {

    /** Number of points of a server of average weight in most clients. */
    int KETAMA = 160;

    /** Number of points of each server in libmemcached without weights. */
    int LIBMEMCACHED = 100;

    int[] of(List<Server> servers);

    static PointCounts each(int points) {
        return servers -> {
            Servers.requireNoWeights(servers);
            int[] counts = new int[servers.size()];
            Arrays.fill(counts, points);
            return counts;
        };
    }

    /** Returns counts proportional to the weights. Source: XMemcached, {@code KetamaMemcachedSessionLocator}. */
    static PointCounts timesWeight(int points) {
        return servers -> {
            Servers.checkedPoints(points * totalWeight(servers));
            return servers.stream().mapToInt(server -> points * server.weight()).toArray();
        };
    }

    /**
     * Returns counts proportional to each server's share of the total weight. The counts are computed in the arithmetic
     * of a C {@code float}, and rounded down to a multiple of four. For some numbers of servers with equal weights,
     * each server thus has 156 points instead of 160.
     *
     * <p>Source: libmemcached, {@code hosts.cc}; twemproxy, {@code nc_ketama.c}; spymemcached,
     * {@code KetamaNodeLocator}.
     */
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

    /**
     * Returns counts proportional to each server's share of the total weight, rounded down. Source: Dalli,
     * {@code ring.rb}.
     */
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
