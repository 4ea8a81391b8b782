// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.memshard.Memshard;
import io.memshard.spring.boot.MemcachedAutoConfiguration;
import io.memshard.spring.boot.MemcachedPropertyException;
import io.memshard.spring.boot.SharedServer;
import io.memshard.spring.boot.metrics.MemcachedMetricsAutoConfiguration;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.cache.autoconfigure.metrics.CacheMetricsAutoConfiguration;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Conditions for a cache manager of memcached, and {@code @Cacheable} with it. */
class MemcachedCacheTest {

    private static final ApplicationContextRunner RUNNER = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class,
                    MemcachedAutoConfiguration.class,
                    MemcachedCacheAutoConfiguration.class,
                    MemcachedMetricsAutoConfiguration.class,
                    CacheAutoConfiguration.class,
                    CacheMetricsAutoConfiguration.class))
            .withPropertyValues(
                    "memcached.servers=" + SharedServer.ADDRESS,
                    "memcached.request-timeout=30s",
                    "memcached.connect-timeout=30s");

    /** Value that the catalogue stores. */
    public record Book(String title, int pages) {}

    /** Catalogue that counts its calls. */
    public static class Catalogue {

        private final AtomicInteger loads = new AtomicInteger();

        /** Returns the number of calls. */
        public int loads() {
            return loads.get();
        }

        /** A book. */
        @Cacheable("books")
        public Book book(String isbn) {
            loads.incrementAndGet();
            return new Book("Title of " + isbn, 300);
        }

        /** Forgets it. */
        @CacheEvict("books")
        public void forget(String isbn) {}

        /** Books of a shelf. */
        @Cacheable("shelves")
        public List<Book> shelf(String name) {
            loads.incrementAndGet();
            return List.of(new Book(name, 1), new Book(name, 2));
        }

        /** Book of a shelf. */
        @Cacheable(cacheNames = "shelves", sync = true)
        public Optional<Book> first(String name) {
            loads.incrementAndGet();
            return Optional.of(new Book(name, 1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {

        @Bean
        Catalogue catalogue() {
            return new Catalogue();
        }
    }

    @Test
    void cacheableStoresRecordsAsJsonAndIsCounted() {
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues(
                        "memcached.cache.caches.books.serializer.json-type=" + Book.class.getName(),
                        "memcached.cache.caches.books.time-to-live=5m")
                .run(context -> {
                    Catalogue catalogue = context.getBean(Catalogue.class);
                    Book book = catalogue.book("cacheable");

                    assertThat(catalogue.book("cacheable")).isEqualTo(book);
                    assertThat(catalogue.loads()).isEqualTo(1);
                    catalogue.forget("cacheable");
                    catalogue.book("cacheable");
                    assertThat(catalogue.loads()).isEqualTo(2);
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    FunctionCounter hits = meters.get("cache.gets")
                            .tags("cache", "books", "result", "hit")
                            .functionCounter();
                    assertThat(hits.count()).isEqualTo(1);
                    assertThat(labels(hits)).containsAll(labelsOfCachesInTheDashboard());
                    assertThat(meters.get("cache.removals").functionCounter().count())
                            .isEqualTo(1);
                    for (String lost : List.of("cache.lost.lookups", "cache.lost.writes")) {
                        assertThat(meters.get(lost)
                                        .tag("cache", "books")
                                        .functionCounter()
                                        .count())
                                .isZero();
                    }
                });
    }

    /** Setting of a mapper for web pages. */
    abstract static class Hiding {

        @JsonIgnore
        abstract int pages();
    }

    @Test
    void cachesHaveAnotherMapperThanWebPages() {
        RUNNER.withUserConfiguration(Caching.class)
                .withBean(
                        JsonMapper.class,
                        () -> JsonMapper.builder()
                                .addMixIn(Book.class, Hiding.class)
                                .build())
                .run(context -> {
                    Catalogue catalogue = context.getBean(Catalogue.class);
                    Book book = catalogue.book("mapper");

                    assertThat(catalogue.book("mapper")).isEqualTo(book);
                    assertThat(catalogue.loads()).isOne();
                });
    }

    /** As Prometheus names them, with those that it adds. */
    private static Set<String> labels(Meter meter) {
        return Stream.concat(
                        Stream.of("job", "instance"),
                        meter.getId().getTags().stream().map(tag -> tag.getKey().replace('.', '_')))
                .collect(Collectors.toSet());
    }

    private static Set<String> labelsOfCachesInTheDashboard() {
        String dashboard;
        try {
            dashboard = Files.readString(Path.of("../../docs/grafana/memshard.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Set<String> labels = Pattern.compile("cache_gets_total\\{([^}]*)}")
                .matcher(dashboard)
                .results()
                .flatMap(query ->
                        Pattern.compile("(\\w+)=").matcher(query.group(1)).results())
                .map(label -> label.group(1))
                .collect(Collectors.toSet());
        assertThat(labels).contains("result");
        return labels;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "memcached.cache.time-to-live=5m",
                "memcached.cache.serializer.type=json",
                "memcached.cache.compression.type=gzip",
                "memcached.cache.caches.shelves.serializer.type=json",
                "memcached.cache.transaction-aware=true"
            })
    void methodsSayTheTypesOfTheirValues(String property) {
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues("memcached.cache.key-prefix=" + property + ":", property)
                .run(context -> {
                    Catalogue shelves = context.getBean(Catalogue.class);
                    for (int i = 0; i < 2; i++) {
                        assertThat(shelves.shelf("all")).containsExactly(new Book("all", 1), new Book("all", 2));
                        assertThat(shelves.first("one")).contains(new Book("one", 1));
                    }
                    assertThat(shelves.loads()).isEqualTo(2);
                });
    }

    @Test
    void aGenericTypeCanBeNamed() {
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues(
                        "memcached.cache.caches.shelves.serializer.json-type=java.util.List<" + Book.class.getName()
                                + ">",
                        "memcached.cache.key-prefix=generic:")
                .run(context -> {
                    Catalogue shelves = context.getBean(Catalogue.class);
                    for (int i = 0; i < 2; i++) {
                        assertThat(shelves.shelf("all")).containsExactly(new Book("all", 1), new Book("all", 2));
                    }
                    assertThat(shelves.loads()).isEqualTo(1);
                });
    }

    @Test
    void aNameOfNoTypeIsRefused() {
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues(
                        "memcached.cache.caches.shelves.serializer.json-type=java.util.List<com.example.No>")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOfAny(ClassNotFoundException.class, IllegalArgumentException.class));
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues("memcached.cache.serializer.json-type=com.example.No")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("memcached.cache.serializer.json-type is \"com.example.No\"")
                        .hasMessageContaining("java.util.List<com.example.Book>"));
    }

    @Test
    void anotherCacheManagerIsUsedIfDefinedOrSelected() {
        RUNNER.run(context -> assertThat(context).doesNotHaveBean(CacheManager.class));
        ApplicationContextRunner caching = RUNNER.withUserConfiguration(Caching.class);

        caching.run(context -> assertThat(context).hasSingleBean(MemcachedCacheManager.class));
        caching.withPropertyValues("spring.cache.type=simple")
                .run(context ->
                        assertThat(context.getBean(CacheManager.class)).isInstanceOf(ConcurrentMapCacheManager.class));
        caching.withBean(ConcurrentMapCacheManager.class)
                .run(context -> assertThat(context).doesNotHaveBean(MemcachedCacheManager.class));
        caching.withPropertyValues("memcached.servers=a:1@x,b:1@y", "memcached.zones.own=x")
                .run(context -> assertThat(context).hasSingleBean(MemcachedCacheManager.class));
        caching.withUserConfiguration(TwoClients.class)
                .run(context -> assertThat(context).doesNotHaveBean(MemcachedCacheManager.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoClients {

        @Bean
        Memshard first() {
            return Memshard.builder().servers("a:1").build();
        }

        @Bean
        Memshard second() {
            return Memshard.builder().servers("b:1").build();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memcached.cache.time-to-live", "memcached.cache.caches.books.time-to-live"})
    void aTimeToLiveOfZeroIsRefused(String property) {
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues(property + "=0s")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(MemcachedPropertyException.class)
                        .hasMessageContaining(property + " is PT0S, but must be more than zero"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "memcached.cache.time-to-liv",
                "memcached.cache.caches.books.time-to-liv",
                "memcached.cache.caches.books.serializer.typ",
                "memcached.cache.caches[all.books].ttl",
                "memcached.cache.caches.all.books.time-to-live"
            })
    void aWrongPropertyIsRefused(String wrong) {
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues(wrong + "=1h")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(UnboundConfigurationPropertiesException.class)
                        .rootCause()
                        .hasMessageContaining(wrong));
    }

    @Test
    void customizersAndAConfigurationOfTheApplicationAreApplied() {
        RUNNER.withUserConfiguration(Caching.class)
                .withPropertyValues("spring.cache.cache-names=spring")
                .withBean(
                        MemcachedCacheConfiguration.class,
                        () -> MemcachedCacheConfiguration.defaultCacheConfig().disableCachingNullValues())
                .withBean(
                        MemcachedCacheManagerCustomizer.class,
                        () -> builder -> builder.withCacheConfiguration("mine", builder.cacheDefaults()))
                .run(context -> {
                    MemcachedCacheManager manager = context.getBean(MemcachedCacheManager.class);
                    assertThat(manager.getCacheNames()).containsExactlyInAnyOrder("spring", "mine");
                    assertThat(manager.getCacheConfigurations().get("mine").cachesNullValues())
                            .isFalse();
                });
    }
}
