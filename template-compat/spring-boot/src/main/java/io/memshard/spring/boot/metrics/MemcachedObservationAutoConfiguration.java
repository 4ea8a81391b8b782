// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.metrics;

import io.memshard.client.metrics.ObservationListener;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedListenerProvider;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * Observations of the calls of each client, if a tracer exists or {@code memcached.observation.enabled} is true.
 * Without a tracer, an observation would only be a second timer of the commands that {@link
 * MemcachedMetricsAutoConfiguration} counts.
 */
@AutoConfiguration(
        before = MemcachedAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            // Spring Boot 3.5
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public final class MemcachedObservationAutoConfiguration {

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
        ClassLoader loader = MemcachedObservationAutoConfiguration.class.getClassLoader();
        return ClassUtils.isPresent(TRACER, loader)
                && beans.getBeanProvider(ClassUtils.resolveClassName(TRACER, loader)).stream()
                        .findAny()
                        .isPresent();
    }
}
