// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.testkit.EmbeddedMemcached;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counts the commands of each call on the wire. None of the first so many is answered before all have been sent. */
@Timeout(60)
class RoundTripsTest {

    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    private final HoldingProxy proxy;
    private final Memshard memshard;
    private final Memshard direct = Caches.memshard(server.address());
    private final MemcachedCache cache;
    private final MemcachedCache elsewhere = Caches.books(direct);

    RoundTripsTest() throws IOException {
        proxy = new HoldingProxy(server.address());
        memshard = Caches.memshard(proxy.address());
        cache = Caches.books(memshard);
    }

    @BeforeEach
    void learnTheGenerations() {
        memshard.awaitReady(Duration.ofSeconds(30));
        for (String key : List.of("absent", "empty", "key")) {
            assertThat(cache.get(key)).isNull();
        }
        cache.put("there", "value");
    }

    @AfterEach
    void close() throws IOException {
        try {
            assertThat(cache.getStatistics().lostLookups()).isZero();
            assertThat(cache.getStatistics().lostWrites()).isZero();
        } finally {
            memshard.close();
            direct.close();
            proxy.close();
            server.close();
        }
    }

    @Test
    void aGetTakesOne() {
        proxy.holdUntil(2);
        assertThat(cache.get("there").get()).isEqualTo("value");
        assertThat(proxy.commands()).containsExactly("mg", "mg");

        proxy.holdUntil(2);
        assertThat(cache.get("absent")).isNull();
        assertThat(proxy.commands()).containsExactly("mg", "mg");
    }

    @Test
    void aGetOfAnEmptyValueTakesOne() {
        cache.put("empty", "");

        proxy.holdUntil(2);
        assertThat(cache.get("empty").get()).isEqualTo("");
        assertThat(proxy.commands()).containsExactly("mg", "mg");
    }

    @Test
    void anAsynchronousGetTakesOne() {
        proxy.holdUntil(2);
        assertThat(cache.retrieve("there")).succeedsWithin(Duration.ofSeconds(30));
        assertThat(proxy.commands()).containsExactly("mg", "mg");
    }

    @Test
    void aPutTakesOne() {
        proxy.holdUntil(2);
        cache.put("key", "value");
        assertThat(proxy.commands()).containsExactlyInAnyOrder("mg", "ms");

        assertThat(elsewhere.get("key").get()).isEqualTo("value");
    }

    @Test
    void anEvictionTakesOne() {
        proxy.holdUntil(2);
        assertThat(cache.evictIfPresent("there")).isTrue();
        assertThat(proxy.commands()).containsExactlyInAnyOrder("mg", "md");
    }

    @Test
    void aPutOfAnAbsentValueTakesOne() {
        proxy.holdUntil(2);
        assertThat(cache.putIfAbsent("key", "value")).isNull();
        assertThat(proxy.commands()).containsExactlyInAnyOrder("mg", "ms");
    }

    @Test
    void aClearTakesOne() {
        proxy.holdUntil(Partitions.COUNT);
        cache.clear();
        assertThat(proxy.commands()).hasSize(Partitions.COUNT).containsOnly("ms");
    }

    @Test
    void aLoadedValueTakesTwo() {
        proxy.holdUntil(2);
        assertThat(cache.get("key", () -> "loaded")).isEqualTo("loaded");
        assertThat(proxy.commands()).containsExactly("mg", "mg", "ms");

        proxy.holdUntil(2);
        assertThat(cache.get("key", () -> "again")).isEqualTo("loaded");
        assertThat(proxy.commands()).containsExactly("mg", "mg");
    }

    @Test
    void anAsynchronouslyLoadedValueTakesTwo() {
        proxy.holdUntil(2);
        assertThat(cache.retrieve("key", () -> CompletableFuture.completedFuture("loaded")))
                .succeedsWithin(Duration.ofSeconds(30))
                .isEqualTo("loaded");
        assertThat(proxy.commands()).containsExactly("mg", "mg", "ms");
    }

    @Test
    void theFirstCallAfterAClearElsewhereTakesTwo() {
        elsewhere.clear();
        elsewhere.put("there", "newer");

        proxy.holdUntil(2);
        assertThat(cache.get("there").get()).isEqualTo("newer");
        assertThat(proxy.commands()).containsExactly("mg", "mg", "mg");

        proxy.holdUntil(2);
        assertThat(cache.get("there").get()).isEqualTo("newer");
        assertThat(proxy.commands()).containsExactly("mg", "mg");
    }
}
