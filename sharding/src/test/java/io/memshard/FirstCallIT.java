// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first call of a client, over a network that needs longer than the request timeout for anything. */
@Timeout(120)
class FirstCallIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration REQUEST = Duration.ofMillis(100); // Tested: all calls but the first end so.
    private static final Duration DELAY = Duration.ofMillis(120);

    /** More than one part of a call with many keys. */
    private static final List<String> KEYS =
            IntStream.range(0, 1_000).mapToObj(i -> "key" + i).toList();

    private final LeakCheck leaks = LeakCheck.start();
    private EmbeddedMemcached memcached;
    private FaultProxy network;

    /** A call, which fails if it has no result. */
    private enum Call {
        GET((client, network) -> client.get("a")),
        ASYNC_GET((client, network) -> client.async().get("a").join()),
        SET((client, network) -> client.set("a", "1", HOUR)),
        APPEND((client, network) -> client.append("a", "1")),
        ASYNC_APPEND((client, network) -> client.async().append("a", "1").join()),
        GET_OR_LOAD((client, network) -> client.getOrLoad("b", HOUR, key -> {
            network.heal(); // What is stored after the load is another command, with a time of its own.
            return "loaded";
        })),
        MULTI_GET((client, network) -> client.multiGet(KEYS).hitsOrThrow()),
        ASYNC_MULTI_SET((client, network) -> client.async()
                .multiSet(KEYS.stream().collect(Collectors.toMap(key -> key, key -> "1")), HOUR)
                .join()
                .doneOrThrow());

        private final BiConsumer<MemcachedClient<String>, FaultProxy> body;

        Call(BiConsumer<MemcachedClient<String>, FaultProxy> body) {
            this.body = body;
        }
    }

    @BeforeEach
    void start() throws IOException {
        memcached = EmbeddedMemcached.start();
        network = new FaultProxy(memcached.address());
        network.delay(DELAY);
    }

    @AfterEach
    void close() {
        network.close();
        memcached.close();
        leaks.assertNothingLeft();
    }

    private Memshard memshard() {
        return Memshard.builder()
                .servers("127.0.0.1:" + network.address().getPort())
                .connectionsPerServer(1)
                .requestTimeout(REQUEST)
                .connectTimeout(LONG)
                .livenessTimeout(LONG)
                .build();
    }

    @ParameterizedTest
    @EnumSource
    void firstCallHasTheConnectTimeoutOnTop(Call first) {
        try (Memshard memshard = memshard()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            checkFirst(first, client);
            assertThatThrownBy(() -> client.get("a"))
                    .isInstanceOf(MemcachedTimeoutException.class)
                    .hasMessageContaining("no reply within 100 ms");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GET", "SET", "MULTI_GET"})
    void firstCallOverZonesHasTheConnectTimeoutOnTop(Call first) {
        try (ZonedMemshard zoned = ZonedMemshard.of(Map.of("a", memshard(), "b", memshard()), ReplicaOptions.of("a"))) {
            checkFirst(first, zoned.client(Transcoder.utf8()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GET", "SET", "MULTI_GET"})
    void firstCallOfAMoveHasTheConnectTimeoutOnTop(Call first) {
        MigrationOptions moving = MigrationOptions.DEFAULT.withStage(MigrationStage.MOVING);
        try (MemshardMigration move = MemshardMigration.of(memshard(), memshard(), moving)) {
            checkFirst(first, move.client(Transcoder.utf8()));
        }
    }

    private void checkFirst(Call first, MemcachedClient<String> client) {
        first.body.accept(client, network);
        network.delay(DELAY);
        assertThatThrownBy(() -> client.get("a")).isInstanceOf(MemcachedException.class);
    }
}
