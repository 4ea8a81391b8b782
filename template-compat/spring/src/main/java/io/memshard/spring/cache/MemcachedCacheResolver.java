// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.BasicOperation;
import org.springframework.cache.interceptor.CacheEvictOperation;
import org.springframework.cache.interceptor.CacheOperationInvocationContext;
import org.springframework.cache.interceptor.CacheResolver;

/**
 * Resolver of caches that read and write each value as the type that the cached method declares. Only caches with
 * {@link MemcachedCacheConfiguration#serializeValuesByType} do so; other caches are resolved as by Spring's own
 * resolver.
 *
 * <p>Threading: thread-safe.
 */
public final class MemcachedCacheResolver implements CacheResolver {

    private final MemcachedCacheManager manager;

    /** Creates a resolver of a manager's caches. */
    public MemcachedCacheResolver(MemcachedCacheManager manager) {
        this.manager = manager;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the manager has no cache of that name
     */
    @Override
    public Collection<? extends Cache> resolveCaches(CacheOperationInvocationContext<?> context) {
        BasicOperation operation = context.getOperation();
        List<Cache> caches = new ArrayList<>();
        for (String name : operation.getCacheNames()) {
            Cache cache = manager.getCache(name);
            if (cache == null) {
                throw new IllegalArgumentException("no cache \"" + name + "\" for " + operation
                        + ": name it among the initial caches, or allow its creation");
            }
            Type type = operation instanceof CacheEvictOperation || !manager.hasTypes(name) ? null : type(context);
            caches.add(type == null ? cache : manager.getCache(name, type));
        }
        return caches;
    }

    boolean isOf(MemcachedCacheManager other) {
        return manager == other;
    }

    private static @Nullable Type type(CacheOperationInvocationContext<?> context) {
        return ValueTypes.of(context.getMethod(), context.getTarget().getClass());
    }
}
