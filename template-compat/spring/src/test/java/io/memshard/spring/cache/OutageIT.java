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
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A memcached that is killed and comes back, while the cache is used. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(120)
class OutageIT {

    private MemcachedProcess server;
    private Memshard memshard;
    private MemcachedCache cache;

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
