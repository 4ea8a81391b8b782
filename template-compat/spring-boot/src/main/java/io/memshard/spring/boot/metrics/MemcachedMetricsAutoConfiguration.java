// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.metrics;

import io.memshard.client.metrics.MicrometerListener;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedListenerProvider;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of the commands and connections of each client. The client's name is the tag {@code pool} of its meters. */
@AutoConfiguration(
        before = MemcachedAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            // Spring Boot 3.5
            "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class MemcachedMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "memcachedMetrics")
    MemcachedListenerProvider memcachedMetrics(MeterRegistry registry) {
        return (client, properties) -> properties.metrics().enabled() ? new MicrometerListener(registry, client) : null;
    }
}
