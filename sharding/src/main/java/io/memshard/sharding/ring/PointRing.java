// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * Ring with points on a circle of 2^32 positions. Points are compared as signed numbers, which only rotates the circle.
 * Source: Jones, libketama, 2007; Karger and others, "Consistent Hashing and Random Trees", 1997.
 */
record PointRing(
        NodeKey nodeKey, PointSource points, PointCounts counts, Collision collision, ToLongFunction<String> hash)
        implements Ring {

    @FunctionalInterface
    interface PointSource {

        void add(String nodeKey, int count, IntConsumer points);

        static PointSource ketama(Digest digest) {
            return (nodeKey, count, points) -> {
                for (int i = 0; i < count / Digest.KETAMA_POINTS; i++) {
                    byte[] bytes = digest.of(nodeKey + '-' + i);
                    for (int point = 0; point < Digest.KETAMA_POINTS; point++) {
                        points.accept(ByteHashes.int32(bytes, 4 * point));
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

        /** Returns the points of Dalli. Dalli searches downwards, so all bits of points and hashes are inverted. */
        static PointSource dalli() {
            return (nodeKey, count, points) -> {
                for (int i = 0; i < count; i++) {
                    points.accept(~Integer.reverseBytes(Digest.SHA_1.firstPoint(nodeKey + ':' + i)));
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

    enum Collision {
        FIRST,
        LAST,
        /** Choice of XMemcached: index {@code point % count} in the order of node keys. */
        BY_POINT;

        int owner(long[] sorted, int from, int to, String[] nodeKeys) {
            return switch (this) {
                case FIRST -> (int) sorted[from];
                case LAST -> (int) sorted[to - 1];
                case BY_POINT ->
                    Arrays.stream(sorted, from, to)
                            .mapToObj(entry -> (int) entry)
                            .sorted((a, b) -> nodeKeys[a].compareTo(nodeKeys[b]))
                            .skip(Integer.remainderUnsigned((int) (sorted[from] >> 32), to - from))
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
            points.add(nodeKeys[i], count[i], point -> entries.add((long) point << 32 | server));
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
            owners[size++] = collision.owner(sorted, i, next, nodeKeys);
        }
        int[] distinct = Arrays.copyOf(at, size);
        return new CircleLocator(
                copy, Arrays.copyOf(owners, size), key -> firstFrom(distinct, (int) hash.applyAsLong(key)));
    }

    private static int firstFrom(int[] points, int hash) {
        int found = Arrays.binarySearch(points, hash);
        int point = found >= 0 ? found : -found - 1;
        return point == points.length ? 0 : point;
    }
}
