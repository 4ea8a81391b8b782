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
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
        memshard = Caches.memshard(server.address());
        cache = Caches.books(memshard);
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
            Random random = new Random(i);
            calls.add(threads.submit(() -> use(random)));
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
        eventually("hits", () -> cache.getStatistics().hits() > hits + 1000);
    }

    /** Calls every method of the cache, until it is over; how often. Each value says which key it belongs to. */
    private Long use(Random random) throws Exception {
        long count = 0;
        while (!isOver) {
            String key = "key" + random.nextInt(KEYS);
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

        eventually("lost writes", () -> cache.getStatistics().lostWrites() == 5);
        MemcachedCacheStatistics statistics = cache.getStatistics();
        assertThat(statistics.lostLookups()).isEqualTo(4);
        assertThat(statistics.misses()).isEqualTo(4);
        assertThat(statistics.loads()).isEqualTo(2);
        assertThat(statistics.puts()).isOne();
    }

    @Test
    void failuresAreThrownIfEnabled() {
        MemcachedCache strict = Caches.books(
                memshard, MemcachedCacheConfiguration.defaultCacheConfig().withPropagatedFailures(true));
        server.kill();

        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.get("key"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.put("key", "value"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(() -> strict.get("key", () -> "loaded"));
        assertThatExceptionOfType(MemcachedException.class).isThrownBy(strict::clear);
        assertThat(strict.retrieve("key"))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(MemcachedException.class);
        assertThat(strict.getStatistics().lostLookups()).isEqualTo(3);
        assertThat(strict.getStatistics().lostWrites()).isEqualTo(2);
    }

    @Test
    void aCallOfAClosedClientIsAMiss() {
        memshard.close();

        assertThat(cache.get("key")).isNull();
        assertThat(cache.<Object>get("key", () -> "loaded")).isEqualTo("loaded");
        cache.put("key", "value");
    }
}
