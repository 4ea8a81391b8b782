// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.cache.MemcachedCacheManager;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.util.LambdaSafe;
import org.springframework.cache.CacheManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Caller of the application's {@code CacheManagerCustomizer} beans, which Spring Boot offers for any cache manager.
 *
 * <p>The interface moved to another package in Spring Boot 4.0. No class path has both versions, so the interface is
 * called by reflection.
 */
final class ManagerCustomizers implements RuntimeHintsRegistrar {

    private static final List<String> INTERFACES = List.of(
            "org.springframework.boot.cache.autoconfigure.CacheManagerCustomizer",
            "org.springframework.boot.autoconfigure.cache.CacheManagerCustomizer"); // Spring Boot 3.5

    /** Applies the beans whose type argument fits the manager, in their order. */
    static MemcachedCacheManager customize(ListableBeanFactory beans, MemcachedCacheManager manager) {
        for (String name : INTERFACES) {
            if (ClassUtils.isPresent(name, null)) {
                customize(ClassUtils.resolveClassName(name, null), beans, manager);
            }
        }
        return manager;
    }

    private static <C> void customize(Class<C> type, ListableBeanFactory beans, MemcachedCacheManager manager) {
        Method customize = Objects.requireNonNull(ReflectionUtils.findMethod(type, "customize", CacheManager.class));
        List<C> customizers = beans.getBeanProvider(type).orderedStream().toList();
        LambdaSafe.callbacks(type, customizers, manager)
                .invoke(customizer -> ReflectionUtils.invokeMethod(customize, customizer, manager));
    }

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (String name : INTERFACES) {
            hints.reflection().registerTypeIfPresent(classLoader, name, MemberCategory.INVOKE_DECLARED_METHODS);
        }
    }
}
