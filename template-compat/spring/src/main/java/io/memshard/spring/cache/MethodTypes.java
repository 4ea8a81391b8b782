// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.interceptor.BasicOperation;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.cache.interceptor.CacheEvictOperation;
import org.springframework.cache.interceptor.CacheOperation;
import org.springframework.cache.interceptor.CacheOperationInvocationContext;
import org.springframework.cache.interceptor.CacheOperationSource;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.cache.interceptor.SimpleCacheResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Types that the cached methods of an application's beans declare, found before the first call of a method. As a cache
 * resolver, this class gives each method a cache for the method's type, if the cache stores by type.
 *
 * <p>Threading: thread-safe.
 */
final class MethodTypes implements CacheResolver {

    private final ConfigurableListableBeanFactory beans;
    private final MemcachedCacheManager manager;

    /** Types found last, and the number of singletons at that time. Later beans may declare further types. */
    private volatile Found found = new Found(List.of(), -1);

    private record Found(Collection<Type> types, int singletons) {}

    MethodTypes(ConfigurableListableBeanFactory beans, MemcachedCacheManager manager) {
        this.beans = beans;
        this.manager = manager;
    }

    Collection<Type> types() {
        Found last = found;
        int singletons = beans.getSingletonCount();
        if (last.singletons != singletons) {
            Map<String, Type> types = new LinkedHashMap<>();
            forEach((operation, method) -> {
                Type type = ValueTypes.of(method.method, method.target);
                if (type != null) {
                    types.putIfAbsent(type.getTypeName(), type);
                }
            });
            last = new Found(List.copyOf(types.values()), singletons);
            found = last;
        }
        return last.types;
    }

    /** Installs this resolver unless the application has its own, and rejects types that cannot be stored. */
    void install() {
        boolean isDefault = false;
        for (CacheAspectSupport aspect : beans.getBeanProvider(CacheAspectSupport.class)) {
            CacheResolver resolver = aspect.getCacheResolver();
            boolean isOurs = resolver == null
                    ? beans.getBeanProvider(CacheManager.class).getIfUnique() == manager
                    : resolver instanceof SimpleCacheResolver simple && simple.getCacheManager() == manager;
            if (isOurs) {
                aspect.setCacheResolver(this);
                isDefault = true;
            }
        }
        boolean isDefaultManager = isDefault;
        forEach((operation, method) -> {
            String named = operation.getCacheManager();
            boolean isOurs = StringUtils.hasText(named)
                    ? beans.containsBean(named) && beans.getBean(named) == manager
                    : isDefaultManager;
            if (isOurs && !StringUtils.hasText(operation.getCacheResolver())) {
                operation.getCacheNames().forEach(name -> check(name, method));
            }
        });
    }

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
            Type type = operation instanceof CacheEvictOperation || !manager.hasTypes(name)
                    ? null
                    : ValueTypes.of(context.getMethod(), context.getTarget().getClass());
            caches.add(type == null ? cache : manager.getCache(name, type));
        }
        return caches;
    }

    private void check(String cache, BeanMethod method) {
        if (!manager.hasTypes(cache)) {
            return;
        }
        Type stored = ValueTypes.stored(method.method, method.target);
        try {
            manager.configurationOf(cache).checkType(stored);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "cache \"" + cache + "\" cannot store the " + stored.getTypeName() + " of "
                            + method.target.getName() + "." + method.method.getName() + ": " + e.getMessage(),
                    e);
        }
    }

    record BeanMethod(Method method, Class<?> target) {}

    /** Passes each cache operation that reads or writes values to {@code action}. Creates no bean. */
    void forEach(BiConsumer<CacheOperation, BeanMethod> action) {
        CacheOperationSource source =
                beans.getBeanProvider(CacheOperationSource.class).getIfAvailable();
        if (source == null) {
            return;
        }
        targets()
                .forEach(target -> MethodIntrospector.selectMethods(
                                target, (MethodIntrospector.MetadataLookup<Collection<CacheOperation>>)
                                        method -> source.getCacheOperations(method, target))
                        .forEach((method, operations) -> operations.stream()
                                .filter(operation -> !(operation instanceof CacheEvictOperation))
                                .forEach(operation -> action.accept(operation, new BeanMethod(method, target)))));
    }

    private Set<Class<?>> targets() {
        return Stream.concat(Arrays.stream(beans.getBeanDefinitionNames()), Arrays.stream(beans.getSingletonNames()))
                .map(this::target)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private @Nullable Class<?> target(String name) {
        if (beans.containsBeanDefinition(name)) {
            BeanDefinition definition = beans.getMergedBeanDefinition(name);
            if (definition.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE) instanceof Class<?> target) {
                return target; // The class behind a proxy.
            }
        }
        Class<?> type = beans.getType(name, false);
        return type == null ? null : ClassUtils.getUserClass(type);
    }
}
