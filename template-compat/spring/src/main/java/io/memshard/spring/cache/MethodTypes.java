// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
import org.springframework.util.ReflectionUtils.MethodFilter;

/** Cache resolver that gives each cached method a cache for the type that the method declares; thread-safe. */
final class MethodTypes implements CacheResolver {

    private final ConfigurableListableBeanFactory beans;
    private final MemcachedCacheManager manager;

    /** Result of the last search for types, valid until the number of singleton beans changes. */
    private volatile Found found = new Found(List.of(), -1);

    private final Map<Use, Cache> resolved = new ConcurrentHashMap<>();

    private record Use(String cache, Method method, Class<?> target, boolean isEviction) {}

    private record Found(Collection<Type> types, int singletons) {}

    MethodTypes(ConfigurableListableBeanFactory beans, MemcachedCacheManager manager) {
        this.beans = beans;
        this.manager = manager;
    }

    Collection<Type> types() {
        Found last = found;
        int singletons = beans.getSingletonCount();
        if (last.singletons != singletons) {
            last = new Found(declared(), singletons);
            found = last;
        }
        return last.types;
    }

    void install() {
        for (CacheAspectSupport aspect : beans.getBeanProvider(CacheAspectSupport.class)) {
            CacheResolver resolver = aspect.getCacheResolver();
            boolean isOurs = resolver == null
                    ? beans.getBeanProvider(CacheManager.class).getIfUnique() == manager
                    : resolver instanceof SimpleCacheResolver simple && simple.getCacheManager() == manager;
            if (isOurs) {
                aspect.setCacheResolver(this);
            }
        }
    }

    @Override
    public Collection<? extends Cache> resolveCaches(CacheOperationInvocationContext<?> context) {
        BasicOperation operation = context.getOperation();
        Class<?> target = context.getTarget().getClass();
        return operation.getCacheNames().stream()
                .map(name -> resolved.computeIfAbsent(
                        new Use(name, context.getMethod(), target, operation instanceof CacheEvictOperation),
                        this::cache))
                .toList();
    }

    private Cache cache(Use use) {
        Cache cache = manager.getCache(use.cache, use.isEviction ? null : ValueTypes.of(use.method, use.target));
        if (cache == null) {
            throw new IllegalArgumentException("no cache \"" + use.cache + "\" exists for " + use.method
                    + ": add the name to the initial caches, or do not call disableCreateOnMissingCache()");
        }
        return cache;
    }

    /** Returns the types that cached methods declare. Ignores methods that only evict, and creates no bean. */
    private Collection<Type> declared() {
        CacheOperationSource source =
                beans.getBeanProvider(CacheOperationSource.class).getIfAvailable();
        if (source == null) {
            return List.of();
        }
        Map<String, Type> types = new LinkedHashMap<>();
        for (Class<?> target : targets()) {
            MethodFilter hasValues = method -> hasValues(source, method, target);
            for (Method method : MethodIntrospector.selectMethods(target, hasValues)) {
                Type type = ValueTypes.of(method, target);
                if (type != null) {
                    types.putIfAbsent(type.getTypeName(), type);
                }
            }
        }
        return List.copyOf(types.values());
    }

    private static boolean hasValues(CacheOperationSource source, Method method, Class<?> target) {
        Collection<CacheOperation> operations = source.getCacheOperations(method, target);
        return operations != null
                && operations.stream().anyMatch(operation -> !(operation instanceof CacheEvictOperation));
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
                return target;
            }
        }
        Class<?> type = beans.getType(name, false);
        return type == null ? null : ClassUtils.getUserClass(type);
    }
}
