// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.memshard.client.json.Jackson3Transcoder;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.Cache;
import org.springframework.cache.annotation.Cacheable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Values by each type that a cached method can declare. */
class CachedTypesTest extends CachingFixture {

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
    void closedTypesAndIterablesAreReadBack() {
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
    void valueThatJsonChangesIsRefusedAtThePut(Function<Lossy, Object> call) {
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
