// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.context.annotation.Bean;

/** Types of values in each way in which Spring finds a cache. */
class CacheWaysTest extends CachingFixture {

    static class Shop extends Counting {

        @Cacheable("p")
        public Product product(String key) {
            return counted(TEA);
        }

        @Cacheable("p")
        public List<Product> products(String key) {
            return counted(List.of(TEA));
        }

        @Cacheable(cacheNames = "p", cacheManager = "cacheManager")
        public Product byManager(String key) {
            return counted(TEA);
        }

        @Cacheable(cacheNames = "p", cacheManager = "cacheManager", sync = true)
        public Set<Product> byManagerInSync(String key) {
            return counted(Set.of(TEA));
        }

        @Cacheable(cacheNames = "p", cacheResolver = "mine")
        public Map<String, Product> byResolver(String key) {
            return counted(Map.of("a", TEA));
        }
    }

    /** As tracing libraries do. */
    static class Wrapping {

        @Bean
        static BeanPostProcessor wrapper() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof CacheManager manager ? new Wrapper(manager) : bean;
                }
            };
        }

        record Wrapper(CacheManager manager) implements CacheManager {

            @Override
            public Cache getCache(String name) {
                return manager.getCache(name);
            }

            @Override
            public Collection<String> getCacheNames() {
                return manager.getCacheNames();
            }
        }
    }

    record Configurer(
            @Nullable CacheManager cacheManager, @Nullable CacheResolver cacheResolver) implements CachingConfigurer {}

    static class OwnDefault {

        @Bean
        CachingConfigurer configurer(CacheManager cacheManager) {
            return new Configurer(null, call -> List.of(cacheManager.getCache("tenant-1")));
        }
    }

    static class ManagerOfConfigurer {

        @Bean
        CachingConfigurer configurer(CacheManager cacheManager) {
            return new Configurer(cacheManager, null);
        }
    }

    static class Early {

        @Bean
        static SmartInitializingSingleton warmUp(Shop shop) {
            return () -> {
                shop.product("early");
                shop.byManager("early by manager");
            };
        }
    }

    static List<List<Class<?>>> ways() {
        return List.of(
                List.of(),
                List.of(Wrapping.class),
                List.of(OwnDefault.class),
                List.of(ManagerOfConfigurer.class),
                List.of(Early.class),
                List.of(Early.class, Wrapping.class));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void everyWayToACacheHasTheTypes(List<Class<?>> configurations) {
        configurations.forEach(context::register);
        Shop shop = start(Shop.class);
        shop.calls().set(0);

        for (int i = 0; i < 2; i++) {
            assertThat(shop.product("one")).isEqualTo(TEA);
            assertThat(shop.products("list")).containsExactly(TEA);
            assertThat(shop.byManager("by manager")).isEqualTo(TEA);
            assertThat(shop.byManagerInSync("in sync")).containsExactly(TEA);
            assertThat(shop.byResolver("by resolver")).containsEntry("a", TEA);
        }
        assertThat(shop.calls()).hasValue(5);
    }

    @Test
    void directCallsReadAndWriteTheSameTypes() {
        Shop shop = start(Shop.class);
        Cache cache = context.getBean(MemcachedCacheManager.class).getCache("p");
        shop.product("read");

        assertThat(cache.get("read", Product.class)).isEqualTo(TEA);
        assertThat(cache.get("read").get()).isEqualTo(TEA);
        cache.put("put", TEA);
        cache.putIfAbsent("absent", List.of(TEA));
        assertThat(cache.<Product>get("loaded", () -> TEA)).isEqualTo(TEA);
        shop.calls().set(0);
        assertThat(shop.product("put")).isEqualTo(TEA);
        assertThat(shop.products("absent")).containsExactly(TEA);
        assertThat(shop.product("loaded")).isEqualTo(TEA);
        assertThat(shop.calls()).hasValue(0);
        assertThatIllegalArgumentException().isThrownBy(() -> cache.put("other", new Thread()));
    }

    @Test
    void typeOfADirectCallNeedsNoMethod() {
        start(Shop.class).product("key");
        Cache cache = manager().getCache("p"); // As in a process without the method.

        assertThat(cache.get("key")).isNull();
        assertThat(cache.get("key", Product.class)).isEqualTo(TEA);
    }

    static class OfSecond extends Counting {

        @Cacheable(cacheNames = "q", cacheManager = "second")
        public Product product(String key) {
            return counted(TEA);
        }

        @CachePut(cacheNames = "q", cacheManager = "second")
        public Product change(String key) {
            return counted(new Product("changed", BigDecimal.ONE));
        }
    }

    @Test
    void severalManagersHaveTheTypes() {
        context.registerBean("second", MemcachedCacheManager.class, this::manager);
        ((AbstractBeanDefinition) context.getBeanDefinition("second")).setDefaultCandidate(false);
        context.register(OfSecond.class);
        Shop shop = start(Shop.class);
        OfSecond second = context.getBean(OfSecond.class);

        for (int i = 0; i < 2; i++) {
            assertThat(second.product("key")).isEqualTo(TEA);
            assertThat(shop.product("key")).isEqualTo(TEA);
        }
        second.change("key");
        assertThat(second.product("key").name()).isEqualTo("changed");
        assertThat(second.calls()).hasValue(2);
        assertThat(shop.calls()).hasValue(1);
    }
}
