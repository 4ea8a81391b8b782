// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.Memshard;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Caches whose values have the types that the cached methods declare, as JSON. */
@MemcachedTest
@Timeout(60)
class TypedValuesIT {

    /** A price that a class without types would read as a {@code Double}. */
    record Product(String name, BigDecimal price) {}

    record Page<T>(List<T> content, int number) {}

    /** Has the fields of a product, and would be read from its JSON. */
    record Offer(String name, BigDecimal price) {}

    private static final Product TEA = new Product("tea", new BigDecimal("9.90"));

    /** Knows the type of its values by a variable. */
    abstract static class Repository<T> {

        @Cacheable(cacheNames = "values", key = "'generic' + #id")
        public @Nullable T find(int id) {
            return load(id);
        }

        abstract @Nullable T load(int id);
    }

    static class Products extends Repository<Product> {

        private final AtomicInteger calls = new AtomicInteger();

        private <T> T counted(T value) {
            calls.incrementAndGet();
            return value;
        }

        int calls() {
            return calls.get();
        }

        @Override
        @Nullable
        Product load(int id) {
            return counted(id == 0 ? null : TEA);
        }

        @Cacheable("values")
        public List<Product> list(String key) {
            return counted(List.of(TEA, TEA));
        }

        @Cacheable(cacheNames = "values", sync = true)
        public Page<Product> page(String key) {
            return counted(new Page<>(List.of(TEA), 1));
        }

        @Cacheable("values")
        public Optional<Product> optional(String key) {
            return counted(Optional.of(TEA));
        }

        @Cacheable("values")
        public CompletableFuture<List<Product>> future(String key) {
            return CompletableFuture.completedFuture(counted(List.of(TEA)));
        }

        @Cacheable("values")
        public Mono<Product> mono(String key) {
            return Mono.fromSupplier(() -> counted(TEA));
        }

        @Cacheable("values")
        public Flux<Product> flux(String key) {
            return Flux.defer(() -> Flux.fromIterable(counted(List.of(TEA, TEA))));
        }

        @Cacheable("values")
        public long number(String key) {
            return counted(7L);
        }

        @Cacheable("values")
        public Offer offer(String key) {
            return counted(new Offer("offer", BigDecimal.ONE));
        }

        @Cacheable("values")
        public Product product(String key) {
            return counted(TEA);
        }

        @Cacheable("values")
        public Object anything(String key) {
            return counted(key.equals("1") ? new BigDecimal("1.10") : new StringBuilder());
        }

        @Cacheable("values")
        public Map<String, Object> properties(String key) {
            return counted(new HashMap<>(Map.of("price", new BigDecimal("9.90"), "count", 3L)));
        }

        @Cacheable("unknown")
        public Product ofUnknownCache(String key) {
            return counted(TEA);
        }

        @Cacheable("disabled")
        public Product disabled(String key) {
            return counted(TEA);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {

        @Bean
        Memshard memshard(MemcachedServer server) {
            return Caches.memshard(server.address());
        }

        @Bean
        MemcachedCacheManager cacheManager(Memshard memshard) {
            JsonMapper mapper = JsonMapper.builder().build();
            return MemcachedCacheManager.builder(memshard)
                    .cacheDefaults(MemcachedCacheConfiguration.defaultCacheConfig()
                            .entryTtl(Duration.ofMinutes(5))
                            .serializeValuesByType(type -> Jackson3Transcoder.of(mapper, type)))
                    .initialCacheNames(Set.of("values", "disabled"))
                    .disableCaches(Set.of("disabled"))
                    .disableCreateOnMissingCache()
                    .enableStatistics()
                    .build();
        }

        @Bean
        Products products() {
            return new Products();
        }
    }

    private AnnotationConfigApplicationContext context;
    private Products products;
    private MemcachedCache cache;

    @BeforeEach
    void start(MemcachedServer server) {
        context = new AnnotationConfigApplicationContext();
        context.getBeanFactory().registerSingleton("server", server);
        context.register(Caching.class);
        context.refresh();
        products = context.getBean(Products.class);
        cache = (MemcachedCache) context.getBean(MemcachedCacheManager.class).getCache("values");
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void eachMethodGetsItsOwnTypeBack() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(products.find(1)).isEqualTo(TEA);
            assertThat(products.find(0)).isNull();
            assertThat(products.list("list")).containsExactly(TEA, TEA);
            assertThat(products.page("page").content().get(0).price()).isEqualTo(TEA.price());
            assertThat(products.optional("optional")).contains(TEA);
            assertThat(products.future("future").get()).containsExactly(TEA);
            assertThat(products.mono("mono").block()).isEqualTo(TEA);
            assertThat(products.flux("flux").collectList().block()).containsExactly(TEA, TEA);
            assertThat(products.number("number")).isEqualTo(7);
            eventually("later values in the cache", () -> cache.getStatistics().puts() == 9);
        }
        assertThat(products.calls()).isEqualTo(9);
        assertThat(cache.getStatistics().hits()).isEqualTo(9);
        assertThat(cache.getStatistics().lostLookups()).isZero();
    }

    @Test
    void entryOfAnotherTypeIsNeverServed() {
        assertThat(products.offer("key")).isEqualTo(new Offer("offer", BigDecimal.ONE));
        assertThat(products.product("key")).isEqualTo(TEA);
        assertThat(products.list("key")).containsExactly(TEA, TEA);
        assertThat(products.page("key").number()).isOne();
        assertThat(products.calls()).isEqualTo(4);
        assertThat(cache.getStatistics().lostLookups()).isEqualTo(3);
    }

    @Test
    void methodThatDeclaresNoTypeKeepsTheClass() {
        for (int i = 0; i < 2; i++) {
            assertThat(products.anything("1")).isEqualTo(new BigDecimal("1.10"));
            assertThat(products.properties("map")).containsEntry("price", new BigDecimal("9.90"));
            assertThat(products.properties("map")).containsEntry("count", 3L);
        }
        assertThat(products.calls()).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> products.anything("of a class"))
                .withMessageContaining("StringBuilder")
                .withMessageContaining("allowSerializable");
    }

    /** As after a change of the configuration. */
    @Test
    void transcoderOfAllValuesReadsNoEntryWithAType(MemcachedServer server) {
        products.list("key");
        try (Memshard other = new Caching().memshard(server)) {
            MemcachedCache untyped =
                    (MemcachedCache) MemcachedCacheManager.create(other).getCache("values");
            assertThat(untyped.get("key")).isNull();
            assertThat(untyped.getStatistics().lostLookups()).isOne();
            untyped.put("key", "text");
        }
        assertThat(products.list("key")).containsExactly(TEA, TEA);
    }

    @Test
    void unknownAndDisabledCachesAreWhatTheyAreWithoutTypes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> products.ofUnknownCache("key"))
                .withMessageContaining("no cache \"unknown\"");
        products.disabled("key");
        products.disabled("key");
        assertThat(products.calls()).isEqualTo(2);
    }
}
