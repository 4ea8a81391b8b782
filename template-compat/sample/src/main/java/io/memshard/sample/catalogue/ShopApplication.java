// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.catalogue;

import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.spring.boot.MemcachedCustomizer;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.template.MemcachedTemplate;
import java.time.Duration;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;

/** Spring Boot application of the shop. Memshard's starter creates the template from {@code shop.yaml}. */
@SpringBootApplication
@EnableCaching
public class ShopApplication {

    private static final int SHORTEST_TTL_SECONDS = 20;
    private static final int SHELF_TTL_SECONDS = 5;

    /** Creates caches over the template, so that the caches use the template's engine and mode. */
    @Bean
    MemcachedCacheManager cacheManager(MemcachedTemplate<Object> template) {
        return MemcachedCacheManager.builder(template)
                .withCacheConfiguration("products", valuesOf(Product.class).entryTtl((key, value) -> ttl(key)))
                .withCacheConfiguration(
                        "shelves", valuesOf(Shelf.class).entryTtl(Duration.ofSeconds(SHELF_TTL_SECONDS)))
                .disableCreateOnMissingCache()
                .build();
    }

    /** Probes a server at short intervals while it is down, so that it soon gets commands after a restart. */
    @Bean
    @Profile("memshard")
    MemcachedCustomizer probes() {
        return (client, settings) -> settings.probeDelay(Duration.ofMillis(200), Duration.ofSeconds(1));
    }

    private static MemcachedCacheConfiguration valuesOf(Class<?> type) {
        return MemcachedCacheConfiguration.defaultCacheConfig().serializeValuesWith(Jackson3Transcoder.of(type));
    }

    /** Spreads the times to live, so that the entries do not expire together. */
    private static Duration ttl(Object key) {
        return Duration.ofSeconds(SHORTEST_TTL_SECONDS + Math.floorMod(key.hashCode(), SHORTEST_TTL_SECONDS));
    }
}
