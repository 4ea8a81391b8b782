// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.memshard.Memshard;
import io.memshard.testkit.EmbeddedMemcached;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.Cache.ValueWrapper;

/** Counts the commands of each call on the wire. None of the first so many is answered before all have been sent. */
@Timeout(60)
class RoundTripsTest {

    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    private final HoldingProxy proxy;
    private final Memshard memshard;
    private final Memshard direct = Caches.memshard(server.address());
    private final MemcachedCache cache;
    private final MemcachedCache elsewhere = Caches.books(direct);

    RoundTripsTest() throws IOException {
        proxy = new HoldingProxy(server.address());
        memshard = Caches.memshard(proxy.address());
        cache = Caches.books(memshard);
    }

    @BeforeEach
    void learnTheGenerations() {
        memshard.awaitReady(Duration.ofSeconds(30));
        for (String key : List.of("absent", "empty", "key")) {
            assertThat(cache.get(key)).isNull();
        }
        cache.put("there", "value");
    }

    @AfterEach
    void close() throws IOException {
        try {
            assertThat(cache.getStatistics().lostLookups()).isZero();
            assertThat(cache.getStatistics().lostWrites()).isZero();
        } finally {
            memshard.close();
            direct.close();
            proxy.close();
            server.close();
        }
    }

    private static Arguments call(String commands, Function<MemcachedCache, Object> call, @Nullable Object result) {
        return arguments(commands, call, result);
    }

    private static @Nullable Object valueOf(@Nullable Object wrapper) {
        return wrapper == null ? null : ((ValueWrapper) wrapper).get();
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                call("mg mg", cache -> valueOf(cache.get("there")), "value"),
                call("mg mg", cache -> valueOf(cache.get("absent")), null),
                call("mg mg", cache -> valueOf(cache.retrieve("there").join()), "value"),
                call("mg mg", cache -> cache.get("there", () -> "not called"), "value"),
                call("mg md|md mg", cache -> cache.evictIfPresent("there"), true),
                call("mg ms|ms mg", cache -> valueOf(cache.putIfAbsent("key", "value")), null),
                call("mg mg ms", cache -> cache.get("key", () -> "loaded"), "loaded"),
                call(
                        "mg mg ms",
                        cache -> cache.retrieve("key", () -> completedFuture("loaded"))
                                .join(),
                        "loaded"));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void eachCallSendsItsFirstCommandsTogether(
            String commands, Function<MemcachedCache, Object> call, @Nullable Object result) {
        proxy.holdUntil(2);
        assertThat(call.apply(cache)).isEqualTo(result);
        assertThat(String.join(" ", proxy.commands())).matches(commands);
    }

    @Test
    void aPutTakesOne() {
        for (String value : List.of("value", "")) {
            proxy.holdUntil(2);
            cache.put("key", value);
            assertThat(proxy.commands()).containsExactlyInAnyOrder("mg", "ms");

            assertThat(elsewhere.get("key").get()).isEqualTo(value);
        }
        proxy.holdUntil(2);
        assertThat(cache.get("key").get()).isEqualTo("");
        assertThat(proxy.commands()).containsExactly("mg", "mg");
    }

    @Test
    void aClearTakesOne() {
        proxy.holdUntil(Partitions.COUNT);
        cache.clear();
        assertThat(proxy.commands()).hasSize(Partitions.COUNT).containsOnly("ms");
    }

    @Test
    void theFirstCallAfterAClearElsewhereTakesTwo() {
        elsewhere.clear();
        elsewhere.put("there", "newer");
        for (int commands = 3; commands >= 2; commands--) {
            proxy.holdUntil(2);
            assertThat(cache.get("there").get()).isEqualTo("newer");
            assertThat(proxy.commands()).hasSize(commands).containsOnly("mg");
        }
    }
}
