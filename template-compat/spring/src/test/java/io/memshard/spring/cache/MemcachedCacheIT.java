// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.Memshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Contract of Spring's caches, and Memshard's additions: null values, loading, removal of all entries, keys. */
@MemcachedTest
@Timeout(60)
class MemcachedCacheIT {

    private static final MemcachedCacheConfiguration DEFAULTS = MemcachedCacheConfiguration.defaultCacheConfig();

    private final Memshard memshard;
    private final Memshard other;
    private final MemcachedCache cache;

    MemcachedCacheIT(MemcachedServer server) {
        memshard = Caches.memshard(server.address());
        other = Caches.memshard(server.address());
        cache = Caches.books(memshard);
    }

    @AfterEach
    void close() {
        memshard.close();
        other.close();
    }

    private static Object valueOf(Cache.ValueWrapper wrapper) {
        assertThat(wrapper).isNotNull();
        return wrapper.get();
    }

    @Test
    void anEntryThatWasPutIsFound() {
        assertThat(cache.getName()).isEqualTo("books");
        assertThat(cache.getNativeCache()).isSameAs(cache);
        assertThat(cache.get("key")).isNull();
        assertThat(cache.get("key", String.class)).isNull();

        cache.put("key", "value");

        assertThat(valueOf(cache.get("key"))).isEqualTo("value");
        assertThat(cache.get("key", String.class)).isEqualTo("value");
        assertThat(cache.get("key", Object.class)).isEqualTo("value");
        assertThat(cache.get("key", (Class<?>) null)).isEqualTo("value");
        assertThatIllegalStateException().isThrownBy(() -> cache.get("key", Integer.class));
    }

    @Test
    void nullIsAValue() throws Exception {
        cache.put("key", null);

        assertThat(valueOf(cache.get("key"))).isNull();
        assertThat(cache.get("key", String.class)).isNull();
        assertThat(cache.<Object>get("key", () -> "loaded")).isNull();
        assertThat(valueOf((Cache.ValueWrapper) cache.retrieve("key").get())).isNull();
        assertThat(cache.retrieve("key", () -> CompletableFuture.completedFuture("loaded"))
                        .get())
                .isNull();
        assertThat(valueOf(cache.putIfAbsent("key", "value"))).isNull();
        assertThat(cache.<Object>get("other", () -> null)).isNull();
        assertThat(valueOf(cache.get("other"))).isNull();
    }

    /** Java serialization has a limit of 10,000 references. */
    @Test
    void aValueThatIsTooLargeIsALostWrite() throws Exception {
        List<String> large = new ArrayList<>(Collections.nCopies(20_000, "a"));

        assertThat(cache.<Object>get("loaded", () -> large)).isEqualTo(large);
        assertThat(cache.retrieve("retrieved", () -> CompletableFuture.completedFuture(large))
                        .get())
                .isEqualTo(large);
        cache.put("put", "old");
        cache.put("put", large);
        assertThat(cache.putIfAbsent("absent", large)).isNull();

        for (String key : List.of("loaded", "retrieved", "put", "absent")) {
            assertThat(cache.get(key)).as(key).isNull();
        }
        assertThat(cache.getStatistics().lostWrites()).isEqualTo(4);
        assertThat(cache.getStatistics().lostLookups()).isZero();
    }

    @Test
    void nullIsRefusedIfDisabled() {
        MemcachedCache strict = Caches.books(memshard, DEFAULTS.disableCachingNullValues());

        assertThatIllegalArgumentException().isThrownBy(() -> strict.put("key", null));
        assertThatExceptionOfType(Cache.ValueRetrievalException.class)
                .isThrownBy(() -> strict.get("key", () -> null))
                .withCauseInstanceOf(IllegalArgumentException.class);
        assertThat(strict.get("key")).isNull();
        assertThat(strict.getStatistics().lostWrites()).isZero();
    }

    @Test
    void valuesOfTheJdkAreStoredAndOthersRefused() {
        List<Object> values = List.of(
                1,
                "text",
                "",
                List.of("a", 1),
                Map.of(1, 2, 3, 4),
                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                new BigDecimal("1.50"),
                UUID.randomUUID(),
                Instant.EPOCH.plusNanos(1),
                new Date(),
                new byte[] {1},
                LocalDate.EPOCH,
                DayOfWeek.MONDAY,
                EnumSet.of(DayOfWeek.MONDAY),
                new EnumMap<>(Map.of(DayOfWeek.MONDAY, 1)),
                new GregorianCalendar(TimeZone.getTimeZone("Asia/Tokyo")));
        for (Object value : values) {
            cache.put("key", value);
            assertThat(valueOf(cache.get("key"))).isEqualTo(value).hasSameClassAs(value);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cache.put("key", new IllegalStateException()))
                .withMessageContainingAll(
                        "java.lang.IllegalStateException",
                        "allowSerializable",
                        "memcached.cache.serializer.allowed-classes");
    }

    record Book(String title, int pages) implements Serializable {}

    @Test
    void anUndecodableEntryIsAMissAndIsReplaced() {
        Caches.books(memshard, DEFAULTS.allowSerializable(Book.class.getName())).put("key", new Book("Emma", 474));

        assertThat(cache.get("key")).isNull();
        assertThat(cache.getStatistics().lostLookups()).isOne();
        assertThat(cache.<Object>get("key", () -> "loaded")).isEqualTo("loaded");
        assertThat(valueOf(cache.get("key"))).isEqualTo("loaded");
    }

    @Test
    void putIfAbsentKeepsAnExistingEntry() {
        assertThat(cache.putIfAbsent("key", "first")).isNull();
        assertThat(valueOf(cache.get("key"))).isEqualTo("first");
        assertThat(valueOf(cache.putIfAbsent("key", "second"))).isEqualTo("first");
        assertThat(valueOf(cache.get("key"))).isEqualTo("first");
        assertThat(cache.getStatistics().puts()).isOne();
    }

    @Test
    void anEvictedEntryIsGone() {
        cache.put("key", "value");
        cache.put("other", "value");

        cache.evict("key");

        assertThat(cache.get("key")).isNull();
        assertThat(cache.evictIfPresent("key")).isFalse();
        assertThat(cache.evictIfPresent("other")).isTrue();
        assertThat(cache.get("other")).isNull();
    }

    @Test
    void aValueIsLoadedOnce() {
        AtomicInteger loads = new AtomicInteger();
        Callable<String> loader = () -> "value" + loads.incrementAndGet();

        assertThat(cache.get("key", loader)).isEqualTo("value1");
        assertThat(cache.get("key", loader)).isEqualTo("value1");
        assertThat(valueOf(cache.get("key"))).isEqualTo("value1");
        MemcachedCacheStatistics statistics = cache.getStatistics();
        assertThat(statistics.hits()).isEqualTo(2);
        assertThat(statistics.misses()).isOne();
        assertThat(statistics.puts()).isOne();
    }

    @Test
    void theLoadersExceptionIsTheCause() {
        IOException thrown = new IOException("no disk");

        assertThatExceptionOfType(Cache.ValueRetrievalException.class)
                .isThrownBy(() -> cache.get("key", () -> {
                    throw thrown;
                }))
                .withCause(thrown)
                .satisfies(e -> assertThat(e.getKey()).isEqualTo("key"));
        assertThat(cache.<Object>get("key", () -> "value")).isEqualTo("value");
        assertThat(cache.getStatistics().lostLookups()).isZero();
    }

    @Test
    void failureOfAnAsynchronousLoaderIsTheFailure() {
        IllegalStateException thrown = new IllegalStateException("no disk");

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> cache.retrieve("key", () -> CompletableFuture.failedFuture(thrown))
                        .get())
                .withCause(thrown);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> cache.retrieve("key", () -> {
                            throw thrown;
                        })
                        .get())
                .withCause(thrown);
        assertThat(cache.retrieve("key", () -> CompletableFuture.completedFuture("value")))
                .succeedsWithin(Duration.ofSeconds(30))
                .isEqualTo("value");
    }

    @Test
    void stagesOfARetrieveMayUseTheCache() {
        cache.put("key", "value");

        CompletableFuture<Void> hit = cache.retrieve("key").thenAccept(found -> {
            cache.put("copy", "value");
            cache.evict("key");
        });
        CompletableFuture<Void> miss = cache.retrieve("absent").thenAccept(found -> {
            cache.put("absent", cache.get("gone") == null ? "not there" : "there");
        });

        assertThat(hit).succeedsWithin(Duration.ofSeconds(30));
        assertThat(miss).succeedsWithin(Duration.ofSeconds(30));
        assertThat(valueOf(cache.get("absent"))).isEqualTo("not there");
        eventually("the deferred put", () -> cache.get("copy") != null);
        eventually("the deferred eviction", () -> cache.get("key") == null);
        assertThat(cache.getStatistics().lostWrites()).isZero();
    }

    @Test
    void aClearIsSeenInOtherProcesses() {
        MemcachedCache elsewhere = Caches.books(other, DEFAULTS);
        cache.put("key", "old");
        assertThat(valueOf(elsewhere.get("key"))).isEqualTo("old");

        elsewhere.clear();

        assertThat(cache.get("key")).isNull();
        assertThat(elsewhere.get("key")).isNull();
        cache.put("key", "new");
        assertThat(valueOf(elsewhere.get("key"))).isEqualTo("new");
        elsewhere.invalidate();
        assertThat(cache.<Object>get("key", () -> "loaded")).isEqualTo("loaded");
        assertThat(valueOf(elsewhere.get("key"))).isEqualTo("loaded");
        elsewhere.clear();
        assertThat(cache.evictIfPresent("key")).isFalse();
        elsewhere.clear();
        assertThat(cache.putIfAbsent("key", "added")).isNull();
        assertThat(valueOf(elsewhere.get("key"))).isEqualTo("added");
        elsewhere.clear();
        assertThat(cache.retrieve("key", () -> CompletableFuture.completedFuture("loaded")))
                .succeedsWithin(Duration.ofSeconds(30))
                .isEqualTo("loaded");
        assertThat(valueOf(elsewhere.get("key"))).isEqualTo("loaded");
        assertThat(elsewhere.getStatistics().clears()).isEqualTo(5);
    }

    @Test
    void oldEntriesDoNotComeBackIfTheServerLosesTheGeneration() {
        MemcachedClient<byte[]> client = memshard.client();
        MemcachedCache elsewhere = Caches.books(other, DEFAULTS);
        cache.put("key", "old");

        assertThat(client.delete("books::#generation:" + Partitions.indexOf("key")))
                .isTrue();

        assertThat(cache.get("key")).isNull();
        assertThat(elsewhere.get("key")).isNull();
        cache.put("key", "new");
        assertThat(valueOf(elsewhere.get("key"))).isEqualTo("new");
        assertThat(client.delete("books::#generation:" + Partitions.indexOf("key")))
                .isTrue();
        assertThat(cache.retrieve("key")).succeedsWithin(Duration.ofSeconds(30)).isNull();
    }

    @Test
    void cachesDoNotShareEntries() {
        MemcachedCacheManager manager = MemcachedCacheManager.create(memshard);
        manager.getCache("films").put("key", "film");
        cache.put("key", "book");

        manager.getCache("films").clear();

        assertThat(valueOf(cache.get("key"))).isEqualTo("book");
    }

    @Test
    void keysThatMemcachedRefusesAreHashed() {
        String one = "a".repeat(300);
        String two = "a".repeat(299) + 'b';
        List<Object> keys =
                List.of(one, two, "two words", "two\twords", "two_words", "", new SimpleKey("a b", 1), "ü".repeat(130));
        keys.forEach(key -> cache.put(key, keys.indexOf(key)));
        for (Object key : keys) {
            assertThat(valueOf(cache.get(key))).isEqualTo(keys.indexOf(key));
            assertThat(cache.<Object>get(key, () -> "loaded")).isEqualTo(keys.indexOf(key));
            assertThat(cache.retrieve(key))
                    .succeedsWithin(Duration.ofSeconds(30))
                    .isNotNull();
            assertThat(cache.evictIfPresent(key)).isTrue();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> cache.put("half a surrogate pair \ud800", 1));
        assertThat(cache.getStatistics().lostWrites()).isZero();
        assertThat(cache.getStatistics().lostLookups()).isZero();
    }

    private static Duration ttlOf(Memshard memshard, String key) {
        String generation = memshard.client(Transcoder.utf8()).get("books::#generation:" + Partitions.indexOf(key));
        return memshard.client(Transcoder.bytes())
                .meta()
                .get(GetRequest.of("books::" + generation + ':' + key).returning(ItemField.TTL))
                .ttl()
                .orElse(Duration.ZERO);
    }

    @Test
    void entriesLiveAsLongAsTheFunctionSays() {
        AtomicReference<Object> seen = new AtomicReference<>();
        MemcachedCache timed = Caches.books(memshard, DEFAULTS.entryTtl((key, value) -> {
            seen.set(value);
            return Duration.ofMinutes("long".equals(value) ? 60 : 10);
        }));

        timed.put("short", "short");
        assertThat(seen).hasValue("short");
        timed.put("long", "long");
        timed.get("loaded", () -> "long");

        assertThat(ttlOf(memshard, "short")).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
        assertThat(ttlOf(memshard, "long")).isGreaterThan(Duration.ofMinutes(50));
        eventually(
                "the time of the loaded value", () -> ttlOf(memshard, "loaded").compareTo(Duration.ofMinutes(50)) > 0);
    }

    @Test
    void aReadRestartsTheTimeToLiveIfEnabled() {
        MemcachedCache brief = Caches.books(memshard, DEFAULTS.entryTtl(Duration.ofMinutes(1)));
        MemcachedCache idle = Caches.books(
                memshard,
                DEFAULTS.entryTtl(Duration.ofHours(1))
                        .withLoadOptions(LoadOptions.DEFAULTS.withRecacheBelow(Duration.ZERO))
                        .enableTimeToIdle());
        for (String key : List.of("a", "b", "c")) {
            brief.put(key, "value");
        }

        assertThat(valueOf(idle.get("a"))).isEqualTo("value");
        assertThat(idle.retrieve("b")).succeedsWithin(Duration.ofSeconds(30)).isNotNull();
        assertThat(idle.<Object>get("c", () -> "loaded")).isEqualTo("value");

        assertThat(ttlOf(memshard, "a")).isGreaterThan(Duration.ofMinutes(50));
        assertThat(ttlOf(memshard, "b")).isGreaterThan(Duration.ofMinutes(50));
        eventually("the time of what was not loaded", () -> ttlOf(memshard, "c").compareTo(Duration.ofMinutes(50)) > 0);
    }

    @Test
    void keysAreConvertedByTheServiceOfTheConfiguration() {
        DefaultConversionService conversions = new DefaultConversionService();
        conversions.addConverter(Book.class, String.class, Book::title);
        MemcachedCache converting = Caches.books(memshard, DEFAULTS.withConversionService(conversions));
        converting.put(new Book("Emma", 474), "value");

        assertThat(valueOf(cache.get("Emma"))).isEqualTo("value");
    }

    /** Begins and ends transactions of nothing. */
    private static final class NoResource extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Test
    void writesWaitForTheCommitIfEnabled() {
        Cache aware = MemcachedCacheManager.builder(memshard)
                .transactionAware()
                .build()
                .getCache("books");
        TransactionTemplate transaction = new TransactionTemplate(new NoResource());
        aware.put("old", "value");

        transaction.executeWithoutResult(status -> {
            aware.put("new", "value");
            aware.evict("old");
            assertThat(cache.get("new")).isNull();
            assertThat(cache.get("old")).isNotNull();
        });
        assertThat(cache.get("new")).isNotNull();
        assertThat(cache.get("old")).isNull();

        transaction.executeWithoutResult(status -> {
            aware.put("rolled back", "value");
            aware.clear();
            status.setRollbackOnly();
        });
        assertThat(cache.get("rolled back")).isNull();
        assertThat(cache.get("new")).isNotNull();
    }
}
