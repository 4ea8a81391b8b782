// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.memshard.Memshard;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
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
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.interceptor.CacheResolver;
import org.springframework.cache.interceptor.SimpleCacheResolver;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Values by the types of cached methods, in each way in which Spring finds a cache. */
class CachedTypesTest {

    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    private final Memshard memshard = Caches.memshard(server.address());
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
        memshard.close();
        server.close();
    }

    record Product(String name, BigDecimal price) {}

    static final Product TEA = new Product("tea", new BigDecimal("9.90"));

    private MemcachedCacheManager manager() {
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
    private <T> T start(Class<T> bean) {
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

    // Each way to a cache.

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

    // Each type that a method can declare.

    record Slice<T>(List<T> content, int number) {}

    /** Has the fields of a product, and would be read from its JSON. */
    record Offer(String name, BigDecimal price) {}

    /** Knows the type of its values by a variable. */
    abstract static class Repository<T> extends Counting {

        @Cacheable(cacheNames = "p", key = "'generic' + #id")
        public @Nullable T find(int id) {
            return load(id);
        }

        abstract @Nullable T load(int id);
    }

    static class Products extends Repository<Product> {

        @Override
        @Nullable
        Product load(int id) {
            return counted(id == 0 ? null : TEA);
        }

        @Cacheable("p")
        public List<Product> list(String key) {
            return counted(List.of(TEA, TEA));
        }

        @Cacheable(cacheNames = "p", sync = true)
        public Slice<Product> slice(String key) {
            return counted(new Slice<>(List.of(TEA), 1));
        }

        @Cacheable("p")
        public Optional<Product> optional(String key) {
            return counted(Optional.of(TEA));
        }

        @Cacheable("p")
        public CompletableFuture<List<Product>> future(String key) {
            return CompletableFuture.completedFuture(counted(List.of(TEA)));
        }

        @Cacheable("p")
        public Mono<Product> mono(String key) {
            return Mono.fromSupplier(() -> counted(TEA));
        }

        @Cacheable("p")
        public Flux<Product> flux(String key) {
            return Flux.defer(() -> Flux.fromIterable(counted(List.of(TEA, TEA))));
        }

        @Cacheable("p")
        public long number(String key) {
            return counted(7L);
        }

        @Cacheable("p")
        public Offer offer(String key) {
            return counted(new Offer("offer", BigDecimal.ONE));
        }

        @Cacheable("p")
        public Product product(String key) {
            return counted(TEA);
        }

        @Cacheable("p")
        public Object anything(String key) {
            return counted(key.equals("1") ? new BigDecimal("1.10") : new StringBuilder());
        }

        @Cacheable("p")
        public Map<String, Object> properties(String key) {
            return counted(new HashMap<>(Map.of("price", new BigDecimal("9.90"), "count", 3L)));
        }

        @Cacheable("unknown")
        public Product ofUnknownCache(String key) {
            return counted(TEA);
        }
    }

    private MemcachedCacheStatistics statistics() {
        return ((MemcachedCache) context.getBean(MemcachedCacheManager.class).getCache("p")).getStatistics();
    }

    @Test
    void eachMethodGetsItsOwnTypeBack() throws Exception {
        Products products = start(Products.class);
        for (int i = 0; i < 2; i++) {
            assertThat(products.find(1)).isEqualTo(TEA);
            assertThat(products.find(0)).isNull();
            assertThat(products.list("list")).containsExactly(TEA, TEA);
            assertThat(products.slice("slice").content().get(0).price()).isEqualTo(TEA.price());
            assertThat(products.optional("optional")).contains(TEA);
            assertThat(products.future("future").get()).containsExactly(TEA);
            assertThat(products.mono("mono").block()).isEqualTo(TEA);
            assertThat(products.flux("flux").collectList().block()).containsExactly(TEA, TEA);
            assertThat(products.number("number")).isEqualTo(7);
            eventually("later values in the cache", () -> statistics().puts() == 9);
        }
        assertThat(products.calls()).hasValue(9);
        assertThat(statistics().hits()).isEqualTo(9);
        assertThat(statistics().lostLookups()).isZero();
    }

    @Test
    void entryOfAnotherTypeIsNeverServed() {
        Products products = start(Products.class);
        assertThat(products.offer("key")).isEqualTo(new Offer("offer", BigDecimal.ONE));
        assertThat(products.product("key")).isEqualTo(TEA);
        assertThat(products.list("key")).containsExactly(TEA, TEA);
        assertThat(products.slice("key").number()).isOne();
        assertThat(products.calls()).hasValue(4);
        assertThat(statistics().lostLookups()).isEqualTo(3);
    }

    @Test
    void methodThatDeclaresNoTypeKeepsTheClass() {
        Products products = start(Products.class);
        for (int i = 0; i < 2; i++) {
            assertThat(products.anything("1")).isEqualTo(new BigDecimal("1.10"));
            assertThat(products.properties("map")).containsEntry("price", new BigDecimal("9.90"));
            assertThat(products.properties("map")).containsEntry("count", 3L);
        }
        assertThat(products.calls()).hasValue(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> products.anything("of a class"))
                .withMessageContaining("StringBuilder")
                .withMessageContaining("allowSerializable");
    }

    /** As after a change of the configuration. */
    @Test
    void transcoderOfAllValuesReadsNoEntryWithAType() {
        Products products = start(Products.class);
        products.list("key");
        MemcachedCache untyped =
                (MemcachedCache) MemcachedCacheManager.create(memshard).getCache("p");
        assertThat(untyped.get("key")).isNull();
        assertThat(untyped.getStatistics().lostLookups()).isOne();
        untyped.put("key", "text");
        assertThat(products.list("key")).containsExactly(TEA, TEA);
    }

    @Test
    void callOfAnUnknownCacheIsRefused() {
        Products products = start(Products.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> products.ofUnknownCache("key"))
                .withMessageContaining("no cache \"unknown\"");
        assertThat(products.calls()).hasValue(0);
    }

    // Run-time classes that are not the declared ones, and come back all the same.

    enum Level {
        LOW {
            @Override
            int rank() {
                return 1;
            }
        };

        abstract int rank();
    }

    record Leveled(Level level, Iterable<String> names) {}

    /** As a data object of Kotlin. */
    static final class Nowhere {

        @Override
        public boolean equals(Object other) {
            return other instanceof Nowhere;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    static class Closed extends Counting {

        @Cacheable("p")
        public Level constant(String key) {
            return counted(Level.LOW);
        }

        @Cacheable("p")
        public Map<Level, Level[]> constants(String key) {
            return counted(Map.of(Level.LOW, new Level[] {Level.LOW}));
        }

        @Cacheable("p")
        public Nowhere object(String key) {
            return counted(new Nowhere());
        }

        @Cacheable("p")
        public Iterable<Product> iterable(String key) {
            return counted(() -> List.of(TEA).iterator());
        }

        @Cacheable("p")
        public Iterable<Product> set(String key) {
            return counted(new LinkedHashSet<>(List.of(TEA)));
        }

        @Cacheable("p")
        public Collection<Level> collection(String key) {
            return counted(Set.of(Level.LOW));
        }
    }

    @Test
    void closedTypesAndIterablesComeBack() {
        Closed closed = start(Closed.class);

        for (int i = 0; i < 2; i++) {
            assertThat(closed.constant("a")).isSameAs(Level.LOW);
            assertThat(closed.constants("b").get(Level.LOW)).containsExactly(Level.LOW);
            assertThat(closed.object("c")).isEqualTo(new Nowhere());
            assertThat(closed.iterable("d")).containsExactly(TEA);
            assertThat(closed.set("e")).containsExactly(TEA);
            assertThat(closed.collection("f")).containsExactly(Level.LOW);
        }
        assertThat(closed.calls()).hasValue(6);
    }

    // What JSON changes or loses, and what no cache can store, is refused at the first put.

    interface Page<T> extends Iterable<T> {}

    /** As a {@code ResponseEntity}: has no creator that Jackson finds. */
    static final class Answer<T> {

        private final T body;

        Answer(T body, int status) {
            this.body = body;
        }

        public T getBody() {
            return body;
        }
    }

    record Secret(String name, @JsonIgnore String secret) {}

    record Minutes(@JsonFormat(pattern = "yyyy-MM-dd HH:mm") LocalDateTime time) {}

    static class Entity {

        public int id = 1;

        @JsonIgnore
        public String owner;

        @Override
        public boolean equals(Object other) {
            return other instanceof Entity entity && entity.id == id;
        }

        @Override
        public int hashCode() {
            return id;
        }
    }

    static class Base {

        public int width = 1;
    }

    static class Sub extends Base {

        public int height = 2;
    }

    record Holder<T>(T content) {}

    static class Lossy {

        @Cacheable("p")
        public Secret secret(String key) {
            return new Secret("a", "b");
        }

        @Cacheable("p")
        public Minutes minutes(String key) {
            return new Minutes(LocalDateTime.of(2026, 11, 28, 12, 0, 30));
        }

        @Cacheable("p")
        public Entity entity(String key) {
            Entity entity = new Entity();
            entity.owner = "ann";
            return entity;
        }

        @Cacheable("p")
        public List<Base> bases(String key) {
            return key.isEmpty() ? List.of() : List.of(new Sub());
        }

        @Cacheable("p")
        public Base base(String key) {
            return new Sub();
        }

        @Cacheable("p")
        public Page<String> page(String key) {
            return () -> List.of(key).iterator();
        }

        @Cacheable(cacheNames = "p", sync = true)
        public Map<String, Holder<Answer<String>>> nested(String key) {
            return Map.of("a", new Holder<>(new Answer<>("b", 1)));
        }
    }

    static List<Function<Lossy, Object>> lossy() {
        return List.of(
                lossy -> lossy.secret("a"),
                lossy -> lossy.minutes("c"),
                lossy -> lossy.entity("d"),
                lossy -> {
                    assertThat(lossy.bases("")).isEmpty();
                    return lossy.bases("e");
                },
                lossy -> lossy.base("f"),
                lossy -> lossy.page("g"),
                lossy -> lossy.nested("h"));
    }

    @ParameterizedTest
    @MethodSource("lossy")
    void whatComesBackChangedIsRefusedAtThePut(Function<Lossy, Object> call) {
        Lossy lossy = start(Lossy.class);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> call.apply(lossy))
                    .satisfiesAnyOf(
                            thrown -> assertThat(thrown).isInstanceOf(IllegalArgumentException.class),
                            thrown -> assertThat(thrown).hasCauseInstanceOf(IllegalArgumentException.class))
                    .hasStackTraceContaining("store");
        }
    }

    @Test
    void transcoderOfAllValuesIsReadBackToo() {
        Cache cache = Caches.books(
                memshard,
                MemcachedCacheConfiguration.defaultCacheConfig()
                        .serializeValuesWith(Jackson3Transcoder.of(Object.class)));

        cache.put("key", Map.of("a", 1));
        assertThat(cache.get("key").get()).isEqualTo(Map.of("a", 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cache.put("key", TEA))
                .withMessageContaining("it is lost or changes");
        assertThatIllegalArgumentException().isThrownBy(() -> cache.put("key", 1L));
    }
}
