// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.cache.MemcachedCache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.actuate.autoconfigure.metrics.cache.CacheMetricsAutoConfiguration;
import org.springframework.boot.actuate.metrics.cache.CacheMeterBinderProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** {@link MemcachedCacheMetricsAutoConfiguration} with the types of Spring Boot 3.5. */
@AutoConfiguration(before = CacheMetricsAutoConfiguration.class)
@ConditionalOnClass({
    MeterRegistry.class,
    MeterBinder.class,
    CacheMeterBinderProvider.class,
    CacheMetricsAutoConfiguration.class,
    MemcachedCache.class
})
final class Boot3CacheMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "memcachedCacheMeterBinderProvider")
    CacheMeterBinderProvider<MemcachedCache> memcachedCacheMeterBinderProvider() {
        return MemcachedCacheMetrics::new;
    }
}
