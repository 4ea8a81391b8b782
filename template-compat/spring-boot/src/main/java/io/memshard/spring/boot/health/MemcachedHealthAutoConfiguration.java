// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import io.memshard.Memshard;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedProperties;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Health of each client that is a bean (under the bean's name if there are several clients), and of each zone. */
@AutoConfiguration(after = MemcachedAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@Conditional(AnyClient.class)
@ConditionalOnEnabledHealthIndicator("memcached")
public final class MemcachedHealthAutoConfiguration
        extends CompositeHealthContributorConfiguration<MemcachedHealthIndicator, Memshard> {

    MemcachedHealthAutoConfiguration(MemcachedProperties properties) {
        super(memshard -> new MemcachedHealthIndicator(
                memshard, properties.health().downWhen(), properties.health().timeout()));
    }

    @Bean
    @ConditionalOnMissingBean(name = {"memcachedHealthIndicator", "memcachedHealthContributor"})
    HealthContributor memcachedHealthContributor(ConfigurableListableBeanFactory beans) {
        return createContributor(ServersHealth.clients(beans));
    }
}
