// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/**
 * Ring with points on a circle of 2^32 positions, as in ketama. The rings of other clients differ in the components of
 * this record. Source: Jones, libketama, 2007; Karger and others, "Consistent Hashing and Random Trees", 1997.
 */
record PointRing(
        NodeKey nodeKey, PointSource points, PointCounts counts, Order order, Collision collision, KeyHash hash)
        implements Ring {

    @FunctionalInterface
    interface PointSource {

        void add(String nodeKey, int count, IntConsumer points);

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

        static PointSource hashed(KeyHash hash) {
            return (nodeKey, count, points) -> {
                for (int i = 0; i < count; i++) {
                    points.accept((int) hash.of(nodeKey + '-' + i));
                }
            };
        }

        static PointSource dalli() {
            return (nodeKey, count, points) -> {
                for (int i = 0; i < count; i++) {
                    points.accept(Integer.reverseBytes(Digest.SHA_1.firstPoint(nodeKey + ':' + i)));
                }
            };
        }

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

    /** Direction in which a point is searched from the hash of a key. Points may be compared as signed numbers. */
    enum Order {
        UP(0),
        DOWN(-1);

        /** Number that is combined with points and hashes by exclusive or. The number -1 reverses their order. */
        private final int mask;

        Order(int mask) {
            this.mask = mask;
        }
    }

    enum Collision {
        FIRST,
        LAST,
        /**
         * XMemcached's choice among servers that share a point: index {@code point % count} in the order of node keys.
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
        // The upper half of an entry is the point, the lower half is the index of the server.
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

    /** Locator whose points, combined with {@code mask}, are in ascending order and distinct. */
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
