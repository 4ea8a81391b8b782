// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import io.memshard.Memshard;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedClients;
import io.memshard.spring.boot.MemcachedProperties;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of a health indicator for each client that is a bean, and for each zone of a client with zones. If
 * the application has several clients, the indicators have the names of the beans.
 */
@AutoConfiguration(after = MemcachedAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(MemcachedClients.class)
@ConditionalOnEnabledHealthIndicator("memcached")
public final class MemcachedHealthAutoConfiguration
        extends CompositeHealthContributorConfiguration<HealthIndicator, Memshard> {

    MemcachedHealthAutoConfiguration(MemcachedProperties properties) {
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
