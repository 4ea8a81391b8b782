// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Our rings against what clients of other languages chose; README.md beside the files says how that was written. */
class GoldenRingsTest {

    private static final Map<String, KeyHash> LIBMEMCACHED_HASHES = Map.of(
            "default", KeyHash.ONE_AT_A_TIME,
            "md5", KeyHash.MD5,
            "crc", KeyHash.CRC32_15_BITS,
            "fnv1_64", KeyHash.FNV1_64,
            "fnv1a_64", KeyHash.FNV1A_64,
            "fnv1_32", KeyHash.FNV1_32,
            "fnv1a_32", KeyHash.FNV1A_32,
            "murmur", KeyHash.MURMUR2,
            "jenkins", KeyHash.JENKINS,
            "murmur3", KeyHash.MURMUR3_SEEDED);

    private static final Map<String, KeyHash> TWEMPROXY_HASHES = Map.ofEntries(
            Map.entry("one_at_a_time", KeyHash.ONE_AT_A_TIME),
            Map.entry("md5", KeyHash.MD5),
            Map.entry("crc16", KeyHash.CRC16),
            Map.entry("crc32", KeyHash.CRC32_15_BITS),
            Map.entry("crc32a", KeyHash.CRC32),
            Map.entry("fnv1_64", KeyHash.FNV1_64),
            Map.entry("fnv1a_64", KeyHash.FNV1A_64),
            Map.entry("fnv1_32", KeyHash.FNV1_32),
            Map.entry("fnv1a_32", KeyHash.FNV1A_32),
            Map.entry("hsieh", KeyHash.HSIEH),
            Map.entry("murmur", KeyHash.MURMUR2),
            Map.entry("jenkins", KeyHash.JENKINS));

    private static final List<String> KEYS = new ArrayList<>();

    /** As the script makes them. */
    private static List<String> keys(int count) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            for (int i = KEYS.size(); i < count; i++) {
                String hex =
                        HexFormat.of().formatHex(md5.digest(String.valueOf(i).getBytes(UTF_8)));
                String key = hex.substring(0, 1 + i % 32) + ":" + i;
                if (i % 20 == 7) {
                    key += "äß漢字😀";
                }
                if (i % 500 == 11) {
                    key += "x".repeat(241 + i / 500 % 10 - key.length());
                }
                KEYS.add(key);
            }
            return KEYS.subList(0, count);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static final int FIRST = 40;

    /** A line of a file. */
    private record Choices(String name, String servers, int keys, String digest, String first) {

        static Choices of(String line) {
            String[] parts = line.split("\\|", -1);
            return new Choices(parts[0], parts[1], Integer.parseInt(parts[2]), parts[3], parts[4]);
        }

        void assertMadeBy(Ring ring) {
            assertMadeBy(ring, GoldenRingsTest::keys);
        }

        void assertMadeBy(Ring ring, IntFunction<List<String>> some) {
            ServerLocator locator = ring.locator(
                    Arrays.stream(servers.split(" ")).map(Server::parse).toList());
            assertSame(some, key -> String.valueOf(locator.locate(key)));
        }

        /** Compares the first choices, and all where all are compared, or where they are few and of few or many. */
        void assertSame(IntFunction<List<String>> some, Function<String, String> chosen) {
            int count = servers.split(" ").length;
            boolean comparesAll =
                    RingFixture.comparesAll || keys < 2_000 || keys <= 10_000 && (count == 3 || count == 50);
            List<String> all =
                    some.apply(comparesAll ? keys : FIRST).stream().map(chosen).toList();
            assertThat(String.join(",", all.subList(0, FIRST)))
                    .as("the first choices of %s over %s", name, servers)
                    .isEqualTo(first);
            if (comparesAll) {
                assertThat(all).as("choices of %s over %s", name, servers).hasSize(keys);
                assertThat(sha256(String.join(",", all)))
                        .as("all choices of %s over %s", name, servers)
                        .isEqualTo(digest);
            }
        }

        private static String sha256(String text) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static List<Choices> choices(String file) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(GoldenRingsTest.class.getResourceAsStream(file), file), UTF_8))) {
            List<Choices> choices = lines.lines().map(Choices::of).toList();
            assertThat(choices).isNotEmpty();
            return choices;
        }
    }

    @Test
    void ringsMatchLibmemcached() throws IOException {
        for (Choices choices : choices("libmemcached.txt")) {
            choices.assertMadeBy(libmemcached(choices.name()));
        }
    }

    private static Ring libmemcached(String name) {
        String[] words = name.split(" ");
        KeyHash hash = words.length == 1 ? KeyHash.ONE_AT_A_TIME : LIBMEMCACHED_HASHES.get(words[1]);
        return switch (words[0]) {
            case "modula" -> Ring.libmemcached(hash);
            case "consistent", "ketama" -> Ring.libmemcachedConsistent(hash);
            case "weighted" -> Ring.libmemcachedWeighted();
            case "spy" -> Ring.libmemcachedSpy();
            default -> throw new AssertionError(name);
        };
    }

    @Test
    void ringsMatchTwemproxy() throws IOException {
        for (Choices choices : choices("twemproxy.txt")) {
            String[] words = choices.name().split(" ");
            switch (words[0]) {
                case "modula" -> choices.assertMadeBy(Ring.twemproxyModula(TWEMPROXY_HASHES.get(words[1])));
                case "ketama" -> choices.assertMadeBy(Ring.twemproxy());
                case "tagged" -> choices.assertMadeBy(Ring.twemproxy().routedByHashTag("{}"), count -> taggedKeys());
                default -> throw new AssertionError(choices.name());
            }
        }
    }

    /** Keys with braces, with one brace, and with nothing between them, as the script makes them. */
    private static List<String> taggedKeys() {
        List<String> keys = keys(2_000);
        LinkedHashSet<String> tagged = new LinkedHashSet<>();
        for (int i = 0; i < 2_000; i++) {
            String key = "a{" + keys.get(i) + (i % 3 == 0 ? "" : "}") + "b" + i % 7;
            if (key.codePointCount(0, key.length()) < 240) {
                int end = key.length() - 3;
                tagged.add(i % 5 == 0 ? key.replace(key.substring(2, end), "") : key);
            }
        }
        return List.copyOf(tagged);
    }

    @Test
    void ringMatchesDalli() throws IOException {
        for (Choices choices : choices("dalli.txt")) {
            choices.assertMadeBy(Ring.dalli());
        }
    }

    @Test
    void ringMatchesPymemcache() throws IOException {
        for (Choices choices : choices("pymemcache.txt")) {
            choices.assertMadeBy(Ring.pymemcache());
        }
    }

    @Test
    void ringMatchesGomemcache() throws IOException {
        for (Choices choices : choices("gomemcache.txt")) {
            choices.assertMadeBy(Ring.gomemcache());
        }
    }

    @Test
    void jumpMatchesXxhash() throws IOException {
        for (Choices choices : choices("xxhash.txt")) {
            String[] words = choices.name().split(" ");
            if (words[0].equals("hash")) {
                long seed = words.length == 1 ? 0 : Xxh3.hash(words[1].getBytes(UTF_8), 0);
                choices.assertSame(
                        GoldenRingsTest::keys, key -> HexFormat.of().toHexDigits(Xxh3.hash(key.getBytes(UTF_8), seed)));
            } else {
                choices.assertMadeBy(words.length == 1 ? Ring.jump() : Ring.jump(words[1]));
            }
        }
    }

    /** The expected values are from the C library xxHash. */
    @Test
    void xxh3HashesNothingAndLongKeysLikeXxhash() {
        assertThat(Xxh3.hash(new byte[0], 0)).isEqualTo(0x2d06800538d394c2L);
        assertThat(Xxh3.hash("k".repeat(200).getBytes(UTF_8), 0)).isEqualTo(0xcfc752b8bd78350L);
    }
}
