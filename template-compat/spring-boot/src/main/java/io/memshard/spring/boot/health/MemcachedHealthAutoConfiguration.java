// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Health of each client that is a bean, under the bean's name if there are several, and of each zone. */
@AutoConfiguration(after = MemcachedAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@Conditional(MemcachedHealthAutoConfiguration.AnyClient.class)
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
        Map<String, Memshard> clients =
                new LinkedHashMap<>(SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, Memshard.class));
        SimpleAutowireCandidateResolver.resolveAutowireCandidates(beans, ZonedMemshard.class)
                .forEach((name, zoned) ->
                        zoned.zones().forEach((zone, memshard) -> clients.put(name + '-' + zone, memshard)));
        return createContributor(clients);
    }

    /** Condition that a client exists, with zones or without. */
    static final class AnyClient extends AnyNestedCondition {

        AnyClient() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(Memshard.class)
        static final class OneClient {}

        @ConditionalOnBean(ZonedMemshard.class)
        static final class ZonedClient {}
    }
}
