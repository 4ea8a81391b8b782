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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cache works over a template of each engine and each mode. */
@MemcachedTest
class CacheOverTemplateIT {

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
    void cachesOverATemplateMatchThoseOfTheClient(Engine engine, Mode mode) {
        try (MemcachedConnectionFactory factory = factory(engine, mode)) {
            MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
            MemcachedCache cache = Caches.books(
                    MemcachedCacheManager.builder(template),
                    MemcachedCacheConfiguration.defaultCacheConfig()
                            .entryTtl(Duration.ofMinutes(1))
                            .withPropagatedFailures(true));

            assertThat(cache.get("a")).isNull();
            cache.put("a", List.of(1, 2));
            assertThat(cache.get("a", Object.class)).isEqualTo(List.of(1, 2));
            assertThat(cache.putIfAbsent("a", "other")).isNotNull();
            assertThat(cache.evictIfPresent("a")).isTrue();
            for (int i = 0; i < 2; i++) {
                String loaded = i == 0 ? "loaded" : "not called";
                assertThat(cache.<String>get("b", () -> loaded)).isEqualTo("loaded");
                assertThat(cache.retrieve("c", () -> CompletableFuture.completedFuture(loaded)))
                        .succeedsWithin(Duration.ofSeconds(30))
                        .isEqualTo("loaded");
            }
            assertThat(cache.get("c", String.class)).isEqualTo("loaded");
            cache.clear();
            assertThat(cache.get("c")).isNull();
        }
    }
}
