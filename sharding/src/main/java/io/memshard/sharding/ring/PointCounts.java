// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.List;

/** How many points each server has on a {@link PointRing}. */
@FunctionalInterface
interface PointCounts {

    /** What most clients give a server of average weight. */
    int KETAMA = 160;

    /** What libmemcached gives each server where weights do not count. */
    int LIBMEMCACHED = 100;

    /** One count for each server. */
    int[] of(List<Server> servers);

    /** The same for each, whose weights must be 1. */
    static PointCounts each(int points) {
        return servers -> {
            Servers.requireNoWeights(servers);
            int[] counts = new int[servers.size()];
            Arrays.fill(counts, points);
            return counts;
        };
    }

    /** As many more as the weight is more. Source: XMemcached, {@code KetamaMemcachedSessionLocator}. */
    static PointCounts timesWeight(int points) {
        return servers -> {
            Servers.checkedPoints(points * totalWeight(servers));
            return servers.stream().mapToInt(server -> points * server.weight()).toArray();
        };
    }

    /**
     * By the share in the weight of all, in fours, rounded down, in the arithmetic of a C {@code float}. With some
     * numbers of equal servers the rounding leaves each of them four points less than 160.
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

    /** By the share in the weight of all, rounded down. Source: Dalli, {@code ring.rb}. */
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
