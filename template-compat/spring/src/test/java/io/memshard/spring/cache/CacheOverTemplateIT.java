// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.transcoder.Transcoder;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import io.memshard.template.Mode;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.cache.Cache;

/** A cache works over a template of each engine and each mode. */
@MemcachedTest
class CacheOverTemplateIT {

    private static final int SECONDS = 30;

    private final MemcachedServer server;

    CacheOverTemplateIT(MemcachedServer server) {
        this.server = server;
    }

    private MemcachedConnectionFactory factory(Engine engine, Mode mode) {
        return MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .servers(server.address())
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30))
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "MEMSHARD, POOLED", "MEMSHARD, SINGLE", "MEMSHARD, SHARDED",
        "SPYMEMCACHED, POOLED", "SPYMEMCACHED, SINGLE", "SPYMEMCACHED, SHARDED"
    })
    void whatWasPutOrLoadedIsFoundUntilItIsCleared(Engine engine, Mode mode) {
        try (MemcachedConnectionFactory factory = factory(engine, mode)) {
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            MemcachedCacheManager manager = MemcachedCacheManager.builder(template, template.async())
                    .enableStatistics()
                    .build();
            MemcachedCache cache = (MemcachedCache) manager.getCache("books");

            cache.put("put", "value");
            assertThat(cache.get("put", String.class)).isEqualTo("value");
            assertThat(cache.get("loaded", () -> "from the loader")).isEqualTo("from the loader");
            assertThat(cache.get("loaded", () -> "again")).isEqualTo("from the loader");
            cache.clear();
            assertThat(cache.get("put")).isNull();
            assertThat(cache.getStatistics().lostLookups()).isZero();
            assertThat(cache.getStatistics().lostWrites()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void cachesAreThoseOfTheClient(Mode mode) throws Exception {
        try (MemcachedConnectionFactory factory = factory(Engine.MEMSHARD, mode)) {
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            MemcachedCacheManager manager = MemcachedCacheManager.builder(template, template.async())
                    .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                            .entryTtl(Duration.ofMinutes(1))
                            .propagateFailures())
                    .build();
            Cache cache = manager.getCache("books");
            assertThat(cache).isNotNull();

            assertThat(cache.get("a")).isNull();
            cache.put("a", List.of(1, 2));
            assertThat(cache.get("a", Object.class)).isEqualTo(List.of(1, 2));
            assertThat(cache.putIfAbsent("a", "other")).isNotNull();
            assertThat(cache.evictIfPresent("a")).isTrue();
            assertThat(cache.<String>get("b", () -> "loaded")).isEqualTo("loaded");
            assertThat(cache.<String>get("b", () -> "again")).isEqualTo("loaded");
            assertThat(cache.retrieve("c", () -> CompletableFuture.completedFuture((Object) "later"))
                            .get(SECONDS, TimeUnit.SECONDS))
                    .isEqualTo("later");
            assertThat(cache.get("c", String.class)).isEqualTo("later");
            cache.clear();
            assertThat(cache.get("c")).isNull();
        }
    }
}
