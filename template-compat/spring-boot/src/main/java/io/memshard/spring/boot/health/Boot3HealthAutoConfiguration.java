// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import io.memshard.Memshard;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedClients;
import io.memshard.spring.boot.MemcachedProperties;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.CompositeHealthContributorConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** {@link MemcachedHealthAutoConfiguration} with the types of Spring Boot 3.5. */
@AutoConfiguration(after = MemcachedAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(MemcachedClients.class)
@ConditionalOnEnabledHealthIndicator("memcached")
final class Boot3HealthAutoConfiguration extends CompositeHealthContributorConfiguration<HealthIndicator, Memshard> {

    Boot3HealthAutoConfiguration(MemcachedProperties properties) {
        super(memshard -> () -> health(ServersHealth.of(memshard, properties.health())));
    }

    @Bean
    @ConditionalOnMissingBean(name = {"memcachedHealthIndicator", "memcachedHealthContributor"})
    HealthContributor memcachedHealthContributor(ConfigurableListableBeanFactory beans) {
        return createContributor(ServersHealth.clients(beans));
    }

    private static Health health(ServersHealth health) {
        return Health.status(health.isDown() ? Status.DOWN : Status.UP)
                .withDetails(health.details())
                .build();
    }
}
