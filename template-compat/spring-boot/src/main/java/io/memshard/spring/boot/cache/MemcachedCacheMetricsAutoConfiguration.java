// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.cache.MemcachedCache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.cache.metrics.CacheMeterBinderProvider;
import org.springframework.context.annotation.Bean;

/**
 * Spring Boot's cache meters {@code cache.gets}, {@code cache.puts} and {@code cache.removals}, for the initial caches.
 */
@AutoConfiguration(before = CacheMetricsAutoConfiguration.class)
@ConditionalOnClass({
    MeterRegistry.class,
    MeterBinder.class,
    CacheMeterBinderProvider.class,
    CacheMetricsAutoConfiguration.class,
    MemcachedCache.class
})
public final class MemcachedCacheMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "memcachedCacheMeterBinderProvider")
    CacheMeterBinderProvider<MemcachedCache> memcachedCacheMeterBinderProvider() {
        return MemcachedCacheMetrics::new;
    }
}
