// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static io.memshard.foreign.Calls.result;
import static io.memshard.foreign.PlainOperations.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.chunked.ChunkedClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Operations on many keys, loads, values in chunks, and many callers at once. */
final class ManyKeyOperations {

    private static final int KEYS = 300;
    private static final int IN_FLIGHT = 2_000;
    private static final int THREADS = 16;
    private static final int CALLS_OF_A_THREAD = 500;
    private static final int LARGE = 1_600_000;

    private ManyKeyOperations() {}

    static List<Operation> all() {
        return List.of(
                new Operation("multiSet", (calls, key) -> {
                    Map<String, String> values = values(key);
                    assertThat(calls.client().multiSet(values, MINUTE).storedOrThrow())
                            .hasSize(KEYS);
                    assertThat(calls.client().get(key + 7)).isEqualTo("value 7");
                }),
                new Operation("multiGet", (calls, key) -> {
                    Map<String, String> values = values(key);
                    calls.client().multiSet(values, MINUTE).storedOrThrow();
                    List<String> keys = new ArrayList<>(values.keySet());
                    keys.add(key + "miss");
                    assertThat(calls.client().multiGet(keys).hitsOrThrow()).isEqualTo(values);
                }),
                new Operation("multiDelete", (calls, key) -> {
                    calls.client().multiSet(values(key), MINUTE).storedOrThrow();
                    assertThat(calls.client().multiDelete(values(key).keySet()).deletedOrThrow())
                            .hasSize(KEYS);
                    assertThat(calls.client().get(key + 7)).isNull();
                }),
                new Operation("multiGets", (calls, key) -> {
                    calls.client().multiSet(values(key), MINUTE).storedOrThrow();
                    Map<String, CasValue<String>> read =
                            calls.client().multiGets(values(key).keySet()).hitsOrThrow();
                    assertThat(read).hasSize(KEYS);
                    CasValue<String> seventh = read.get(key + 7);
                    assertThat(calls.client().cas(key + 7, "new", seventh.casUnique(), MINUTE))
                            .isEqualTo(CasResult.STORED);
                }),
                new Operation("multiGetAndTouch", (calls, key) -> {
                    calls.client().multiSet(values(key), MINUTE).storedOrThrow();
                    assertThat(calls.client()
                                    .multiGetAndTouch(values(key).keySet(), MINUTE)
                                    .hitsOrThrow())
                            .isEqualTo(values(key));
                }),
                new Operation(
                        "multiGetOrLoad",
                        (calls, key) -> assertThat(calls.client()
                                        .multiGetOrLoad(values(key).keySet(), MINUTE, missing -> values(key))
                                        .hitsOrThrow())
                                .isEqualTo(values(key))),
                new Operation("getOrLoad", (calls, key) -> {
                    AtomicInteger loads = new AtomicInteger();
                    for (int i = 0; i < 3; i++) {
                        assertThat(calls.client().getOrLoad(key, MINUTE, k -> "loaded " + loads.incrementAndGet()))
                                .isEqualTo("loaded 1");
                    }
                }),
                new Operation("getOrLoad by many threads", ManyKeyOperations::loadByManyThreads),
                new Operation("invalidate", (calls, key) -> {
                    calls.client().set(key, "old", MINUTE);
                    assertThat(calls.client().invalidate(key, MINUTE)).isTrue();
                    assertThat(calls.client().getOrLoad(key, MINUTE, k -> "new"))
                            .isEqualTo("new");
                    assertThat(calls.client().get(key)).isEqualTo("new");
                }),
                new Operation(
                        "invalidate of a miss",
                        (calls, key) -> assertThat(calls.client().invalidate(key, MINUTE))
                                .isFalse()),
                new Operation("ChunkedClient, one item", (calls, key) -> {
                    calls.chunked().set(key, "value", MINUTE);
                    assertThat(calls.chunked().get(key)).isEqualTo("value");
                }),
                new Operation("ChunkedClient, many chunks", (calls, key) -> {
                    ChunkedClient<String> chunked = calls.chunked();
                    chunked.set(key, "x".repeat(LARGE), MINUTE);
                    assertThat(chunked.get(key)).hasSize(LARGE);
                    assertThat(chunked.delete(key)).isTrue();
                    assertThat(chunked.get(key)).isNull();
                }),
                new Operation("ChunkedClient, multiGet", (calls, key) -> {
                    ChunkedClient<String> chunked = calls.chunked();
                    chunked.set(key, "x".repeat(LARGE), MINUTE);
                    assertThat(chunked.multiGet(List.of(key, key + "miss")).hitsOrThrow())
                            .containsOnlyKeys(key);
                }),
                new Operation("async set, get, delete", (calls, key) -> {
                    result(calls.async().set(key, "1", MINUTE));
                    assertThat(result(calls.async().get(key))).isEqualTo("1");
                    assertThat(result(calls.async().delete(key))).isTrue();
                    assertThat(result(calls.async().get(key))).isNull();
                }),
                new Operation("async add, replace, append", (calls, key) -> {
                    assertThat(result(calls.async().add(key, "1", MINUTE))).isTrue();
                    assertThat(result(calls.async().replace(key, "2", MINUTE))).isTrue();
                    assertThat(result(calls.async().append(key, "3"))).isTrue();
                    assertThat(result(calls.async().get(key))).isEqualTo("23");
                }),
                new Operation("async gets and cas", (calls, key) -> {
                    result(calls.async().set(key, "1", MINUTE));
                    long casUnique = result(calls.async().gets(key)).casUnique();
                    assertThat(result(calls.async().cas(key, "2", casUnique, MINUTE)))
                            .isEqualTo(CasResult.STORED);
                }),
                new Operation("async touch", (calls, key) -> {
                    result(calls.async().set(key, "1", MINUTE));
                    assertThat(result(calls.async().touch(key, MINUTE))).isTrue();
                    assertThat(result(calls.async().getAndTouch(key, MINUTE))).isEqualTo("1");
                }),
                new Operation("async incr", (calls, key) -> {
                    result(calls.async().set(key, "1", MINUTE));
                    assertThat(result(calls.async().incr(key, 2))).hasValue(3);
                }),
                new Operation("async multiGet", (calls, key) -> {
                    result(calls.async().multiSet(values(key), MINUTE)).storedOrThrow();
                    assertThat(result(calls.async().multiGet(values(key).keySet()))
                                    .hitsOrThrow())
                            .isEqualTo(values(key));
                }),
                new Operation(
                        "async getOrLoad",
                        (calls, key) -> assertThat(result(calls.async()
                                        .getOrLoad(key, MINUTE, k -> CompletableFuture.completedFuture("loaded"))))
                                .isEqualTo("loaded")),
                new Operation("async invalidate", (calls, key) -> {
                    result(calls.async().set(key, "1", MINUTE));
                    assertThat(result(calls.async().invalidate(key, MINUTE))).isTrue();
                }),
                new Operation(
                        "async update",
                        (calls, key) -> assertThat(result(calls.async().update(key, MINUTE, old -> "1")))
                                .isEqualTo("1")),
                new Operation("2,000 in flight", ManyKeyOperations::manyInFlight),
                new Operation("16 threads, 500 calls each", ManyKeyOperations::manyThreads));
    }

    private static Map<String, String> values(String key) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < KEYS; i++) {
            values.put(key + i, "value " + i);
        }
        return values;
    }

    private static void loadByManyThreads(Calls calls, String key) throws Exception {
        AtomicInteger loads = new AtomicInteger();
        onManyThreads(thread -> assertThat(
                        calls.client().getOrLoad(key, MINUTE, k -> "loaded " + loads.incrementAndGet()))
                .isEqualTo("loaded 1"));
    }

    private static void manyInFlight(Calls calls, String key) throws Exception {
        var patient = calls.async().withTimeout(Duration.ofSeconds(30));
        List<CompletableFuture<Void>> stored = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            stored.add(patient.set(key + i, "value " + i, MINUTE));
        }
        for (CompletableFuture<Void> one : stored) {
            result(one);
        }
        List<CompletableFuture<String>> read = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            read.add(patient.get(key + i));
        }
        for (int i = 0; i < IN_FLIGHT; i++) {
            assertThat(result(read.get(i))).isEqualTo("value " + i);
        }
    }

    private static void manyThreads(Calls calls, String key) throws Exception {
        MemcachedClient<String> patient = calls.client().withTimeout(Duration.ofSeconds(30));
        onManyThreads(thread -> {
            for (int i = 0; i < CALLS_OF_A_THREAD; i++) {
                String own = key + thread + '-' + i;
                patient.set(own, own, MINUTE);
                assertThat(patient.get(own)).isEqualTo(own);
            }
        });
    }

    private static void onManyThreads(Part part) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                parts.add(threads.submit(() -> part.run(thread)));
            }
            for (Future<?> one : parts) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private interface Part {
        void run(int thread);
    }
}
