// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.template.Engine;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values that are loaded while other processes put and evict: what they did stays. */
@MemcachedTest
@Timeout(120)
class LoadedValuesIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final MemcachedCacheConfiguration HOUR =
            MemcachedCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofHours(1));

    /** The two ways to have a value loaded. */
    enum Form {
        GET {
            @Override
            Object load(MemcachedCache cache, Callable<Object> loader) {
                return cache.get("key", loader);
            }
        },
        RETRIEVE {
            @Override
            Object load(MemcachedCache cache, Callable<Object> loader) throws Exception {
                Supplier<CompletableFuture<Object>> supplier = () -> {
                    try {
                        return CompletableFuture.completedFuture(loader.call());
                    } catch (Exception e) {
                        return CompletableFuture.failedFuture(e);
                    }
                };
                return cache.retrieve("key", supplier).get(60, TimeUnit.SECONDS);
            }
        };

        abstract Object load(MemcachedCache cache, Callable<Object> loader) throws Exception;
    }

    private final MemcachedServer server;
    private final Memshard memshard;
    private final Memshard otherMemshard;
    private final MemcachedCache cache;
    private final MemcachedCache other;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    LoadedValuesIT(MemcachedServer server) {
        this.server = server;
        memshard = Caches.memshard(server.address(), Protocol.META);
        otherMemshard = Caches.memshard(server.address(), Protocol.META);
        cache = Caches.books(memshard, HOUR);
        other = Caches.books(otherMemshard, HOUR);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        memshard.close();
        otherMemshard.close();
    }

    private static Object valueIn(MemcachedCache cache) {
        return cache.get("key", Object.class);
    }

    private String stored() {
        return "books::"
                + otherMemshard.client(Transcoder.utf8()).get("books::#generation:" + Partitions.indexOf("key"))
                + ":key";
    }

    /** Stores an entry as an older version of the application left it. */
    private void putUndecodable() {
        cache.put("key", "replaced");
        otherMemshard
                .client(Transcoder.asStored())
                .set(stored(), new EncodedValue(new byte[] {1, 2, 3}, 1), Duration.ofHours(1));
    }

    private Duration timeToLive() {
        return otherMemshard
                .client()
                .meta()
                .get(GetRequest.of(stored()).returning(ItemField.TTL))
                .ttl()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void oneCallerLoadsForAll(Form form) throws Exception {
        AtomicInteger loads = new AtomicInteger();
        List<Future<Object>> calls = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            MemcachedCache each = i % 2 == 0 ? cache : other;
            calls.add(threads.submit(() -> form.load(each, () -> {
                loads.incrementAndGet();
                Thread.sleep(200); // The others find no entry meanwhile, and wait.
                return "loaded";
            })));
        }
        for (Future<Object> call : calls) {
            assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("loaded");
        }
        assertThat(loads).hasValue(1);
        assertThat(valueIn(other)).isEqualTo("loaded");
    }

    @ParameterizedTest
    @EnumSource
    void evictionDuringALoadStays(Form form) throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(form.load(cache, () -> {
                        other.evict("key");
                        return "old";
                    }))
                    .isEqualTo("old");
            assertThat(valueIn(other)).isNull();
            putUndecodable();
        }
    }

    @ParameterizedTest
    @EnumSource
    void putDuringALoadStays(Form form) throws Exception {
        assertThatPutsStay(cache, form);
    }

    @ParameterizedTest
    @EnumSource
    void putDuringALoadStaysWithoutClaims(Form form) throws Exception {
        try (Memshard classic = Caches.memshard(server.address(), Protocol.CLASSIC);
                MemcachedConnectionFactory spymemcached = MemcachedConnectionFactory.builder()
                        .engine(Engine.SPYMEMCACHED)
                        .servers(server.address())
                        .requestTimeout(PATIENCE)
                        .connectTimeout(PATIENCE)
                        .build()) {
            assertThatPutsStay(Caches.books(classic, HOUR), form);
            other.evict("key");
            MemcachedTemplate<String> template = new MemcachedTemplate<>(spymemcached, Transcoder.utf8());
            MemcachedCache ofTemplate = Caches.books(MemcachedCacheManager.builder(template), HOUR);
            assertThatPutsStay(ofTemplate, form);
            other.evict("key");
            assertThat(form.load(cache, () -> valueIn(ofTemplate))).isNull();
        }
    }

    private void assertThatPutsStay(MemcachedCache alone, Form form) throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(form.load(alone, () -> {
                        assertThat(valueIn(other)).isNull();
                        other.put("key", "new");
                        return "old";
                    }))
                    .isEqualTo("old");
            assertThat(valueIn(other)).isEqualTo("new");
            assertThat(form.load(alone, () -> "not called")).isEqualTo("new");
            putUndecodable();
        }
        assertThat(form.load(alone, () -> "loaded")).isEqualTo("loaded");
        assertThat(valueIn(other)).isEqualTo("loaded");
        assertThat(timeToLive()).isGreaterThan(Duration.ofMinutes(59));
        assertThat(alone.putIfAbsent("key", "another").get()).isEqualTo("loaded");

        other.evict("key");
        assertThat(form.load(alone, () -> {
                    assertThat(alone.putIfAbsent("key", "put meanwhile")).isNull();
                    return "old";
                }))
                .isEqualTo("old");
        assertThat(valueIn(other)).isEqualTo("put meanwhile");
    }
}
