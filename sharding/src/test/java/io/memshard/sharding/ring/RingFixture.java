// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.ServerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Servers and keys to compare a ring of ours with the client that it comes from. */
final class RingFixture {

    private static final int MOST_SERVERS = 50;
    private static final int[] SOME_COUNTS = {1, 2, 3, 7, 16, MOST_SERVERS};

    private static final int KEYS = 100_000;
    private static final String UNUSUAL = "äßØ漢字😀";

    /** The same at each run: 1 to 60 characters, a few with 250, one in twenty with some that are not ASCII. */
    static final List<String> RANDOM_KEYS = randomKeys();

    /** Whether to compare over each number of servers and all keys, not only some. Set between tests. */
    static boolean comparesAll;

    private RingFixture() {}

    private static List<String> randomKeys() {
        Random random = new Random(11211);
        List<String> keys = new ArrayList<>(KEYS);
        for (int i = 0; i < KEYS; i++) {
            int length = i % 1000 == 0 ? 250 : 1 + random.nextInt(60);
            StringBuilder key = new StringBuilder();
            random.ints(length, '!', 0x7f).forEach(c -> key.append((char) c));
            if (i % 20 == 0 && length < 60) {
                int start = UNUSUAL.offsetByCodePoints(0, random.nextInt(6));
                key.insert(random.nextInt(length), UNUSUAL.substring(start));
            }
            keys.add(key.toString());
        }
        return keys;
    }

    /** Servers as people write them: names and IP addresses of both versions, with port 11211 and others. */
    static List<Server> mixedServers(int count) {
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int port = i % 3 == 0 ? 20_000 + i : ServerAddress.DEFAULT_PORT;
            servers.add(
                    switch (i % 5) {
                        case 0 -> server("10.0." + i + ".7", port);
                        case 1 -> named("cache-" + i + ".eu-1.example", i, port);
                        case 2 -> server("fd00:0:0:1::" + Integer.toHexString(i), port);
                        case 3 -> named("Cache_" + i, i, port);
                        default -> named("c" + "x".repeat(i), i, port);
                    });
        }
        return servers;
    }

    /** The same servers with weights from 1 to 5. */
    static List<Server> weighted(List<Server> servers) {
        Random random = new Random(servers.size());
        return servers.stream()
                .map(server -> server.withWeight(1 + random.nextInt(5)))
                .toList();
    }

    private static Server server(String host, int port) {
        return Server.of(new ServerAddress(host, port));
    }

    private static Server named(String host, int i, int port) {
        return server(host, port).withIp(literal("192.168.1." + i));
    }

    /** The address as Java's resolver gives it for the host, without asking the DNS. */
    static InetSocketAddress socketAddress(Server server) {
        return Server.numeric(server.address()) == null
                ? namedAddress(server)
                : new InetSocketAddress(literal(server.ip()), server.address().port());
    }

    /** The same once it was asked for its name, for which Java asks the DNS, which here knows none. */
    static InetSocketAddress namedAddress(Server server) {
        String numeric = Server.numeric(server.address());
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(
                            numeric == null ? server.address().host() : numeric,
                            literal(server.ip()).getAddress()),
                    server.address().port());
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static InetAddress literal(@Nullable String ip) {
        try {
            return InetAddress.getByName(Objects.requireNonNull(ip));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Compares over 1 to 50 servers, or over some of these numbers, each with another fiftieth of the keys.
     *
     * @param original of some servers, the index that the original gives a key
     */
    static void assertSame(
            Ring ring, IntFunction<List<Server>> servers, Function<List<Server>, ToIntFunction<String>> original) {
        int[] counts = comparesAll ? IntStream.rangeClosed(1, MOST_SERVERS).toArray() : SOME_COUNTS;
        for (int count : counts) {
            assertSame(ring, servers.apply(count), original, every(MOST_SERVERS, count - 1));
        }
    }

    private static List<String> every(int step, int first) {
        List<String> keys = new ArrayList<>();
        for (int i = first; i < KEYS; i += step) {
            keys.add(RANDOM_KEYS.get(i));
        }
        return keys;
    }

    private static void assertSame(
            Ring ring,
            List<Server> servers,
            Function<List<Server>, ToIntFunction<String>> original,
            List<String> keys) {
        ServerLocator ours = ring.locator(servers);
        ToIntFunction<String> theirs = original.apply(servers);
        for (String key : keys) {
            int expected = theirs.applyAsInt(key);
            if (ours.locate(key) != expected) {
                assertThat(ours.locate(key))
                        .as("server of \"%s\" among %s", key, servers)
                        .isEqualTo(expected);
            }
        }
    }
}
