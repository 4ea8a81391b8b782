// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.Memshard;
import io.memshard.client.exception.MemcachedException;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A memcached that is killed and comes back, while the cache is used. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class OutageIT {

    private static final int THREADS = 8;
    private static final int KEYS = 20;

    private MemcachedProcess server;
    private Memshard memshard;
    private MemcachedCache cache;
    private volatile boolean isOver;

    @BeforeEach
    void start() {
        server = MemcachedProcess.start();
        memshard = Memshard.builder()
                .server(server.address())
                .requestTimeout(Duration.ofSeconds(10))
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        cache = cache(MemcachedCacheConfiguration.defaultCacheConfig());
    }

    private MemcachedCache cache(MemcachedCacheConfiguration configuration) {
        return (MemcachedCache) MemcachedCacheManager.builder(memshard)
                .cacheDefaults(configuration)
                .enableStatistics()
                .build()
                .getCache("books");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            memshard.close();
            server.close();
        }
    }

    @Test
    void noCallFailsUnderLoad() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<Long>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            calls.add(threads.submit(this::use));
        }
        for (int round = 0; round < 2; round++) {
            awaitHits();
            long lost = cache.getStatistics().lostLookups();
            server.kill();
            eventually("lost lookups", () -> cache.getStatistics().lostLookups() > lost + 100);
            server.restart();
        }
        awaitHits();
        isOver = true;
        threads.shutdown();

        for (Future<Long> each : calls) {
            assertThat(each.get()).isPositive();
        }
    }

    private void awaitHits() {
        long hits = cache.getStatistics().hits();
        eventually("hits", Duration.ofSeconds(30), () -> cache.getStatistics().hits() > hits + 1000);
    }

    /** Calls every method of the cache, until it is over; how often. Each value says which key it belongs to. */
    private Long use() throws Exception {
        long count = 0;
        while (!isOver) {
            String key = "key" + ThreadLocalRandom.current().nextInt(KEYS);
            String value = "value of " + key;
            Callable<Object> loader = () -> value;
            switch ((int) (count++ % 8)) {
                case 0 -> assertThat(cache.get(key, loader)).isEqualTo(value);
                case 1 ->
                    assertThat(cache.retrieve(key, () -> CompletableFuture.<Object>completedFuture(value))
                                    .get())
                            .isEqualTo(value);
                case 2 -> cache.put(key, value);
                case 3 -> cache.evict(key);
                case 4 -> cache.putIfAbsent(key, value);
                case 5 -> cache.retrieve(key).get();
                default -> assertThat(cache.get(key, String.class)).isIn(value, null);
            }
            if (count % 1000 == 0) {
                cache.clear();
            }
        }
        return count;
    }

    @Test
    void callsOfADeadServerAreMissesAndCounted() throws Exception {
        cache.put("key", "value");
        server.kill();

        assertThat(cache.get("key")).isNull();
        assertThat(cache.retrieve("key").get()).isNull();
        assertThat(cache.<Object>get("key", () -> "loaded")).isEqualTo("loaded");
        assertThat(cache.retrieve("key", () -> CompletableFuture.completedFuture("loaded"))
                        .get())
                .isEqualTo("loaded");
        cache.put("key", "value");
        assertThat(cache.putIfAbsent("key", "value")).isNull();
        cache.evict("key");
        assertThat(cache.evictIfPresent("key")).isFalse();
        cache.clear();

        MemcachedCacheStatistics statistics = cache.getStatistics();
        assertThat(statistics.lostLookups()).isEqualTo(4);
        assertThat(statistics.misses()).isEqualTo(4);
        assertThat(statistics.lostWrites()).isEqualTo(5);
        assertThat(statistics.loads()).isEqualTo(2);
        assertThat(statistics.puts()).isOne();
    }

    @Test
    void failuresAreThrownIfEnabled() {
        MemcachedCache strict =
                cache(MemcachedCacheConfiguration.defaultCacheConfig().propagateFailures());
        server.kill();

        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.get("key"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.put("key", "value"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.get("key", () -> "loaded"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(strict::clear);
        assertThat(strict.retrieve("key"))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(MemcachedException.class);
        assertThat(strict.getStatistics().lostLookups()).isEqualTo(3);
        assertThat(strict.getStatistics().lostWrites()).isEqualTo(2);
    }

    @Test
    void failuresOfWritesAloneAreThrownIfEnabled() {
        MemcachedCache strict = cache(
                MemcachedCacheConfiguration.defaultCacheConfig().withPropagatedFailures(PropagatedFailures.WRITES));
        server.kill();

        assertThat(strict.get("key")).isNull();
        assertThat(strict.<Object>get("key", () -> "loaded")).isEqualTo("loaded");
        assertThat(strict.retrieve("key"))
                .succeedsWithin(Duration.ofSeconds(10))
                .isNull();
        strict.put("key", "of the method that runs after the lookup");
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.put("key", "value"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.putIfAbsent("key", "value"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.evict("key"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.evictIfPresent("key"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(strict::clear);
        assertThat(strict.getStatistics().lostLookups()).isEqualTo(3);
        eventually("lost writes", () -> strict.getStatistics().lostWrites() == 6);
    }

    /** Spring puts the value that a method has returned after a lookup that was a miss. */
    @Test
    void aPutDoesNotWaitForAServerWhoseLookupHasJustTimedOut() throws Exception {
        try (Memshard impatient = Memshard.builder()
                .server(server.address())
                .requestTimeout(Duration.ofSeconds(2))
                .build()) {
            MemcachedCache silent = (MemcachedCache) MemcachedCacheManager.builder(impatient)
                    .enableStatistics()
                    .build()
                    .getCache("books");
            silent.put("key", "value");
            server.stop();

            assertThat(silent.get("key")).isNull();
            silent.put("key", "loaded");
            assertThat(silent.getStatistics().lostWrites())
                    .as("writes given up by now")
                    .isZero();
            eventually("the put is lost", () -> silent.getStatistics().lostWrites() == 1);
            silent.put("key", "not after a lookup");
            assertThat(silent.getStatistics().lostWrites()).isEqualTo(2);
            server.resume();
        }
    }

    @Test
    void aCallOfAClosedClientIsAMiss() {
        memshard.close();

        assertThat(cache.get("key")).isNull();
        assertThat(cache.<Object>get("key", () -> "loaded")).isEqualTo("loaded");
        cache.put("key", "value");
    }
}
