// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Ring that applies jump consistent hash to the XXH3 of a key. Source: Lamping and Veach, "A Fast, Minimal Memory,
 * Consistent Hash Algorithm", 2014; memcached, {@code proxy_jump_hash.c} and {@code proxy_xxhash.c}.
 */
record JumpRing(long seed) implements Ring {

    private static final long MULTIPLIER = 2862933555777941757L;

    static JumpRing seeded(String seed) {
        byte[] bytes = seed.getBytes(UTF_8);
        if (bytes.length > Xxh3.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "seed has " + bytes.length + " bytes, but must have at most " + Xxh3.MAX_BYTES);
        }
        return new JumpRing(Xxh3.hash(bytes, 0));
    }

    @Override
    public ServerLocator locator(List<Server> servers) {
        List<Server> copy = Servers.checked(servers);
        Servers.requireNoWeights(copy);
        return new Locator(copy, seed);
    }

    static int jump(long hash, int count) {
        long state = hash;
        long server = -1;
        long next = 0;
        while (next < count) {
            server = next;
            state = state * MULTIPLIER + 1;
            next = (long) ((server + 1) * (0x1p31 / ((state >>> 33) + 1)));
        }
        return (int) server;
    }

    /** Locator that hashes the keys of a rejected server again, so that these keys spread over all other servers. */
    private record Locator(List<Server> servers, long seed) implements ServerLocator {

        private static final int DRAWS = 32;

        @Override
        public int locate(String key, IntPredicate accepts) {
            int size = servers.size();
            long hash = hash(key);
            int server = jump(hash, size);
            for (int draw = 1; draw <= DRAWS; draw++) {
                if (accepts.test(server)) {
                    return server;
                }
                server = jump(hash + draw * MULTIPLIER, size);
            }
            for (int step = 0; step < size; step++) {
                int following = (server + step) % size;
                if (accepts.test(following)) {
                    return following;
                }
            }
            return NONE;
        }

        private long hash(String key) {
            byte[] bytes = key.getBytes(UTF_8);
            if (bytes.length > Xxh3.MAX_BYTES) {
                throw new IllegalArgumentException(
                        "key has " + bytes.length + " bytes, but must have at most " + Xxh3.MAX_BYTES);
            }
            return Xxh3.hash(bytes, seed);
        }
    }
}
