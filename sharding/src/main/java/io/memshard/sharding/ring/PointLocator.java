// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Locator on a circle of points: a key belongs to the server of the first point at or after its hash.
 *
 * <p>In the order of a key, the servers of the next points come after the key's own server. The keys of a server that
 * is not accepted therefore move to the servers that they would belong to if that server had no points.
 *
 * @param mask the mask combined with a hash, by exclusive or, before comparison with the points
 * @param points the points combined with {@code mask}, ascending and distinct; at least one
 * @param owners the index of the server of each point
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record PointLocator(List<Server> servers, KeyHash hash, int mask, int[] points, int[] owners) implements ServerLocator {

    @Override
    public int locate(String key) {
        return owners[firstPoint(key)];
    }

    @Override
    public int locate(String key, IntPredicate accepts) {
        int first = firstPoint(key);
        int owner = owners[first];
        return accepts.test(owner) ? owner : after(first, accepts);
    }

    private int after(int first, IntPredicate accepts) {
        BitSet rejected = new BitSet(servers.size());
        rejected.set(owners[first]);
        for (int step = 1; step < points.length; step++) {
            int owner = owners[(first + step) % points.length];
            if (!rejected.get(owner)) {
                if (accepts.test(owner)) {
                    return owner;
                }
                rejected.set(owner);
            }
        }
        return NONE;
    }

    private int firstPoint(String key) {
        int found = Arrays.binarySearch(points, (int) hash.of(key) ^ mask);
        int point = found >= 0 ? found : -found - 1;
        return point == points.length ? 0 : point;
    }
}
