// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.Memshard;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.math.BigDecimal;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.cache.interceptor.SimpleCacheResolver;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Application whose caches have typed values, in an embedded server. */
abstract class CachingFixture {

    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    final Memshard memshard = Caches.memshard(server.address());
    final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
        memshard.close();
        server.close();
    }

    record Product(String name, BigDecimal price) {}

    static final Product TEA = new Product("tea", new BigDecimal("9.90"));

    final MemcachedCacheManager manager() {
        JsonMapper web = JsonMapper.builder().build();
        return MemcachedCacheManager.builder(memshard)
                .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                        .serializeValuesByType(type -> Jackson3Transcoder.of(web, type)))
                .initialCacheNames(Set.of("p", "q", "tenant-1"))
                .disableCreateOnMissingCache()
                .build();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {

        @Bean
        CacheResolver mine(CacheManager cacheManager) {
            return new SimpleCacheResolver(cacheManager);
        }
    }

    /** Starts the application with a bean of this class and returns the bean. */
    final <T> T start(Class<T> bean) {
        context.registerBean("cacheManager", MemcachedCacheManager.class, this::manager);
        context.register(Caching.class);
        context.register(bean);
        context.refresh();
        return context.getBean(bean);
    }

    /** Counts the calls of cached methods. */
    abstract static class Counting {

        private final AtomicInteger calls = new AtomicInteger();

        AtomicInteger calls() {
            return calls;
        }

        <T> T counted(T value) {
            calls.incrementAndGet();
            return value;
        }
    }
}
