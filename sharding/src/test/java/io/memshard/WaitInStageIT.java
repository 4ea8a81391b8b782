// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stage that waits on the event loop for a future of the same client, which that loop would complete. */
@Timeout(120)
class WaitInStageIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String LARGE = "x".repeat(2 << 20);

    private final LeakCheck leaks = LeakCheck.start();
    private final List<EmbeddedMemcached> servers = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private MemshardBuilder builder(int count, String zone, Transport transport) {
        servers.addAll(Stream.generate(EmbeddedMemcached::start).limit(count).toList());
        return Fleet.patient()
                .servers(IntStream.range(0, count)
                        .mapToObj(i ->
                                servers.get(i).host() + ':' + servers.get(i).port() + zone.formatted(i))
                        .collect(Collectors.joining(",")))
                .transport(transport)
                .ioThreads(1);
    }

    private <T extends AutoCloseable> T opened(T client) {
        opened.add(client);
        return client;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable client : opened) {
            client.close();
        }
        servers.forEach(EmbeddedMemcached::close);
        leaks.assertNothingLeft();
    }

    private static Map<String, Function<AsyncMemcachedClient<String>, CompletableFuture<?>>> calls() {
        Map<String, Function<AsyncMemcachedClient<String>, CompletableFuture<?>>> calls = new LinkedHashMap<>();
        calls.put("get", client -> client.get("k"));
        calls.put("dependent of get", client -> client.get("k").thenApply(value -> value));
        calls.put("composed", client -> client.get("k").thenCompose(value -> client.get("l")));
        calls.put("set", client -> client.set("k", "v", LONG));
        calls.put("set of too large a value", client -> client.set("k", LARGE, LONG));
        calls.put("add", client -> client.add("k", "v", LONG));
        calls.put("append", client -> client.append("k", "v"));
        calls.put("incr", client -> client.incr("k", 1));
        calls.put("touch", client -> client.touch("k", LONG));
        calls.put("update", client -> client.update("k", LONG, value -> "w"));
        calls.put("multiGet", client -> client.multiGet(List.of("k", "l", "m")));
        calls.put("multiSet", client -> client.multiSet(Map.of("k", "v", "l", "v"), LONG));
        calls.put("multiDelete", client -> client.multiDelete(List.of("k", "l")));
        calls.put("getOrLoad", client -> client.getOrLoad("k", LONG, key -> CompletableFuture.completedFuture("v")));
        calls.put(
                "multiGetOrLoad",
                client -> client.multiGetOrLoad(
                        List.of("k", "l"), LONG, keys -> CompletableFuture.completedFuture(Map.of())));
        calls.put("meta", client -> client.meta().get(GetRequest.of("k").returning(ItemField.VALUE)));
        return calls;
    }

    @ParameterizedTest
    @CsvSource({"EVENT_LOOP, 1", "EVENT_LOOP, 3", "AUTO, 1", "AUTO, 3"})
    void waitsFailAtOnce(Transport transport, int count) throws Exception {
        check(opened(builder(count, "", transport).build()).asyncClient(Transcoder.utf8()));
    }

    @Test
    void waitsFailAtOnceWithZones() throws Exception {
        check(opened(builder(3, "@zone%d", Transport.AUTO)
                        .buildZones(ReplicaOptions.of("zone1").withOwner("zone1")))
                .asyncClient(Transcoder.utf8()));
    }

    private static void check(AsyncMemcachedClient<String> client) throws Exception {
        for (var call : calls().entrySet()) {
            assertThat(onLoop(client, () -> call.getValue().apply(client).join()))
                    .describedAs("join of %s", call.getKey())
                    .isExactlyInstanceOf(MemcachedUnsupportedException.class)
                    .hasMessageContaining("thenCompose")
                    .hasMessageContaining("completionExecutor");
        }
        assertThat(onLoop(client, () -> client.get("k").get())).isInstanceOf(MemcachedUnsupportedException.class);
        assertThat(onLoop(client, () -> client.get("k").get(1, TimeUnit.MINUTES)))
                .isInstanceOf(MemcachedUnsupportedException.class);
        // The waits that failed cost nothing: the loop answers. Their commands may still change the other keys.
        assertThat(client.set("another", "v", LONG)
                        .thenCompose(nothing -> client.get("another"))
                        .get(1, TimeUnit.MINUTES))
                .isEqualTo("v");
    }

    /** Runs a step in a stage on the event loop. Returns its failure; null if it has none. */
    private static @Nullable Throwable onLoop(AsyncMemcachedClient<String> client, Callable<?> step) throws Exception {
        Thread caller = Thread.currentThread();
        while (true) {
            var failure = client.get("first")
                    .thenApply(value -> Thread.currentThread() == caller ? null : List.of(failureOf(step)))
                    .get(1, TimeUnit.MINUTES);
            if (failure != null) {
                return failure.get(0);
            }
        }
    }

    private static Throwable failureOf(Callable<?> step) {
        try {
            return new AssertionError("no failure, but " + step.call());
        } catch (Throwable e) {
            return e;
        }
    }

    @Test
    void waitForAnotherClientIsAllowed() throws Exception {
        AsyncMemcachedClient<String> first =
                opened(builder(1, "", Transport.AUTO).build()).asyncClient(Transcoder.utf8());
        AsyncMemcachedClient<String> second =
                opened(builder(2, "", Transport.AUTO).build()).asyncClient(Transcoder.utf8());
        MemcachedClient<String> blocking =
                opened(builder(3, "", Transport.AUTO).build()).client(Transcoder.utf8());
        assertThat(first.get("k").thenApply(none -> second.get("k").join()).get(1, TimeUnit.MINUTES))
                .isNull();
        assertThat(first.get("k").thenApply(none -> blocking.get("k")).get(1, TimeUnit.MINUTES))
                .isNull();
    }
}
