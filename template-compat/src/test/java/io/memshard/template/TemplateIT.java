// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.TimeToLive;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.MemcachedTest;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Factories, handles, and what a template has beyond the operations on items, over every engine and mode. */
@MemcachedTest
@ParameterizedClass
@EnumSource
class TemplateIT {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Transcoder<String> UTF8 = Transcoder.utf8();

    private final Variant variant;
    private final Engine engine;
    private final Mode mode;
    private final String key = Variant.newKey();

    private LeakCheck leakCheck;
    private MemcachedConnectionFactory factory;
    private MemcachedConnection connection;
    private MemcachedTemplate<String> template;

    TemplateIT(Variant variant) {
        this.variant = variant;
        this.engine = variant.engine;
        this.mode = variant.mode;
    }

    @BeforeEach
    void open(MemcachedServer server) {
        leakCheck = variant.startLeakCheck();
        factory = variant.open(server);
        connection = factory.getConnection();
        template = new MemcachedTemplate<>(factory, UTF8);
    }

    @AfterEach
    void leavesNothing() {
        if (factory != null) {
            connection.close();
            factory.close();
            leakCheck.assertNothingLeft();
        }
    }

    @Test
    void factoryAndTemplateReportEngineAndMode() {
        assertThat(template.getConnectionFactory()).isSameAs(factory);
        assertThat(factory.engine()).isEqualTo(engine);
        assertThat(factory.mode()).isEqualTo(mode);
        String shown = "MemcachedTemplate[" + factory + ", engine=" + engine + ", mode=" + mode;
        assertThat(template).hasToString(shown + "]");
        assertThat(template.withTimeout(Duration.ofSeconds(10))).hasToString(shown + ", requestTimeout=PT10S]");
    }

    @Test
    void factoryIsReadyAfterTheWaitAndClosesAfterADrain(MemcachedServer server) {
        try (MemcachedConnectionFactory drained = variant.open(server)) {
            drained.awaitReady(Duration.ofSeconds(30));
            try (MemcachedConnection one = drained.getConnection()) {
                one.set(key, "value", TTL, UTF8);
            }
            drained.close(TTL);
        }
        assertThat(connection.get(key, UTF8)).isEqualTo("value");
    }

    @Test
    void serverIsUpWhileItAnswersAndDownAfterwards() {
        MemcachedServer own = EmbeddedMemcached.start();
        try (MemcachedConnectionFactory asking = variant.open(own)) {
            String address = own.host() + ':' + own.port();
            assertThat(asking.health(TTL).toString()).startsWith(address + " is up, after ");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> asking.health(Duration.ZERO))
                    .withMessageStartingWith("timeout ");
            own.close();
            assertThat(asking.health(TTL).toString()).startsWith(address + " is down, after ");
        } finally {
            own.close();
        }
    }

    @Test
    void aClosedFactoryFailsEveryCallAtOnce() {
        factory.close();
        factory.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> connection.get(key, UTF8),
                () -> factory.getConnection().get(key, UTF8),
                () -> template.get(key),
                () -> template.incr(key, 1))) {
            assertThatThrownBy(call).isInstanceOf(MemcachedConnectionException.class);
        }
    }

    @Test
    void silentServerAndClosedFactoryFailTheFutures(MemcachedServer server) throws IOException {
        try (FaultProxy proxy = new FaultProxy(new InetSocketAddress(server.host(), server.port()))) {
            MemcachedConnectionFactory silent = variant.open(
                    proxy.address().getHostString(), proxy.address().getPort());
            MemcachedTemplate<String> silenced = new MemcachedTemplate<>(silent, UTF8);
            silenced.async().get(key).join();
            proxy.stall(true);
            MemcachedTemplate<String> hasty = silenced.withTimeout(Duration.ofMillis(50));
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> hasty.get(key),
                    () -> hasty.withTranscoder(Transcoder.bytes()).get(key),
                    () -> hasty.execute(pinned -> pinned.get(key, UTF8)),
                    () -> Futures.result(hasty.async().get(key)))) {
                assertThatThrownBy(call)
                        .isInstanceOf(MemcachedTimeoutException.class)
                        .hasMessageContaining("no reply within 50 ms");
            }
            if (engine == Engine.MEMSHARD) {
                assertThat(hasty.withFailurePolicy(FailurePolicy.TREAT_AS_MISS).get(key))
                        .isNull();
            }
            CompletableFuture<String> open = silenced.async().get(key);
            silent.close();
            assertThat(failure(open)).isInstanceOf(MemcachedException.class);
            assertThat(failure(silenced.async().get(key))).isInstanceOf(MemcachedConnectionException.class);
        }
    }

    private static Throwable failure(CompletableFuture<?> future) {
        try {
            return new AssertionError("completed with " + future.join());
        } catch (CompletionException e) {
            return e.getCause();
        }
    }

    @Test
    void anInterruptedCallerKeepsItsFlagAndTheConnection(MemcachedServer server) throws IOException {
        connection.set(key, "a", TTL, UTF8);
        try (FaultProxy proxy = new FaultProxy(new InetSocketAddress(server.host(), server.port()));
                MemcachedConnectionFactory proxied = variant.open(
                        proxy.address().getHostString(), proxy.address().getPort())) {
            MemcachedConnection slow = proxied.getConnection();
            MemcachedTemplate<String> slowTemplate = new MemcachedTemplate<>(proxied, UTF8);
            assertThat(slow.get(key, UTF8)).isEqualTo("a");
            proxy.stall(true); // A reply that is there before the caller waits is returned to it.
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(() -> slow.get(key, UTF8), () -> slowTemplate.gets(key))) {
                Thread.currentThread().interrupt();
                try {
                    assertThatThrownBy(call).isInstanceOf(MemcachedInterruptedException.class);
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                } finally {
                    Thread.interrupted();
                }
            }
            proxy.stall(false);
            assertThat(slow.get(key, UTF8)).isEqualTo("a");
            assertThat(proxy.accepted()).isEqualTo(proxy.connections());
        }
    }

    @Test
    void executeRunsSeveralCallsOnOneConnection() {
        assertThat(template.<String>execute(pinned -> {
                    pinned.client(Transcoder.counter()).incr(key, 1, 7, TTL);
                    return pinned.get(key, UTF8);
                }))
                .isEqualTo("7");
    }

    @Test
    void aHandleReadsAndStoresWithATranscoderOfItsOwn() {
        assertThat(connection.get(key, UTF8)).isNull();
        connection.set(key, "", TimeToLive.NEVER, UTF8);
        assertThat(template.get(key)).isEmpty();
        template.set(key, "h\u00e9llo", TTL);
        assertThat(connection.get(key, UTF8)).isEqualTo("h\u00e9llo");
        for (String bad : List.of("", "a b", "a\r\ndelete " + key, "a\u0000", "k".repeat(251), "\u00e9".repeat(126))) {
            assertThatIllegalArgumentException().isThrownBy(() -> connection.get(bad, UTF8));
            assertThatIllegalArgumentException().isThrownBy(() -> connection.set(bad, "v", TTL, UTF8));
        }
        assertThat(template.get(key)).isEqualTo("h\u00e9llo");
    }

    @Test
    void hiddenKeysAreInNoMessageOfAHandleOrATemplate(MemcachedServer server) {
        template.set(key, "no number", TTL);
        try (MemcachedConnectionFactory hidden = variant.builder(server.host(), server.port())
                        .hideKeys(true)
                        .build();
                MemcachedConnection handle = hidden.getConnection()) {
            MemcachedTemplate<Long> numbers = new MemcachedTemplate<>(hidden, Transcoder.counter());
            List<ThrowingCallable> reads = List.of(
                    () -> handle.get(key, Transcoder.counter()),
                    () -> numbers.get(key),
                    () -> numbers.withTimeout(Duration.ofSeconds(10)).get(key),
                    () -> numbers.withTimeout(Duration.ofSeconds(10)).execute(c -> c.get(key, Transcoder.counter())));
            for (ThrowingCallable read : reads) {
                assertThatExceptionOfType(MemcachedDecodingException.class)
                        .isThrownBy(read)
                        .satisfies(failure -> assertThat(failure).message().doesNotContain(key));
            }
        }
    }

    @Test
    void undecodableValuesAreMissesUnderTreatAsMiss(MemcachedServer server) {
        assumeThat(engine).isEqualTo(Engine.MEMSHARD);
        template.set(key, "no number", TTL);
        try (MemcachedConnectionFactory factory = variant.builder(server.host(), server.port())
                        .failurePolicy(FailurePolicy.TREAT_AS_MISS)
                        .build();
                MemcachedConnection handle = factory.getConnection()) {
            assertThat(handle.get(key, Transcoder.counter())).isNull();
            assertThat(handle.get(key, UTF8)).isEqualTo("no number");
            assertThat(new MemcachedTemplate<>(factory, Transcoder.counter()).get(key))
                    .isNull();
        }
    }

    @Test
    void metaCommandsWorkIfTheEngineSpeaksThem() {
        if (engine == Engine.SPYMEMCACHED) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> connection.client(UTF8).meta(), () -> template.async().meta())) {
                assertThatThrownBy(call)
                        .isInstanceOf(MemcachedUnsupportedException.class)
                        .hasMessageContaining("use engine MEMSHARD");
            }
            return;
        }
        MetaClient<String> meta = connection.client(UTF8).meta();
        assertThat(meta.set(SetRequest.of(key, "a").ttl(TTL)).isDone()).isTrue();
        MetaItem<String> item = template.meta().get(GetRequest.of(key).returning(ItemField.VALUE, ItemField.TTL));
        assertThat(item.value()).isEqualTo("a");
        assertThat(item.ttl()).isNotEmpty();
        assertThat(template.meta().arithmetic(ArithmeticRequest.of(key + "n")).status())
                .isEqualTo(WriteStatus.NOT_FOUND);
        assertThat(meta.debug(key)).isNotNull();
        template.async().meta().noop().join();
        assertThat(template.meta().delete(DeleteRequest.of(key).invalidate())).isEqualTo(WriteStatus.DONE);
        assertThat(template.getOrLoad(key, TTL, k -> "loaded with " + template.get(k)))
                .isEqualTo("loaded with a");
    }

    @Test
    void aClosedHandleOfAPoolIsOfNoUse() {
        List<ThrowingCallable> calls = new ArrayList<>(List.of(
                () -> connection.get(key, UTF8),
                () -> connection.set(key, "a", TTL, UTF8),
                () -> connection.client(UTF8).delete(key)));
        calls.add(connection.client(UTF8)::version);
        if (engine == Engine.MEMSHARD) {
            calls.add(connection.client(UTF8).meta()::noop);
        }
        connection.close();
        connection.close();
        for (ThrowingCallable call : calls) {
            if (mode == Mode.POOLED) {
                assertThatIllegalStateException().isThrownBy(call).withMessageContaining("returned to the pool");
            } else {
                assertThat(catchThrowable(call)).isNull();
            }
        }
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
                .satisfies(e -> assertThat(e.key()).isEqualTo(key));
        assertThat(template.get(key)).isEqualTo("5");
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
                        throw new IllegalStateException("the caller's");
                    }));
            template.async().get(key).join();
        }
    }
}
