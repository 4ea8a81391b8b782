// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.metrics;

import io.memshard.client.metrics.MicrometerListener;
import io.memshard.client.metrics.ObservationListener;
import io.memshard.spring.boot.MemcachedListenerProvider;
import io.memshard.spring.cache.MemcachedCache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cache.metrics.CacheMeterBinderProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** Auto-configuration of the meters and observations of clients, and of the meters of caches. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            // Spring Boot 3.5
            "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        },
        beforeName = {
            "org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.cache.CacheMetricsAutoConfiguration"
        })
public final class MemcachedMetricsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class Clients {

        @Bean
        @ConditionalOnMissingBean(name = "memcachedMetrics")
        MemcachedListenerProvider memcachedMetrics(MeterRegistry registry) {
            return (client, properties) ->
                    properties.metrics().enabled() ? new MicrometerListener(registry, client) : null;
        }
    }

    /** Observations of calls. Without a tracer, an observation would only be a second timer of the commands. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    static class Observations {

        private static final String TRACER = "io.micrometer.tracing.Tracer";

        @Bean
        @ConditionalOnMissingBean(name = "memcachedObservations")
        MemcachedListenerProvider memcachedObservations(ObservationRegistry registry, BeanFactory beans) {
            return (client, properties) -> {
                Boolean enabled = properties.observation().enabled();
                boolean isObserved = enabled != null ? enabled : hasTracer(beans);
                return isObserved ? new ObservationListener(registry, client) : null;
            };
        }

        private static boolean hasTracer(BeanFactory beans) {
            ClassLoader loader = MemcachedMetricsAutoConfiguration.class.getClassLoader();
            return ClassUtils.isPresent(TRACER, loader)
                    && beans.getBeanProvider(ClassUtils.resolveClassName(TRACER, loader)).stream()
                            .findAny()
                            .isPresent();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, CacheMeterBinderProvider.class, MemcachedCache.class})
    static class Caches {

        @Bean
        @ConditionalOnMissingBean(name = "memcachedCacheMeterBinderProvider")
        CacheMeterBinderProvider<MemcachedCache> memcachedCacheMeterBinderProvider() {
            return MemcachedCacheMetrics::new;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({
        MeterRegistry.class,
        org.springframework.boot.actuate.metrics.cache.CacheMeterBinderProvider.class,
        MemcachedCache.class
    })
    static class Boot3Caches {

        @Bean
        @ConditionalOnMissingBean(name = "memcachedCacheMeterBinderProvider")
        org.springframework.boot.actuate.metrics.cache.CacheMeterBinderProvider<MemcachedCache>
                memcachedCacheMeterBinderProvider() {
            return MemcachedCacheMetrics::new;
        }
    }
}
