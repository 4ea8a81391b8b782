// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that have lost the generation of a cache, or say that it is there and that it is not: each call ends. */
@Timeout(60)
class LostGenerationTest {

    private static final String GENERATION = "books::#generation:" + Partitions.indexOf("key");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private <T> T within(Callable<T> call) throws Exception {
        return threads.submit(call).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aZoneThatHasLostTheGenerationLearnsItFromTheZoneThatDecides() throws Exception {
        try (EmbeddedMemcached one = EmbeddedMemcached.start();
                EmbeddedMemcached two = EmbeddedMemcached.start();
                ZonedMemshard zones = Caches.patient()
                        .servers("127.0.0.1:" + one.port() + "@eu-1, 127.0.0.1:" + two.port() + "@eu-2")
                        .buildZones(ReplicaOptions.of("eu-2").withOwner("eu-1"));
                Memshard own = Caches.memshard(two.address())) {
            MemcachedCache cache = Caches.books(
                    MemcachedCacheManager.builder(zones.client(Transcoder.bytes())),
                    MemcachedCacheConfiguration.defaultCacheConfig());
            cache.put("key", "value");
            String generation = generation(own);
            assertThat(cache.get("key", String.class)).isEqualTo("value");

            own.client().delete(GENERATION);
            assertThat(within(() -> cache.get("key", String.class))).isEqualTo("value");
            within(() -> {
                cache.put("other", "of another");
                return null;
            });
            assertThat(within(() -> cache.get("other", String.class))).isEqualTo("of another");
            assertThat(within(() -> cache.get("key", () -> "not called"))).isEqualTo("value");
            assertThat(within(() -> cache.retrieve("key").get())).isNotNull();
            own.admin().flushAll(Duration.ZERO);
            assertThat(within(() -> cache.get("key", () -> "loaded anew"))).isEqualTo("value");
            assertThat(generation(own)).as("only the zone that decides has it").isNull();

            within(() -> {
                cache.clear();
                return null;
            });
            assertThat(generation(own)).isNotNull().isNotEqualTo(generation);
            assertThat(within(() -> cache.get("key"))).isNull();
        }
    }

    private static String generation(Memshard memshard) {
        return memshard.client(Transcoder.utf8()).get(GENERATION);
    }

    /** Returns the reply of a server that has no items and accepts none. */
    private static String refusal(String line) {
        if (line.startsWith("get")) {
            return "END\r\n";
        }
        if (line.startsWith("version")) {
            return "VERSION 1.6.18\r\n";
        }
        if (line.startsWith("set ") || line.startsWith("add ") || line.startsWith("cas ")) {
            return "";
        }
        return line.startsWith("delete ") ? "NOT_FOUND\r\n" : "NOT_STORED\r\n";
    }

    @Test
    void aCallFailsIfTheServerNeitherHasNorAcceptsAGeneration() throws Exception {
        AtomicInteger lines = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(connection -> connection.replyTo(line -> {
                lines.incrementAndGet();
                return refusal(line);
            }));
            try (Memshard memshard = Caches.memshard(server.address(), Protocol.CLASSIC)) {
                MemcachedCache cache = Caches.books(memshard);
                assertThat(within(() -> cache.get("key"))).isNull();
                assertThat(within(() -> cache.get("key", () -> "loaded"))).isEqualTo("loaded");
                assertThat(within(() -> cache.retrieve("key").get())).isNull();
                assertThat(within(() -> cache.retrieve("key", () -> CompletableFuture.completedFuture("loaded"))
                                .get()))
                        .isEqualTo("loaded");
                assertThat(within(() -> cache.putIfAbsent("key", "value"))).isNull();
                assertThat(within(() -> {
                            cache.put("key", "value");
                            cache.evict("key");
                            return cache.evictIfPresent("key");
                        }))
                        .isFalse();
                MemcachedCacheStatistics statistics = cache.getStatistics();
                assertThat(statistics.lostLookups()).isEqualTo(4);
                assertThat(statistics.lostWrites()).isEqualTo(4);
                assertThat(lines).hasValueLessThan(200);
            }
        }
    }

    /** The generation is there for the first add and gone for the read after it, as between the clears of others. */
    @Test
    void aRemovedGenerationIsCreatedAgain() throws Exception {
        AtomicInteger adds = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start()) {
            server.onConnection(connection -> connection.replyTo(line -> {
                if (line.startsWith("add ")) {
                    adds.incrementAndGet();
                    return "";
                }
                if (line.startsWith("get")) {
                    return "END\r\n";
                }
                return adds.get() == 1 ? "NOT_STORED\r\n" : "STORED\r\n";
            }));
            try (Memshard memshard = Caches.memshard(server.address(), Protocol.CLASSIC)) {
                MemcachedCache cache = Caches.books(
                        memshard,
                        MemcachedCacheConfiguration.defaultCacheConfig().withPropagatedFailures(true));
                assertThat(within(() -> cache.get("key"))).isNull();
                assertThat(adds).hasValue(2);
            }
        }
    }
}
