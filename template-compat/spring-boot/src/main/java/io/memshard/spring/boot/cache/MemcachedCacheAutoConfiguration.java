// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.Memshard;
import io.memshard.ZonedMemshard;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedPropertyException;
import io.memshard.spring.boot.ValueTranscoders;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of a {@link MemcachedCacheManager} over the client with the prefix {@code memcached}, if caching
 * is enabled. Creates no manager if the application defines a cache manager, or selects another type of cache by {@code
 * spring.cache.type}.
 */
@AutoConfiguration(
        after = MemcachedAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration",
            "org.springframework.boot.autoconfigure.cache.CacheAutoConfiguration" // Spring Boot 3.5
        })
@ConditionalOnClass({CacheManager.class, MemcachedCacheManager.class})
@ConditionalOnBean(CacheAspectSupport.class)
@ConditionalOnMissingBean(value = CacheManager.class, name = "cacheResolver")
@ConditionalOnProperty(name = "spring.cache.type", havingValue = "memcached", matchIfMissing = true)
@Conditional(MemcachedCacheAutoConfiguration.OneClient.class)
@EnableConfigurationProperties(MemcachedCacheProperties.class)
public final class MemcachedCacheAutoConfiguration {

    private static final Log LOG = LogFactory.getLog(MemcachedCacheAutoConfiguration.class);

    @Bean
    MemcachedCacheManager cacheManager(
            ObjectProvider<Memshard> memshard,
            ObjectProvider<ZonedMemshard> zoned,
            MemcachedCacheProperties properties,
            ObjectProvider<MemcachedCacheConfiguration> given,
            ValueTranscoders transcoders,
            ObjectProvider<MemcachedCacheManagerCustomizer> customizers,
            Environment environment) {
        CacheConfigurations configurations = new CacheConfigurations(properties, transcoders);
        MemcachedCacheConfiguration defaults = given.getIfAvailable(configurations::defaults);
        Memshard plain = memshard.getIfAvailable();
        MemcachedCacheManager.Builder builder = MemcachedCacheManager.builder(
                        plain != null ? plain.client() : zoned.getObject().client(Transcoder.bytes()))
                .cacheDefaults(defaults);
        properties
                .caches()
                .forEach((name, own) -> builder.withCacheConfiguration(
                        name, configurations.changed(defaults, "memcached.cache.caches." + name, own)));
        builder.initialCacheNames(Binder.get(environment)
                .bind("spring.cache.cache-names", Bindable.setOf(String.class))
                .orElseGet(Set::of));
        if (given.getIfAvailable() == null && properties.timeToLive() == null) {
            LOG.info("memcached.cache.time-to-live is not set: caches without a time to live keep entries until"
                    + " memcached evicts them");
        }
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return properties.transactionAware() ? transactionAware(builder) : builder.build();
    }

    private static MemcachedCacheManager transactionAware(MemcachedCacheManager.Builder builder) {
        try {
            return builder.transactionAware().build();
        } catch (IllegalStateException e) {
            throw new MemcachedPropertyException(
                    "memcached.cache.transaction-aware", String.valueOf(e.getMessage()), e);
        }
    }

    static final class OneClient extends AnyNestedCondition {

        OneClient() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnSingleCandidate(Memshard.class)
        static final class PlainClient {}

        @ConditionalOnSingleCandidate(ZonedMemshard.class)
        static final class ZonedClient {}
    }
}
