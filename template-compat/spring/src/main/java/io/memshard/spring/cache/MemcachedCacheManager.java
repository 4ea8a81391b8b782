// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.support.AbstractCacheManager;
import org.springframework.cache.support.NoOpCache;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.util.ClassUtils;

/**
 * Spring's caches in memcached. The names of its builder are those of Spring Data Redis.
 *
 * <p>It owns no connections: close the {@link Memshard}, in Spring a bean of its own.
 *
 * <p>Threading: thread-safe.
 */
public final class MemcachedCacheManager extends AbstractCacheManager {

    private final MemcachedClient<?> blocking;
    private final AsyncMemcachedClient<?> async;
    private final MemcachedCacheConfiguration defaults;
    private final Map<String, MemcachedCacheConfiguration> configurations;
    private final boolean createsMissing;
    private final boolean isTransactionAware;
    private final boolean hasStatistics;
    private final Set<String> disabled;

    private MemcachedCacheManager(Builder builder) {
        blocking = builder.blocking;
        async = builder.async;
        defaults = builder.defaults;
        configurations = new LinkedHashMap<>(builder.configurations);
        createsMissing = builder.createsMissing;
        isTransactionAware = builder.isTransactionAware;
        hasStatistics = builder.hasStatistics;
        disabled = Set.copyOf(builder.disabled);
    }

    /** Caches with the default configuration, each made when it is first asked for. */
    public static MemcachedCacheManager create(Memshard memshard) {
        return builder(memshard).build();
    }

    /** Settings of a manager of caches over the servers of {@code memshard}. */
    public static Builder builder(Memshard memshard) {
        return builder(memshard.client(), memshard.asyncClient());
    }

    /**
     * Settings of a manager of caches over these clients, such as those of a {@code ZonedMemshard}. Their transcoders
     * and failure policies are not used.
     *
     * @param async of the same servers
     */
    public static Builder builder(MemcachedClient<?> blocking, AsyncMemcachedClient<?> async) {
        return new Builder(blocking, async);
    }

    /** Does nothing: the caches are there since the manager was built. */
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
        return new MemcachedCache(name, configuration, blocking, async, hasStatistics);
    }

    @Override
    protected Cache decorateCache(Cache cache) {
        if (disabled.contains(cache.getName())) {
            return new NoOpCache(cache.getName());
        }
        return isTransactionAware ? new TransactionAwareCacheDecorator(cache) : cache;
    }

    /** The configuration of each cache that there is from the start, by its name. */
    public Map<String, MemcachedCacheConfiguration> getCacheConfigurations() {
        return Map.copyOf(configurations);
    }

    /** Whether a cache is made when it is first asked for. */
    public boolean isAllowRuntimeCacheCreation() {
        return createsMissing;
    }

    /** Settings of a {@link MemcachedCacheManager}. Confined to the thread that builds. */
    public static final class Builder {

        private static final String DECORATOR = "org.springframework.cache.transaction.TransactionAwareCacheDecorator";
        private static final String SYNCHRONIZATION =
                "org.springframework.transaction.support.TransactionSynchronization";

        private final MemcachedClient<?> blocking;
        private final AsyncMemcachedClient<?> async;
        private final Map<String, MemcachedCacheConfiguration> configurations = new LinkedHashMap<>();
        private MemcachedCacheConfiguration defaults = MemcachedCacheConfiguration.defaultCacheConfig();
        private boolean createsMissing = true;
        private boolean isTransactionAware;
        private boolean hasStatistics;
        private final Set<String> disabled = new HashSet<>();

        private Builder(MemcachedClient<?> blocking, AsyncMemcachedClient<?> async) {
            this.blocking = Objects.requireNonNull(blocking, "blocking is null");
            this.async = Objects.requireNonNull(async, "async is null");
        }

        /** The configuration of caches that have none of their own. */
        public Builder cacheDefaults(MemcachedCacheConfiguration configuration) {
            defaults = Objects.requireNonNull(configuration, "configuration is null");
            return this;
        }

        /** The configuration of caches that have none of their own, for a customizer to build on. */
        public MemcachedCacheConfiguration cacheDefaults() {
            return defaults;
        }

        /** A cache with a configuration of its own, there from the start. */
        public Builder withCacheConfiguration(String name, MemcachedCacheConfiguration configuration) {
            configurations.put(
                    Objects.requireNonNull(name, "name is null"),
                    Objects.requireNonNull(configuration, "configuration is null"));
            return this;
        }

        /** As {@link #withCacheConfiguration}, for each entry. */
        public Builder withInitialCacheConfigurations(Map<String, MemcachedCacheConfiguration> configurationsByName) {
            configurationsByName.forEach(this::withCacheConfiguration);
            return this;
        }

        /**
         * Caches that are there from the start, with {@link #cacheDefaults()} as they are now. Those that have a
         * configuration keep it.
         */
        public Builder initialCacheNames(Set<String> names) {
            names.forEach(name -> configurations.putIfAbsent(name, defaults));
            return this;
        }

        /** Whether a cache is made, with the defaults, when it is first asked for. True unless set. */
        public Builder allowCreateOnMissingCache(boolean allowed) {
            createsMissing = allowed;
            return this;
        }

        /** Has only the caches that are there from the start. */
        public Builder disableCreateOnMissingCache() {
            return allowCreateOnMissingCache(false);
        }

        /**
         * Has puts, evictions and clears wait for the commit of the transaction that they are part of. Needs {@code
         * spring-context-support} and {@code spring-tx}.
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

        /** Has caches of these names store nothing, and so miss always. */
        public Builder disableCaches(Set<String> names) {
            disabled.addAll(names);
            return this;
        }

        /** Counts what {@link MemcachedCache#getStatistics} shows. */
        public Builder enableStatistics() {
            hasStatistics = true;
            return this;
        }

        /** The configuration of a cache that is there from the start. */
        public Optional<MemcachedCacheConfiguration> getCacheConfigurationFor(String name) {
            return Optional.ofNullable(configurations.get(name));
        }

        /** The names of the caches that are there from the start. */
        public Set<String> getConfiguredCaches() {
            return Set.copyOf(configurations.keySet());
        }

        /** The manager, with its caches. It asks no server. */
        public MemcachedCacheManager build() {
            MemcachedCacheManager manager = new MemcachedCacheManager(this);
            manager.initializeCaches();
            return manager;
        }
    }
}
