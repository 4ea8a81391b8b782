// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.cache.MemcachedCache;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.spring.cache.MemcachedCacheStatistics;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The code of the pages of docs that use Spring, so that the compiler reads it. */
@SuppressWarnings("unused")
final class SpringExamples {

    private SpringExamples() {}

    static class Beans {

        @Bean
        MemcachedConnectionFactory memcachedConnectionFactory() {
            return MemcachedConnectionFactory.builder()
                    .servers("127.0.0.1:11211")
                    .build();
        }

        @Bean
        MemcachedTemplate<String> memcachedTemplate(MemcachedConnectionFactory factory) {
            return new MemcachedTemplate<>(factory, Transcoder.utf8());
        }
    }

    record Book(long id, String title) implements Serializable {}

    interface Repository {
        Book find(long id);
    }

    @Configuration
    @EnableCaching
    class Caching {

        @Bean
        Memshard memshard() {
            return Memshard.builder().servers("127.0.0.1:11211").build();
        }

        @Bean
        MemcachedCacheManager cacheManager(Memshard memshard) {
            return MemcachedCacheManager.builder(memshard)
                    .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                            .entryTtl(Duration.ofMinutes(10))
                            .allowSerializable("com.example.shop.*"))
                    .build();
        }
    }

    static class Types {

        @Bean
        MemcachedCacheManager typedCaches(Memshard memshard) {
            return MemcachedCacheManager.builder(memshard)
                    .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                            .serializeValuesByType(type -> Jackson3Transcoder.of(type)))
                    .build();
        }
    }

    static class Books {

        private final Repository repository;

        Books(Repository repository) {
            this.repository = repository;
        }

        @Cacheable(cacheNames = "books", sync = true)
        public Book book(long id) {
            return repository.find(id);
        }

        @CacheEvict("books")
        public void changed(long id) {}
    }

    /** Of docs/clients.md. */
    abstract static class Reactive {

        private final AsyncMemcachedClient<String> cache;

        Reactive(AsyncMemcachedClient<String> cache) {
            this.cache = cache;
        }

        Mono<String> greeting(String name) {
            return Mono.fromFuture(() -> cache.get("greeting:" + name));
        }

        Mono<String> page(String key) {
            return Mono.fromFuture(() -> cache.getOrLoad(
                    key, Duration.ofMinutes(5), missing -> render(missing).toFuture()));
        }

        Flux<String> pages(List<String> keys) {
            return Mono.fromFuture(() -> cache.multiGet(keys))
                    .flatMapIterable(result -> result.hits().values());
        }

        Mono<Integer> lines(String key) {
            return page(key).publishOn(Schedulers.boundedElastic()).map(page -> countLinesSlowly(page));
        }

        abstract Mono<String> render(String key);

        abstract int countLinesSlowly(String page);
    }

    private static void template(MemcachedTemplate<String> template) {
        MemcachedCacheManager overTheTemplate =
                MemcachedCacheManager.builder(template).build();
        overTheTemplate.getCache("books");
    }

    private static void json(Memshard memshard) {
        MemcachedCacheManager manager = MemcachedCacheManager.builder(memshard)
                .withCacheConfiguration(
                        "books",
                        MemcachedCacheConfiguration.defaultCacheConfig()
                                .serializeValuesWith(Jackson3Transcoder.of(Book.class))
                                .entryTtl((key, value) -> value == null ? Duration.ofMinutes(1) : Duration.ofHours(1)))
                .build();
    }

    private static void statistics(MemcachedCacheManager manager) {
        MemcachedCache cache = (MemcachedCache) manager.getCache("books");
        MemcachedCacheStatistics statistics = cache.getStatistics();
        System.out.println(statistics.hits() + " hits, " + statistics.lostLookups() + " lost to failures");
    }
}
