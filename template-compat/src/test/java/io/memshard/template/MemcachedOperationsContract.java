// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.exception.UpdateConflictException;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract of a template beyond the operations of a connection, regardless of engine and mode. */
@MemcachedTest
abstract class MemcachedOperationsContract {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final String TOO_LARGE = "x".repeat(2 * 1024 * 1024);
    private static final AtomicInteger NEXT_KEY = new AtomicInteger();

    private final Engine engine;
    private final Mode mode;
    private final boolean binaryProtocol;

    private MemcachedConnectionFactory factory;
    private MemcachedTemplate<String> template;
    private AsyncMemcachedClient<String> async;
    private String key;

    MemcachedOperationsContract(Engine engine, Mode mode, boolean binaryProtocol) {
        this.engine = engine;
        this.mode = mode;
        this.binaryProtocol = binaryProtocol;
    }

    @BeforeEach
    void open(MemcachedServer server) {
        if (binaryProtocol && server instanceof EmbeddedMemcached) {
            throw Program.skip("a server with the binary protocol, install the package memcached");
        }
        factory = builder(server.host(), server.port()).build();
        template = new MemcachedTemplate<>(factory, Transcoder.utf8());
        async = template.async();
        key = "operations" + ProcessHandle.current().pid() + '.' + NEXT_KEY.incrementAndGet();
    }

    private MemcachedConnectionFactoryBuilder builder(String host, int port) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .engine(engine)
                .mode(mode)
                .binaryProtocol(binaryProtocol)
                .servers(host + ':' + port)
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
        return mode == Mode.SINGLE ? builder : builder.connectionsPerServer(2);
    }

    @AfterEach
    void close() {
        if (factory != null) {
            factory.close();
        }
    }

    @Test
    void asynchronousCallsLeaveNothing(MemcachedServer server) {
        LeakCheck leakCheck = LeakCheck.start(engine == Engine.MEMSHARD ? "memshard" : "Memcached IO");
        try (MemcachedConnectionFactory own =
                builder(server.host(), server.port()).build()) {
            MemcachedTemplate<String> used = new MemcachedTemplate<>(own, Transcoder.utf8());
            assertThat(used.executePipelined(pipeline -> pipeline.get(key))).containsExactly((Object) null);
            assertThat(used.async().get(key).join()).isNull();
        }
        leakCheck.assertNothingLeft();
    }

    @Test
    void springsNamesBehaveLikeMemcacheds() {
        assertThat(template.setIfPresent(key, "1", TTL)).isFalse();
        assertThat(template.increment(key, 1)).isEmpty();
        assertThat(template.decrement(key, 1)).isEmpty();
        assertThat(template.setIfAbsent(key, "1", TTL)).isTrue();
        assertThat(template.setIfAbsent(key, "2", TTL)).isFalse();
        assertThat(template.setIfPresent(key, "5", TTL)).isTrue();
        assertThat(template.increment(key, 2)).hasValue(7);
        assertThat(template.increment(key, 2, TTL)).isEqualTo(9);
        assertThat(template.decrement(key, 20)).hasValue(0);
        assertThat(template.increment(key + "n", 3, TTL)).isEqualTo(3);
    }

    @Test
    void boundOperationsAreThoseOfTheKey() {
        BoundValueOperations<String> bound = template.boundValueOps(key);
        assertThat(bound.getKey()).isEqualTo(key);
        assertThat(bound.getOperations()).isSameAs(template);
        assertThat(bound.get()).isNull();
        assertThat(bound.touch(TTL)).isFalse();
        assertThat(bound.setIfPresent("a", TTL)).isFalse();
        assertThat(bound.setIfAbsent("1", TTL)).isTrue();
        assertThat(bound.append("0")).isTrue();
        assertThat(bound.increment(1)).hasValue(11);
        assertThat(bound.increment(1, TTL)).isEqualTo(12);
        assertThat(bound.decrement(2)).hasValue(10);
        assertThat(bound.getAndTouch(TTL)).isEqualTo("10");
        assertThat(bound.update(TTL, old -> old + "!")).isEqualTo("10!");
        bound.set("b", TTL);
        assertThat(bound.get()).isEqualTo("b");
        assertThat(bound.delete()).isTrue();
        assertThat(template.get(key)).isNull();
        assertThatNullPointerException().isThrownBy(() -> template.boundValueOps(null));
    }

    @Test
    void updateStoresTheChangedValue() {
        assertThat(template.update(key, TTL, old -> old == null ? "a" : "wrong"))
                .isEqualTo("a");
        assertThat(template.update(key, TTL, old -> old + "b")).isEqualTo("ab");
        assertThat(template.update(key, TTL, old -> null)).isNull();
        assertThat(template.get(key)).isEqualTo("ab");
        assertThat(template.async().update(key, TTL, old -> old + "c").join()).isEqualTo("abc");
        assertThat(template.async().update(key, TTL, old -> null).join()).isNull();
        assertThat(template.async().update(key + "2", TTL, old -> "new").join()).isEqualTo("new");
        assertThatIllegalStateException()
                .isThrownBy(() -> template.update(key, TTL, old -> {
                    throw new IllegalStateException("the change's");
                }));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.update(key, TTL, 0, old -> "x"))
                .withMessage("maxTries is 0, but must be 1 or more");
        assertThat(template.get(key)).isEqualTo("abc");
    }

    @Test
    void updateStartsOverWhenAnotherWriterInterferes() {
        template.set(key, "a", TTL);
        AtomicInteger tries = new AtomicInteger();
        Function<String, String> change = old -> {
            if (tries.incrementAndGet() == 1) {
                template.set(key, "another's", TTL);
            }
            return old + "+mine";
        };
        assertThat(template.update(key, TTL, change)).isEqualTo("another's+mine");
        template.delete(key);
        assertThat(template.update(key, TTL, old -> {
                    template.add(key, "another's", TTL);
                    return old + "+mine";
                }))
                .isEqualTo("another's+mine");
        assertThat(tries).hasValue(2);
    }

    @Test
    void updateGivesUpAfterItsTriesAndStoresNothing() {
        template.set(key, "0", TTL);
        assertThatExceptionOfType(UpdateConflictException.class)
                .isThrownBy(() -> template.update(key, TTL, 3, old -> {
                    template.incr(key, 1);
                    return "mine";
                }))
                .withMessageStartingWith("other writers changed the item in each of 3 tries: \"" + key + "\"; ")
                .satisfies(e -> assertThat(e.tries()).isEqualTo(3))
                .satisfies(e -> assertThat(e.key()).isEqualTo(key));
        assertThat(template.get(key)).isEqualTo("3");
        template.withTranscoder(Transcoder.counter()).set(key, 0L, TTL);
        CompletableFuture<String> conflict = template.async().update(key, TTL, old -> {
            async.incr(key, 1); // on the same thread, so before the cas: each connection keeps the order
            return "mine";
        });
        if (mode == Mode.SINGLE) {
            assertThatThrownBy(conflict::join).hasCauseInstanceOf(UpdateConflictException.class);
        } else {
            conflict.handle((stored, thrown) -> true).join();
        }
    }

    @Test
    void noUpdateOfSixteenThreadsIsLost() throws Exception {
        int threads = 16;
        int updates = 5;
        MemcachedTemplate<Long> counters = template.withTranscoder(Transcoder.counter());
        ExecutorService writers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int writer = 0; writer < threads; writer++) {
                done.add(writers.submit(() -> {
                    for (int i = 0; i < updates; i++) {
                        counters.update(key, TTL, 10_000, old -> old == null ? 1 : old + 1);
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            writers.shutdownNow();
            assertThat(writers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(counters.get(key)).isEqualTo((long) threads * updates);
    }

    @Test
    void pipelineReturnsTheResultsInTheOrderOfItsCalls() {
        List<Object> results = template.executePipelined(pipeline -> {
            pipeline.set(key, "1", TTL);
            pipeline.get(key);
            pipeline.get(key + "miss");
            pipeline.incr(key, 5);
            pipeline.withTranscoder(Transcoder.counter()).get(key);
            pipeline.add(key, "x", TTL);
            pipeline.delete(key);
            pipeline.delete(key);
        });
        assertThat(results).isEqualTo(Arrays.asList(null, "1", null, OptionalLong.of(6), 6L, false, true, false));
        assertThat(template.executePipelined(pipeline -> {})).isEmpty();
    }

    @Test
    void pipelineOfManyCallsKeepsTheirOrder() {
        List<Object> results = template.executePipelined(pipeline -> {
            for (int i = 0; i < 1_000; i++) {
                pipeline.set(key, "value " + i, TTL);
                pipeline.get(key);
            }
        });
        assertThat(results).hasSize(2_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(results.get(2 * i + 1)).isEqualTo("value " + i);
        }
    }

    @Test
    void pipelineThrowsTheFirstFailureOnceAllCallsHaveCompleted() {
        template.set(key, "word", TTL);
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> template.withTranscoder(Transcoder.counter()).executePipelined(pipeline -> {
                    pipeline.get(key);
                    pipeline.gets(key);
                    pipeline.set(key, 5L, TTL);
                }))
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
                .satisfies(e -> assertThat(e.key()).isEqualTo(key));
        assertThat(template.get(key)).isEqualTo("5");
        assertThatIllegalStateException()
                .isThrownBy(() -> template.executePipelined(pipeline -> {
                    throw new IllegalStateException("the caller's");
                }));
        assertThatExceptionOfType(MemcachedUnsupportedException.class)
                .isThrownBy(() -> template.executePipelined(AsyncMemcachedClient::meta));
    }

    /** A pool of two would be empty after two pipelines that keep their connection. */
    @Test
    void connectionsOfAsynchronousCallsAreReturned() {
        for (int i = 0; i < 5; i++) {
            template.executePipelined(pipeline -> pipeline.get(key));
            assertThatIllegalStateException()
                    .isThrownBy(() -> template.executePipelined(pipeline -> {
                        throw new IllegalStateException();
                    }));
            async.get(key).join();
        }
    }

    @Test
    void asynchronousOperationsHaveTheResultsOfBlockingOnes() {
        assertThat(async.get(key).join()).isNull();
        assertThat(async.gets(key).join()).isNull();
        assertThat(async.getAndTouch(key, TTL).join()).isNull();
        assertThat(async.touch(key, TTL).join()).isFalse();
        assertThat(async.replace(key, "a", TTL).join()).isFalse();
        assertThat(async.append(key, "a").join()).isFalse();
        assertThat(async.incr(key, 1).join()).isEmpty();
        assertThat(async.decr(key, 1).join()).isEmpty();
        assertThat(async.incr(key, 1, 7, TTL).join()).isEqualTo(7);
        assertThat(async.incr(key, 1, 7, TTL).join()).isEqualTo(8);
        assertThat(async.decr(key, 2, 7, TTL).join()).isEqualTo(6);
        assertThat(async.decr(key, 1).join()).hasValue(5);
        assertThat(async.delete(key).join()).isTrue();
        assertThat(async.delete(key).join()).isFalse();
        assertThat(async.add(key, "b", TTL).join()).isTrue();
        assertThat(async.add(key, "c", TTL).join()).isFalse();
        assertThat(async.append(key, "c").join()).isTrue();
        assertThat(async.prepend(key, "a").join()).isTrue();
        assertThat(async.getAndTouch(key, TTL).join()).isEqualTo("abc");
        assertThat(async.touch(key, TTL).join()).isTrue();
        CasValue<String> read = async.gets(key).join();
        assertThat(read.value()).isEqualTo("abc");
        assertThat(async.cas(key, "d", read.casUnique(), TTL).join()).isEqualTo(CasResult.STORED);
        assertThat(async.cas(key, "e", read.casUnique(), TTL).join()).isEqualTo(CasResult.EXISTS);
        assertThat(async.cas(key + "none", "e", read.casUnique(), TTL).join()).isEqualTo(CasResult.NOT_FOUND);
        assertThat(async.replace(key, "f", TTL).join()).isTrue();
        assertThat(async.set(key, "g", TTL).join()).isNull();
        assertThat(async.get(key).join()).isEqualTo("g");
        assertThat(async.withTranscoder(Transcoder.bytes()).get(key).join()).isEqualTo(new byte[] {'g'});
        assertThat(async.withTimeout(TTL).get(key).join()).isEqualTo("g");
        assertThat(template.withTimeout(TTL).async().get(key).join()).isEqualTo("g");
        assertThat(async.version().join()).isEqualTo(template.version());
    }

    @Test
    void asynchronousOperationsOnManyKeysAccountForEach() {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < 250; i++) {
            values.put(key + ':' + i, "value " + i);
        }
        assertThat(async.multiSet(values, TTL).join().stored()).isEqualTo(values.keySet());
        MultiSetResult some = async.multiSet(Map.of(key, TOO_LARGE, "a b", "x", key + ":0", "new"), TTL)
                .join();
        assertThat(some.stored()).containsExactly(key + ":0");
        assertThat(some.failures()).containsOnlyKeys(key, "a b");
        values.put(key + ":0", "new");

        List<String> keys = new ArrayList<>(values.keySet());
        keys.addAll(List.of(key, key, "a b"));
        MultiGetResult<String> got = async.multiGet(keys).join();
        assertThat(got.hits()).isEqualTo(values);
        assertThat(got.misses()).containsExactly(key);
        assertThat(got.failures()).containsOnlyKeys("a b");
        assertThat(async.multiGet(List.of()).join().hits()).isEmpty();

        MultiDeleteResult deleted = async.multiDelete(keys).join();
        assertThat(deleted.deleted()).isEqualTo(values.keySet());
        assertThat(deleted.misses()).containsExactly(key);
        assertThat(deleted.failures()).containsOnlyKeys("a b");
    }

    @Test
    void asynchronousFailuresAreThoseOfBlockingCalls() {
        for (String bad : List.of("", "a b", "k".repeat(251))) {
            assertThatIllegalArgumentException().isThrownBy(() -> async.get(bad));
            assertThatIllegalArgumentException().isThrownBy(() -> async.set(bad, "v", TTL));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> async.set(key, "v", Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> async.incr(key, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> async.cas(key, "v", 0, TTL));
        assertThatIllegalArgumentException().isThrownBy(() -> async.withTimeout(Duration.ZERO));

        template.set(key, "word", TTL);
        assertThat(failure(async.withTranscoder(Transcoder.counter()).get(key)))
                .isInstanceOf(MemcachedDecodingException.class)
                .hasMessageContaining(key);
        assertThat(failure(async.set(key, TOO_LARGE, TTL))).isInstanceOf(MemcachedValueTooLargeException.class);
        assertThat(template.get(key)).as("the old value would be wrong").isNull();
        template.set(key, "word", TTL);
        assertThat(failure(async.incr(key, 1)))
                .isInstanceOf(MemcachedServerException.class)
                .hasMessageContaining("on-numeric");
    }

    private static Throwable failure(CompletableFuture<?> future) {
        try {
            return new AssertionError("completed with " + future.join());
        } catch (CompletionException e) {
            return e.getCause();
        }
    }

    @Test
    void callsThatTheEngineLacksAreUnsupported() {
        List<ThrowingCallable> calls = List.of(
                () -> async.invalidate(key, TTL).join(),
                () -> async.getOrLoad(key, TTL, any -> CompletableFuture.completedFuture("loaded"))
                        .join(),
                () -> template.boundValueOps(key).getOrLoad(TTL, any -> "loaded"),
                () -> async.multiGets(List.of(key)).join(),
                () -> async.multiGetAndTouch(List.of(key), TTL).join(),
                () -> async.meta().noop().join(),
                () -> async.withKeyPrefix("prefix:").get(key).join());
        for (ThrowingCallable call : calls) {
            if (engine == Engine.SPYMEMCACHED) {
                assertThatExceptionOfType(MemcachedUnsupportedException.class).isThrownBy(call);
            } else {
                assertThatCode(call).doesNotThrowAnyException();
            }
        }
        if (engine == Engine.MEMSHARD) {
            assertThat(template.get(key)).isEqualTo("loaded");
            template.set(key + ":1", "prefixed", TTL);
            assertThat(template.executePipelined(
                            pipeline -> pipeline.withKeyPrefix(key).get(":1")))
                    .containsExactly("prefixed");
        }
    }

    @Test
    void silentServerAndClosedFactoryFailTheFutures(MemcachedServer server) throws IOException {
        try (FaultProxy proxy = new FaultProxy(new InetSocketAddress(server.host(), server.port()))) {
            MemcachedConnectionFactory silent = builder(
                            proxy.address().getHostString(), proxy.address().getPort())
                    .build();
            MemcachedTemplate<String> silenced = new MemcachedTemplate<>(silent, Transcoder.utf8());
            silenced.async().get(key).join();
            proxy.stall(true);
            assertThat(failure(
                            silenced.withTimeout(Duration.ofMillis(50)).async().get(key)))
                    .isInstanceOf(MemcachedTimeoutException.class);
            CompletableFuture<String> open = silenced.async().get(key);
            silent.close();
            assertThat(failure(open)).isInstanceOf(MemcachedException.class);
            assertThat(failure(silenced.async().get(key))).isInstanceOf(MemcachedConnectionException.class);
        }
    }
}
