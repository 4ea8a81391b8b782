// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners, failure policies and loads are the same in each mode of the engine memshard. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Mode.class)
class TemplateModesIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    private final LeakCheck leakCheck = LeakCheck.start();
    private final EmbeddedMemcached server = EmbeddedMemcached.start();

    @Parameter
    private Mode mode;

    @AfterEach
    void leavesNothing() {
        server.close();
        leakCheck.assertNothingLeft();
    }

    private MemcachedConnectionFactoryBuilder builder(String host, int port) {
        MemcachedConnectionFactoryBuilder builder = MemcachedConnectionFactory.builder()
                .mode(mode)
                .servers(host + ':' + port)
                .requestTimeout(Duration.ofSeconds(30))
                .connectTimeout(Duration.ofSeconds(30));
        return mode == Mode.SINGLE ? builder : builder.connectionsPerServer(1);
    }

    private MemcachedConnectionFactoryBuilder builder() {
        return builder(server.host(), server.port());
    }

    private static MemcachedTemplate<String> template(MemcachedConnectionFactory factory) {
        return new MemcachedTemplate<>(factory, Transcoder.utf8());
    }

    private static final class Observer implements CallObserver, ConnectionListener {

        private final List<Call> observed = new CopyOnWriteArrayList<>();
        private final List<CommandEnd> ended = new CopyOnWriteArrayList<>();

        @Override
        public CallObserver callObserver() {
            return this;
        }

        @Override
        public void commandEnded(CommandEnd end) {
            ended.add(end);
        }

        @Override
        public <T extends @Nullable Object> T call(Call call, Supplier<T> body) {
            observed.add(call);
            return body.get();
        }

        @Override
        public <T extends @Nullable Object> CompletableFuture<T> start(Call call, Supplier<CompletableFuture<T>> body) {
            observed.add(call);
            return body.get();
        }
    }

    @Test
    void eachCallIsObservedOnceAndEachListenerIsNotified() {
        Observer observer = new Observer();
        Observer second = new Observer();
        try (MemcachedConnectionFactory factory =
                builder().listener(observer).listener(second).build()) {
            MemcachedTemplate<String> template = template(factory);
            template.get("a");
            template.async().get("b").join();
            template.withTimeout(Duration.ofSeconds(9)).multiGet(List.of("c", "d"));
            try (MemcachedConnection handle = factory.getConnection()) {
                handle.get("e", Transcoder.utf8());
            }
        }
        ServerAddress address = new ServerAddress(server.host(), server.port());
        assertThat(observer.observed)
                .as("the pool checks what it lends")
                .filteredOn(call -> !call.operation().equals("version"))
                .containsExactly(
                        new Call("get", "a", 1, address),
                        new Call("get", "b", 1, address),
                        new Call("multiGet", null, 2, address),
                        new Call("get", "e", 1, address));
        assertThat(second.ended).extracting(CommandEnd::key).contains("a", "b", "e");
    }

    @Test
    void aPipelineHasOneConnectionWhateverTheChooser() {
        assumeTrue(mode == Mode.SHARDED, "only this mode has a chooser");
        Observer observer = new Observer();
        try (MemcachedConnectionFactory factory = builder()
                .connectionsPerServer(4)
                .chooser(ConnectionChooser.roundRobin())
                .listener(observer)
                .build()) {
            template(factory).executePipelined(pipeline -> {
                for (int i = 0; i < 20; i++) {
                    pipeline.set("k", "value " + i, TTL);
                }
            });
        }
        assertThat(observer.ended)
                .filteredOn(end -> "k".equals(end.key()))
                .hasSize(20)
                .extracting(CommandEnd::connectionIndex)
                .containsOnly(observer.ended.get(0).connectionIndex());
    }

    @Test
    void anotherCallerWaitsForTheLoad() {
        try (MemcachedConnectionFactory factory = builder().build()) {
            AsyncMemcachedClient<String> client = template(factory).async();
            CompletableFuture<Void> called = new CompletableFuture<>();
            CompletableFuture<String> value = new CompletableFuture<>();
            CompletableFuture<String> first = client.getOrLoad("k", TTL, key -> {
                called.complete(null);
                return value;
            });
            called.join();
            CompletableFuture<String> second =
                    client.getOrLoad("k", TTL, key -> CompletableFuture.completedFuture("loaded twice"));
            value.complete("loaded");
            assertThat(first).succeedsWithin(TTL).isEqualTo("loaded");
            assertThat(second).succeedsWithin(TTL).isEqualTo("loaded");
        }
    }

    @Test
    void readsAreMissesAndWritesFailWhileTheServerIsDown() {
        try (MemcachedConnectionFactory factory = builder().build();
                MemcachedConnectionFactory missing =
                        builder().failurePolicy(FailurePolicy.TREAT_AS_MISS).build();
                MemcachedConnection handle = missing.getConnection()) {
            MemcachedClient<String> client = template(factory).withFailurePolicy(FailurePolicy.TREAT_AS_MISS);
            client.set("k", "v", TTL);
            assertThat(client.get("k")).isEqualTo("v");
            assertThat(handle.get("k", Transcoder.utf8())).isEqualTo("v");
            server.close();
            assertThat(handle.get("k", Transcoder.utf8())).isNull();
            assertThat(handle.client(Transcoder.utf8()).meta().get(GetRequest.of("k")))
                    .isNull();
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("k")).isNull();
                assertThat(client.multiGet(List.of("k", "l")).misses()).containsExactly("k", "l");
                assertThat(client.getOrLoad("k", TTL, key -> "loaded")).isEqualTo("loaded");
                assertThatExceptionOfType(MemcachedConnectionException.class)
                        .isThrownBy(() -> client.set("k", "v", TTL));
                assertThat(client.multiSet(Map.of("k", "v"), TTL).failures()).containsOnlyKeys("k");
            }
        }
    }

    @Test
    void aReadThatALostConnectionHasFailedIsSentOnceMore() {
        try (ScriptedServer scripted = ScriptedServer.start()) {
            scripted.onConnection(c -> {
                c.greet();
                if (mode == Mode.POOLED) {
                    c.expectLine("version").send("VERSION 1\r\n");
                }
                c.expectLine(line -> line.startsWith("mg k ")).cut();
            });
            scripted.onConnection(c -> c.greet().replyTo(line -> switch (line.substring(0, 2)) {
                case "mn" -> "MN\r\n";
                case "ve" -> "VERSION 1\r\n";
                default -> "VA 1 " + line.substring(line.indexOf('O')) + "\r\nv\r\n";
            }));
            try (MemcachedConnectionFactory factory =
                    builder(scripted.host(), scripted.port()).build()) {
                assertThat(template(factory)
                                .withFailurePolicy(FailurePolicy.RETRY_ONCE_IF_SAFE)
                                .get("k"))
                        .isEqualTo("v");
            }
        }
    }

    @Test
    void aReadForWhichThePoolHasNoConnectionIsAMiss() {
        assumeTrue(mode == Mode.POOLED, "other modes have no pool");
        try (MemcachedConnectionFactory factory =
                builder().poolWaitLimit(Duration.ofMillis(20)).build()) {
            MemcachedClient<String> client = template(factory).withFailurePolicy(FailurePolicy.TREAT_AS_MISS);
            client.set("k", "v", TTL);
            try (MemcachedConnection held = factory.getConnection()) {
                assertThat(held.get("k", Transcoder.utf8())).isEqualTo("v");
                assertThat(client.get("k")).isNull();
                assertThat(client.multiGet(List.of("k")).misses()).containsExactly("k");
                assertThatExceptionOfType(MemcachedOverloadException.class)
                        .isThrownBy(() -> client.set("k", "w", TTL))
                        .withMessageContainingAll(
                                "all 1 connections of the pool were in use for 20 ms",
                                "close each connection after use");
            }
            assertThat(client.get("k")).isEqualTo("v");
        }
    }
}
