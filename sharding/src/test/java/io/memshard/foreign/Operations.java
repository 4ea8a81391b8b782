// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static io.memshard.foreign.ServersIT.LONGEST_ABSENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.Memshard;
import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.admin.AdminClient;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.Eventually;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Operations of each kind over a client, each with what it returns. */
final class Operations {

    static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int LARGE = 1_600_000;

    /** Operation on the item {@code key}, or on items whose keys begin so. */
    interface Operation {
        void run(String key);
    }

    private final Map<String, Operation> operations = new LinkedHashMap<>();
    private final Memshard memshard;
    private final MemcachedClient<String> client;
    private final AsyncMemcachedClient<String> async;
    private final MetaClient<String> meta;
    private final AdminClient admin;

    Operations(Memshard memshard) {
        this.memshard = memshard;
        client = memshard.client(Transcoder.utf8());
        async = memshard.asyncClient(Transcoder.utf8());
        meta = client.meta();
        admin = memshard.admin();
        oneKey();
        manyKeys();
        flags();
        administration();
    }

    /** Returns the operations by name. */
    Map<String, Operation> all() {
        return operations;
    }

    private void add(String name, Operation operation) {
        operations.put(name, operation);
    }

    private void oneKey() {
        add("set", key -> {
            client.set(key, "value", MINUTE);
            assertThat(client.get(key)).isEqualTo("value");
        });
        add("get of a miss", key -> assertThat(client.get(key)).isNull());
        add("set of 2 MB", key -> {
            String value = "x".repeat(2_000_000);
            try {
                client.set(key, value, MINUTE);
                assertThat(client.get(key)).isEqualTo(value);
            } catch (MemcachedValueTooLargeException e) {
                assertThat(client.get(key)).isNull();
            }
        });
        add("set that expires", key -> {
            client.set(key, "value", Duration.ofSeconds(1));
            Eventually.eventually("the item is gone", () -> client.get(key) == null);
        });
        add("client flags of 31 bits", key -> setFlags(key, Integer.MAX_VALUE));
        add("client flags of 32 bits", key -> setFlags(key, -1));
        add("add, replace, append, prepend", key -> {
            assertThat(client.replace(key, "b", MINUTE)).isFalse();
            assertThat(client.append(key, "b")).isFalse();
            assertThat(client.add(key, "a", MINUTE)).isTrue();
            assertThat(client.add(key, "b", MINUTE)).isFalse();
            assertThat(client.replace(key, "b", MINUTE)).isTrue();
            assertThat(client.append(key, "c") && client.prepend(key, "a")).isTrue();
            assertThat(client.get(key)).isEqualTo("abc");
        });
        add("gets", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.gets(key).value()).isEqualTo("1");
        });
        add("cas", key -> {
            client.set(key, "1", MINUTE);
            long casUnique = client.gets(key).casUnique();
            assertThat(client.cas(key, "2", casUnique, MINUTE)).isEqualTo(WriteStatus.DONE);
            assertThat(client.cas(key, "3", casUnique, MINUTE)).isEqualTo(WriteStatus.EXISTS);
        });
        add("cas of a miss", key -> assertThat(client.cas(key, "1", 1, MINUTE)).isEqualTo(WriteStatus.NOT_FOUND));
        add("update", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.update(key, MINUTE, old -> old + "2")).isEqualTo("12");
        });
        add("delete", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.delete(key)).isTrue();
            assertThat(client.delete(key)).isFalse();
        });
        add("touch", key -> {
            client.set(key, "1", MINUTE);
            assertThat(client.touch(key, Duration.ofSeconds(1))).isTrue();
            Eventually.eventually("the item is gone", () -> client.get(key) == null);
        });
        add("touch of a miss", key -> assertThat(client.touch(key, MINUTE)).isFalse());
        add("getAndTouch", key -> {
            assertThat(client.getAndTouch(key, MINUTE)).isNull();
            client.set(key, "1", MINUTE);
            assertThat(client.getAndTouch(key, MINUTE)).isEqualTo("1");
        });
        add("incr, decr", key -> {
            assertThat(client.incr(key, 1)).isEmpty();
            client.set(key, "5", MINUTE);
            assertThat(client.incr(key, 2)).hasValue(7);
            assertThat(client.decr(key, 9)).hasValue(0);
        });
        add("incr of a text", key -> {
            client.set(key, "text", MINUTE);
            assertThatExceptionOfType(MemcachedServerException.class).isThrownBy(() -> client.incr(key, 1));
        });
        add("incr with an initial value", key -> {
            assertThat(client.incr(key, 1, 7, MINUTE)).isEqualTo(7);
            assertThat(client.incr(key, 1, 7, MINUTE)).isEqualTo(8);
        });
        add("version", key -> assertThat(client.version()).isNotEmpty());
    }

    private void setFlags(String key, int flags) {
        MemcachedClient<EncodedValue> stored = memshard.client(Transcoder.asStored());
        stored.set(key, new EncodedValue(new byte[1], flags), MINUTE);
        assertThat(stored.get(key).flags()).isEqualTo(flags);
    }

    private void manyKeys() {
        add("multiSet, multiGet, multiDelete", key -> {
            assertThat(client.multiSet(values(key), MINUTE).doneOrThrow()).hasSize(300);
            assertThat(client.multiGet(values(key).keySet()).hitsOrThrow()).isEqualTo(values(key));
            assertThat(client.multiDelete(values(key).keySet()).doneOrThrow()).hasSize(300);
            assertThat(client.multiGet(values(key).keySet()).misses()).hasSize(300);
        });
        add("multiGets", key -> {
            client.multiSet(values(key), MINUTE).doneOrThrow();
            assertThat(client.multiGets(values(key).keySet()).hitsOrThrow()).hasSize(300);
        });
        add("multiGetAndTouch", key -> {
            client.multiSet(values(key), MINUTE).doneOrThrow();
            assertThat(client.multiGetAndTouch(values(key).keySet(), MINUTE).hitsOrThrow())
                    .isEqualTo(values(key));
        });
        add(
                "multiGetOrLoad",
                key -> assertThat(client.multiGetOrLoad(values(key).keySet(), MINUTE, missing -> values(key))
                                .hitsOrThrow())
                        .isEqualTo(values(key)));
        add("getOrLoad by many threads", key -> {
            AtomicInteger loads = new AtomicInteger();
            onManyThreads(thread -> client.getOrLoad(key, MINUTE, k -> "loaded " + loads.incrementAndGet()));
            assertThat(client.get(key)).isEqualTo("loaded 1");
        });
        add("invalidate", key -> {
            client.set(key, "old", MINUTE);
            assertThat(client.invalidate(key, MINUTE)).isTrue();
            assertThat(client.getOrLoad(key, MINUTE, k -> "new")).isEqualTo("new");
        });
        add("ChunkedClient", key -> {
            ChunkedClient<String> chunked = ChunkedClient.over(client, Transcoder.utf8(), 500_000, 50_000_000);
            chunked.set(key, "x".repeat(LARGE), MINUTE);
            assertThat(chunked.get(key)).hasSize(LARGE);
            assertThat(chunked.delete(key)).isTrue();
        });
        add("async set, get, delete, incr, touch", key -> {
            async.set(key, "1", MINUTE).join();
            assertThat(async.incr(key, 1).join()).hasValue(2);
            assertThat(async.touch(key, MINUTE).join()).isTrue();
            assertThat(async.get(key).join()).isEqualTo("2");
            assertThat(async.delete(key).join()).isTrue();
        });
        add("async gets and cas", key -> {
            async.set(key, "1", MINUTE).join();
            long casUnique = async.gets(key).join().casUnique();
            assertThat(async.cas(key, "2", casUnique, MINUTE).join()).isEqualTo(WriteStatus.DONE);
        });
        add("async multiGet", key -> {
            async.multiSet(values(key), MINUTE).join().doneOrThrow();
            assertThat(async.multiGet(values(key).keySet()).join().hitsOrThrow())
                    .isEqualTo(values(key));
        });
        add(
                "async getOrLoad",
                key -> assertThat(async.getOrLoad(key, MINUTE, k -> CompletableFuture.completedFuture("v"))
                                .join())
                        .isEqualTo("v"));
        add("2,000 in flight", key -> {
            AsyncMemcachedClient<String> patient = async.withTimeout(LONGEST_ABSENCE);
            IntStream.range(0, 2_000)
                    .mapToObj(i -> patient.set(key + i, "value " + i, MINUTE))
                    .toList()
                    .forEach(CompletableFuture::join);
            assertThat(IntStream.range(0, 2_000).mapToObj(i -> patient.get(key + i)).toList().stream()
                            .map(CompletableFuture::join))
                    .containsExactlyElementsOf(IntStream.range(0, 2_000)
                            .mapToObj(i -> "value " + i)
                            .toList());
        });
        add("16 threads, 500 calls each", key -> {
            MemcachedClient<String> patient = client.withTimeout(LONGEST_ABSENCE);
            onManyThreads(thread -> {
                for (int i = 0; i < 500; i++) {
                    String own = key + thread + '-' + i;
                    patient.set(own, own, MINUTE);
                    assertThat(patient.get(own)).isEqualTo(own);
                }
            });
        });
    }

    private static Map<String, String> values(String key) {
        return IntStream.range(0, 300).boxed().collect(Collectors.toMap(i -> key + i, i -> "value " + i));
    }

    private static void onManyThreads(IntConsumer part) {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        CompletableFuture.allOf(IntStream.range(0, 16)
                        .mapToObj(thread -> CompletableFuture.runAsync(() -> part.accept(thread), threads))
                        .toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> threads.shutdown())
                .join();
    }

    private void flags() {
        add("meta noop", key -> meta.noop());
        add("meta get, all fields", key -> {
            client.set(key, "value", MINUTE);
            MetaItem<String> item = meta.get(GetRequest.of(key).returning(ItemField.values()));
            assertThat(item.value()).isEqualTo("value");
            assertThat(item.sizeBytes()).isEqualTo(5);
        });
        add("meta get with vivify", key -> {
            assertThat(meta.get(GetRequest.of(key).vivify(MINUTE)).isWon()).isTrue();
            assertThat(meta.get(GetRequest.of(key).vivify(MINUTE)).isWonByAnother())
                    .isTrue();
        });
        // An old server ignores the flag and returns the value, as documented.
        add("meta get with unlessCas", key -> {
            long casUnique = store(SetRequest.of(key, "1").returningCas()).casUnique();
            GetRequest request = GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS);
            assertThat(meta.get(request.unlessCas(casUnique + 1)).value()).isEqualTo("1");
            MetaItem<String> known = meta.get(request.unlessCas(casUnique));
            assertThat(known.casUnique()).isEqualTo(casUnique);
            if (known.value() != null) {
                throw new MemcachedUnsupportedException("unlessCas is ignored, and the value returned, as documented");
            }
        });
        // An old server ignores the flag, and the result says so.
        add("meta set with returningSize", key -> {
            store(SetRequest.of(key, "value"));
            WriteResult stored = store(SetRequest.of(key, "value").appending().returningSize());
            try {
                assertThat(stored.sizeBytes()).isEqualTo(10);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("of memcached 1.6.");
                throw new MemcachedUnsupportedException(
                        "returningSize is ignored, and the result says so, as documented");
            }
        });
        add(
                "meta set with newCas",
                key -> assertThat(store(SetRequest.of(key, "1").newCas(4_711).returningCas())
                                .casUnique())
                        .isEqualTo(4_711));
        add("meta set with staleIfOlder", key -> {
            store(SetRequest.of(key, "1"));
            store(SetRequest.of(key, "2").ifCas(1).staleIfOlder());
            assertThat(meta.get(GetRequest.of(key)).isStale()).isTrue();
        });
        add("meta append with vivify", key -> {
            store(SetRequest.of(key, "a").appending().vivify(MINUTE));
            store(SetRequest.of(key, "b").appending().vivify(MINUTE));
            assertThat(client.get(key)).isEqualTo("ab");
        });
        add(
                "meta arithmetic with vivify",
                key -> assertThat(meta.arithmetic(ArithmeticRequest.of(key).vivify(5, MINUTE))
                                .number())
                        .isEqualTo(5));
        add("meta delete with invalidate", key -> {
            client.set(key, "1", MINUTE);
            assertThat(meta.delete(DeleteRequest.of(key).invalidate().ttl(MINUTE)))
                    .isEqualTo(WriteStatus.DONE);
            assertThat(meta.get(GetRequest.of(key)).isStale()).isTrue();
        });
        add("meta delete that keeps the item", key -> {
            client.set(key, "1", MINUTE);
            assertThat(meta.delete(DeleteRequest.of(key).keepItem())).isEqualTo(WriteStatus.DONE);
            assertThat(client.get(key)).isEmpty();
        });
        add("meta binary key", key -> {
            byte[] binary = new byte[] {0, '\r', '\n', ' ', -1};
            store(SetRequest.of(binary, "1"));
            assertThat(meta.get(GetRequest.of(binary)).value()).isEqualTo("1");
        });
    }

    private WriteResult store(SetRequest<String> request) {
        WriteResult stored = meta.set(request);
        assertThat(stored.isDone()).isTrue();
        return stored;
    }

    private void administration() {
        add("admin version", key -> assertThat(admin.version().single()).isNotEmpty());
        add("admin stats", key -> assertThat(admin.stats().single()).isNotEmpty());
        add("admin resetStats", key -> admin.resetStats().single());
        add("admin countPrefixes", key -> {
            admin.countPrefixes(true).single();
            admin.countPrefixes(false).single();
        });
        add("admin verbosity", key -> admin.verbosity(0).single());
        add(
                "health",
                key -> assertThat(memshard.health(Duration.ofSeconds(5)).isUp()).isTrue());
        for (String group : List.of("items", "slabs", "sizes", "settings", "conns", "detail dump")) {
            add("admin stats " + group, key -> admin.stats(group).single());
        }
        add("admin flushAll", key -> {
            client.set(key, "1", MINUTE);
            admin.flushAll(Duration.ZERO).single();
            assertThat(client.get(key)).isNull();
            // yrmcds flushes what is stored in the next moment, too.
            Eventually.eventually("a value stays", () -> {
                client.set(key, "2", MINUTE);
                return client.get(key) != null;
            });
        });
    }
}
