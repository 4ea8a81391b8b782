// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.Memshard;
import io.memshard.client.exception.MemcachedException;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cache on three servers: each has the generations of its own entries. */
@Timeout(120)
class CacheOnAFleetIT {

    private static final int SERVERS = 3;
    private static final int KEYS = 240;

    private final List<EmbeddedMemcached> servers = new ArrayList<>();
    private final List<FaultProxy> ways = new ArrayList<>();
    private Memshard memshard;
    private Memshard other;
    private MemcachedCache cache;

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < SERVERS; i++) {
            servers.add(EmbeddedMemcached.start());
            ways.add(new FaultProxy(servers.get(i).address()));
        }
        memshard = memshard();
        other = memshard();
        cache = Caches.books(memshard);
        memshard.awaitReady(Duration.ofSeconds(30));
    }

    private Memshard memshard() {
        return Caches.patient()
                .servers(IntStream.range(0, SERVERS)
                        .mapToObj(i -> "server" + i + "=127.0.0.1:"
                                + ways.get(i).address().getPort())
                        .collect(Collectors.joining(" ")))
                .reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .probeDelay(Duration.ofMillis(10), Duration.ofMillis(50))
                .build();
    }

    @AfterEach
    void stop() throws IOException {
        memshard.close();
        other.close();
        for (FaultProxy way : ways) {
            way.close();
        }
        servers.forEach(EmbeddedMemcached::close);
    }

    private static String key(int i) {
        return "key" + i;
    }

    private void putAll() {
        for (int i = 0; i < KEYS; i++) {
            cache.put(key(i), "value of " + key(i));
        }
    }

    private static int hits(MemcachedCache of) {
        int hits = 0;
        for (int i = 0; i < KEYS; i++) {
            String found = of.get(key(i), String.class);
            assertThat(found).isIn("value of " + key(i), null);
            hits += found == null ? 0 : 1;
        }
        return hits;
    }

    private List<Long> hitsByServer() {
        return memshard.admin().stats().answersOrThrow().values().stream()
                .map(stats -> Long.valueOf(stats.get("get_hits")))
                .toList();
    }

    @Test
    void hitsAreSpreadAsTheEntriesAre() {
        putAll();
        assertThat(hits(cache)).isEqualTo(KEYS);
        List<Long> before = hitsByServer();
        assertThat(hits(cache)).isEqualTo(KEYS);
        List<Long> after = hitsByServer();
        long all = 0;
        for (int i = 0; i < SERVERS; i++) {
            long own = after.get(i) - before.get(i);
            // A lookup finds two: the generation and the entry. The names of the servers fix which are whose.
            assertThat(own).as("hits of server %d", i).isBetween(2L * KEYS / 5, 2L * KEYS / 2);
            all += own;
        }
        assertThat(all).isEqualTo(2L * KEYS);
    }

    @Test
    void partitionsAreSpreadEvenly() {
        int[] entries = new int[Partitions.COUNT];
        int perPartition = 400;
        for (int i = 0; i < Partitions.COUNT * perPartition; i++) {
            entries[Partitions.indexOf("(" + i + ")")]++;
        }
        for (int count : entries) {
            assertThat(count).isBetween(perPartition / 2, perPartition * 2);
        }
    }

    @Test
    void aLostServerTakesOnlyItsShare() {
        putAll();
        ways.get(1).refuse(true);
        ways.get(1).cutAll();
        eventually("the loss is noticed", () -> hits(cache) < KEYS);
        assertThat(hits(cache)).as("hits without one of three servers").isBetween(KEYS / 2, KEYS * 4 / 5);
        ways.get(1).heal();
        eventually("all hits", () -> hits(cache) == KEYS);
    }

    /** Puts all entries, and takes the third server away. Returns another instance's cache, which has noticed that. */
    private MemcachedCache losesThirdServer() {
        putAll();
        MemcachedCache elsewhere = Caches.books(other);
        assertThat(hits(elsewhere)).isEqualTo(KEYS);
        ways.get(2).refuse(true);
        ways.get(2).cutAll();
        eventually("the loss is noticed", () -> hits(elsewhere) < KEYS);
        return elsewhere;
    }

    @Test
    void aLostClearIsRepeatedWhenTheServerIsBack() {
        MemcachedCache elsewhere = losesThirdServer();

        cache.clear();
        assertThat(cache.getStatistics().clears()).isZero();
        assertThat(cache.getStatistics().lostWrites()).isPositive();
        assertThat(hits(elsewhere))
                .as("the two servers that are there are cleared")
                .isZero();

        ways.get(2).heal();
        eventually("no old entry", () -> {
            long lost = elsewhere.getStatistics().lostLookups();
            return hits(elsewhere) == 0 && elsewhere.getStatistics().lostLookups() == lost;
        });
        cache.put(key(0), "value of " + key(0));
        eventually("a new entry", () -> hits(elsewhere) == 1);
    }

    @Test
    void aLostEvictionLeavesNoOldEntryWhenTheServerIsBack() {
        MemcachedCache elsewhere = losesThirdServer();

        List<String> evicted =
                IntStream.range(0, KEYS / 2).mapToObj(CacheOnAFleetIT::key).toList();
        evicted.forEach(cache::evict);
        assertThat(cache.getStatistics().lostWrites()).isPositive();

        ways.get(2).heal();
        eventually("no evicted entry", () -> {
            long lost = elsewhere.getStatistics().lostLookups();
            boolean isGone = evicted.stream().allMatch(key -> elsewhere.get(key) == null);
            return isGone && elsewhere.getStatistics().lostLookups() == lost;
        });
        assertThat(hits(elsewhere)).as("other partitions are as they were").isPositive();
    }

    @Test
    void aClearedCacheNeverServesEntriesThatTheClearMissed() {
        putAll();
        ways.get(0).refuse(true);
        ways.get(0).cutAll();
        eventually("the loss is noticed", () -> hits(cache) < KEYS);
        MemcachedCache strict = Caches.books(
                memshard, MemcachedCacheConfiguration.defaultCacheConfig().withPropagatedFailures(true));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(strict::clear);
        cache.clear();

        ways.get(0).heal();
        eventually("the server is back", () -> {
            long lost = cache.getStatistics().lostLookups();
            assertThat(hits(cache)).isZero();
            return cache.getStatistics().lostLookups() == lost;
        });
    }
}
