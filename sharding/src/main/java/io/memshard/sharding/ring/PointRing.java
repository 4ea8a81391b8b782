// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/**
 * Ring of the kind introduced by ketama: each server has points on a circle of 2^32 positions. A key belongs to the
 * server of the point at its hash, or else of the nearest point in one direction. The components of this record are the
 * properties in which clients differ.
 *
 * <p>Source: R. Jones, libketama, 2007. D. Karger et al., "Consistent Hashing and Random Trees", 1997.
 *
 * @param nodeKey the text to hash for a server
 * @param order the direction of the circle
 * @param collision the owner of a point shared by several servers
 */
record PointRing(
        NodeKey nodeKey, PointSource points, PointCounts counts, Order order, Collision collision, KeyHash hash)
        implements Ring {

    @FunctionalInterface
    interface PointSource {

        void add(String nodeKey, int count, IntConsumer points);

        /**
         * Returns a source of four points from each digest of {@code node-0}, {@code node-1} and so on. If the count is
         * not a multiple of four, the remaining points are omitted.
         */
        static PointSource ketama(Digest digest) {
            return (nodeKey, count, points) -> {
                for (int i = 0; i < count / Digest.KETAMA_POINTS; i++) {
                    byte[] bytes = digest.of(nodeKey + '-' + i);
                    for (int point = 0; point < Digest.KETAMA_POINTS; point++) {
                        points.accept(Digest.ketamaPoint(bytes, point));
                    }
                }
            };
        }

        /** Returns a source of one point from each hash of {@code node-0}, {@code node-1} and so on. */
        static PointSource hashed(KeyHash hash) {
            return (nodeKey, count, points) -> {
                for (int i = 0; i < count; i++) {
                    points.accept((int) hash.of(nodeKey + '-' + i));
                }
            };
        }

        /**
         * Returns a source of one point from each SHA-1 of {@code node:0}, {@code node:1} and so on, as a big-endian
         * number. Source: Dalli.
         */
        static PointSource dalli() {
            return (nodeKey, count, points) -> {
                for (int i = 0; i < count; i++) {
                    points.accept(Integer.reverseBytes(Digest.SHA_1.firstPoint(nodeKey + ':' + i)));
                }
            };
        }

        /**
         * Returns a source of chained points. The first point is the hash of the node key. Each further point is the
         * hash of the previous point in little-endian order. Source: folsom.
         */
        static PointSource folsom() {
            return (nodeKey, count, points) -> {
                byte[] bytes = new byte[nodeKey.length()];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) nodeKey.charAt(i);
                }
                for (int i = 0; i < count; i++) {
                    int point = ByteHashes.murmur3(bytes, 0, bytes.length, 0);
                    points.accept(point);
                    bytes = new byte[] {(byte) point, (byte) (point >>> 8), (byte) (point >>> 16), (byte) (point >>> 24)
                    };
                }
            };
        }
    }

    /**
     * Direction in which the points on the circle are searched. Points may be compared as signed or as unsigned
     * numbers, because both have the same order on a closed circle.
     */
    enum Order {
        /** A key belongs to the point at or after its hash. */
        UP(0),
        /** A key belongs to the point at or before its hash. */
        DOWN(-1);

        /** Mask that is combined with each point and each hash by exclusive or; -1 reverses the order. */
        private final int mask;

        Order(int mask) {
            this.mask = mask;
        }
    }

    enum Collision {
        FIRST,
        LAST,
        /**
         * Server at index {@code point % count} among the servers that share the point, in the order of their node
         * keys. Source: XMemcached.
         */
        BY_POINT;

        int owner(int point, int[] owners, String[] nodeKeys) {
            return switch (this) {
                case FIRST -> owners[0];
                case LAST -> owners[owners.length - 1];
                case BY_POINT ->
                    Arrays.stream(owners)
                            .boxed()
                            .sorted((a, b) -> nodeKeys[a].compareTo(nodeKeys[b]))
                            .skip(Integer.remainderUnsigned(point, owners.length))
                            .findFirst()
                            .orElseThrow();
            };
        }
    }

    @Override
    public ServerLocator locator(List<Server> servers) {
        List<Server> copy = Servers.checked(servers);
        int[] count = counts.of(copy);
        String[] nodeKeys = copy.stream().map(nodeKey::of).toArray(String[]::new);
        Servers.checkedPoints(Arrays.stream(count).asLongStream().sum());
        LongStream.Builder entries = LongStream.builder();
        for (int i = 0; i < nodeKeys.length; i++) {
            int server = i;
            points.add(nodeKeys[i], count[i], point -> entries.add((long) (point ^ order.mask) << 32 | server));
        }
        // Sorted by point, then by the index of the server, which is the lower half.
        long[] sorted = entries.build().sorted().toArray();

        int[] at = new int[sorted.length];
        int[] owners = new int[sorted.length];
        int size = 0;
        int next;
        for (int i = 0; i < sorted.length; i = next) {
            int point = (int) (sorted[i] >> 32);
            next = i + 1;
            while (next < sorted.length && (int) (sorted[next] >> 32) == point) {
                next++;
            }
            at[size] = point;
            owners[size] = next == i + 1
                    ? (int) sorted[i]
                    : collision.owner(
                            point ^ order.mask,
                            Arrays.stream(sorted, i, next)
                                    .mapToInt(entry -> (int) entry)
                                    .toArray(),
                            nodeKeys);
            size++;
        }
        return new Locator(copy, hash, order.mask, Arrays.copyOf(at, size), Arrays.copyOf(owners, size));
    }

    /**
     * Locator on a circle of points: a key belongs to the server of the first point at or after its hash.
     *
     * <p>In the order of a key, the servers of the next points come after the key's own server. The keys of a server
     * that is not accepted therefore move to the servers that they would belong to if that server had no points.
     *
     * @param mask the mask combined with a hash, by exclusive or, before comparison with the points
     * @param points the points combined with {@code mask}, ascending and distinct; at least one
     * @param owners the index of the server of each point
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Locator(List<Server> servers, KeyHash hash, int mask, int[] points, int[] owners)
            implements ServerLocator {

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
}
