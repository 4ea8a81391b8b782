// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.Cache;
import org.springframework.cache.support.AbstractCacheManager;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.util.ClassUtils;

/**
 * Manager of Spring caches in memcached. The names of the builder's methods follow Spring Data Redis.
 *
 * <p>Closing the manager closes no connections. Close the {@link Memshard} too, which is a separate bean in Spring.
 *
 * <p>Threading: thread-safe.
 */
public final class MemcachedCacheManager extends AbstractCacheManager
        implements BeanFactoryAware, SmartInitializingSingleton, AutoCloseable {

    private final MemcachedClient<?> client;
    private final MemcachedCacheConfiguration defaults;
    private final Map<String, MemcachedCacheConfiguration> configurations;
    private final boolean createsMissing;
    private final boolean isTransactionAware;
    private final Queue<MemcachedCache> created = new ConcurrentLinkedQueue<>();

    /** Types that cached methods declare; null without a Spring context. Written before the manager is used. */
    private volatile @Nullable MethodTypes methods;

    private MemcachedCacheManager(Builder builder) {
        client = builder.client;
        defaults = builder.defaults;
        configurations = new LinkedHashMap<>(builder.configurations);
        createsMissing = builder.createsMissing;
        isTransactionAware = builder.isTransactionAware;
    }

    /** Returns a manager that creates a cache with the default configuration when the cache is first requested. */
    public static MemcachedCacheManager create(Memshard memshard) {
        return builder(memshard).build();
    }

    /** Returns a builder of a manager that uses the servers of {@code memshard}. */
    public static Builder builder(Memshard memshard) {
        return builder(memshard.client());
    }

    /**
     * Returns a builder of a manager that uses {@code client}, such as a template or a client of a {@code
     * ZonedMemshard}. The client's transcoder and failure policy have no effect on the caches.
     */
    public static Builder builder(MemcachedClient<?> client) {
        return new Builder(client);
    }

    /** Does nothing, because the caches were created when the manager was built. */
    @Override
    public void afterPropertiesSet() {}

    @Override
    protected Collection<? extends Cache> loadCaches() {
        return configurations.entrySet().stream()
                .map(entry -> cache(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    protected @Nullable Cache getMissingCache(String name) {
        return createsMissing ? cache(name, defaults) : null;
    }

    private MemcachedCache cache(String name, MemcachedCacheConfiguration configuration) {
        MemcachedCache cache = new MemcachedCache(name, configuration, client, this::declaredTypes);
        created.add(cache);
        return cache;
    }

    /**
     * Stops retrying failed evictions and clears, so that the application's classes can be unloaded. The connections
     * stay open. Spring calls this method when it closes the context.
     */
    @Override
    public void close() {
        created.forEach(cache -> cache.partitions.end());
    }

    private Collection<Type> declaredTypes() {
        MethodTypes known = methods;
        return known == null ? List.of() : known.types();
    }

    @Override
    public void setBeanFactory(BeanFactory beans) {
        if (beans instanceof ConfigurableListableBeanFactory listable) {
            methods = new MethodTypes(listable, this);
        }
    }

    /**
     * Makes each cached method of the context read and write values of the type that the method declares. If the
     * application has its own cache resolver, this method changes nothing.
     */
    @Override
    public void afterSingletonsInstantiated() {
        MethodTypes known = methods;
        if (known != null) {
            known.install();
        }
    }

    @Override
    protected Cache decorateCache(Cache cache) {
        return isTransactionAware ? new TransactionAwareCacheDecorator(cache) : cache;
    }

    @Nullable
    Cache getCache(String name, @Nullable Type type) {
        Cache cache = getCache(name);
        if (cache == null || type == null) {
            return cache;
        }
        Cache bare = isTransactionAware ? ((TransactionAwareCacheDecorator) cache).getTargetCache() : cache;
        return decorateCache(((MemcachedCache) bare).withType(type));
    }

    /** Returns the configurations of the initial caches, by cache name. */
    public Map<String, MemcachedCacheConfiguration> getCacheConfigurations() {
        return Map.copyOf(configurations);
    }

    /** Builder of a {@link MemcachedCacheManager}. Confined to one thread. */
    public static final class Builder {

        private static final String DECORATOR = "org.springframework.cache.transaction.TransactionAwareCacheDecorator";
        private static final String SYNCHRONIZATION =
                "org.springframework.transaction.support.TransactionSynchronization";

        private final MemcachedClient<?> client;
        private final Map<String, MemcachedCacheConfiguration> configurations = new LinkedHashMap<>();
        private MemcachedCacheConfiguration defaults = MemcachedCacheConfiguration.defaultCacheConfig();
        private boolean createsMissing = true;
        private boolean isTransactionAware;

        private Builder(MemcachedClient<?> client) {
            this.client = Objects.requireNonNull(client, "client is null");
        }

        /** Sets the configuration of caches without their own configuration. */
        public Builder cacheDefaults(MemcachedCacheConfiguration configuration) {
            defaults = Objects.requireNonNull(configuration, "configuration is null");
            return this;
        }

        /** Returns the configuration of caches without their own configuration, so that a customizer can extend it. */
        public MemcachedCacheConfiguration cacheDefaults() {
            return defaults;
        }

        /** Makes {@link #build()} create a cache with this name and configuration. */
        public Builder withCacheConfiguration(String name, MemcachedCacheConfiguration configuration) {
            configurations.put(
                    Objects.requireNonNull(name, "name is null"),
                    Objects.requireNonNull(configuration, "configuration is null"));
            return this;
        }

        /** Calls {@link #withCacheConfiguration} for each entry. */
        public Builder withInitialCacheConfigurations(Map<String, MemcachedCacheConfiguration> configurationsByName) {
            configurationsByName.forEach(this::withCacheConfiguration);
            return this;
        }

        /**
         * Makes {@link #build()} create caches with these names. A cache without its own configuration gets the current
         * {@link #cacheDefaults()}.
         */
        public Builder initialCacheNames(Set<String> names) {
            names.forEach(name -> configurations.putIfAbsent(name, defaults));
            return this;
        }

        /** Makes the manager create no caches after {@link #build()}: the manager returns null for an unknown name. */
        public Builder disableCreateOnMissingCache() {
            createsMissing = false;
            return this;
        }

        /**
         * Delays puts, evictions and clears until the surrounding transaction commits. Needs {@code
         * spring-context-support} and {@code spring-tx} on the class path.
         */
        public Builder transactionAware() {
            for (String needed : List.of(DECORATOR, SYNCHRONIZATION)) {
                if (!ClassUtils.isPresent(needed, MemcachedCacheManager.class.getClassLoader())) {
                    throw new IllegalStateException("transactionAware() needs " + needed
                            + ": add org.springframework:spring-context-support and spring-tx");
                }
            }
            isTransactionAware = true;
            return this;
        }

        /** Builds the manager and the caches that were added to this builder. Sends no command to a server. */
        public MemcachedCacheManager build() {
            MemcachedCacheManager manager = new MemcachedCacheManager(this);
            manager.initializeCaches();
            return manager;
        }
    }
}
