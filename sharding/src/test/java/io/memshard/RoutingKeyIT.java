// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients whose commands all go to the server of one key. */
@Timeout(300)
class RoutingKeyIT {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int SERVERS = 3;
    private static final int MANY = 60;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <C extends AutoCloseable> C opened(C resource) {
        opened.add(0, resource);
        return resource;
    }

    private Memshard fleet(int count, Function<MemshardBuilder, MemshardBuilder> settings) {
        String servers = IntStream.range(0, count)
                .mapToObj(i -> "127.0.0.1:" + opened(EmbeddedMemcached.start()).port())
                .collect(Collectors.joining(", "));
        return opened(settings.apply(Fleet.patient().servers(servers)).build());
    }

    private Memshard fleet(int count) {
        return fleet(count, settings -> settings);
    }

    private static String key(int i) {
        return "key" + i;
    }

    private static List<String> keys() {
        return IntStream.range(0, MANY).mapToObj(RoutingKeyIT::key).toList();
    }

    private static Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        keys().forEach(key -> values.put(key, "value of " + key));
        return values;
    }

    /** Keys of which a server has the items. */
    private static List<String> storedAt(ServerAddress server, List<String> keys) {
        try (Memshard direct = Fleet.patient().servers(server.toString()).build()) {
            return List.copyOf(direct.client().multiGet(keys).hitsOrThrow().keySet());
        }
    }

    private static void assertAllAtTheServerOf(String routingKey, Memshard memshard, List<String> stored) {
        ServerAddress own = memshard.serverOf(routingKey).address();
        memshard.servers()
                .forEach(server -> assertThat(storedAt(server.address(), stored))
                        .as("items on %s, where the server of the routing key is %s", server, own)
                        .hasSize(server.address().equals(own) ? stored.size() : 0));
    }

    private static void useEachKindOfOperation(MemcachedClient<String> client, AsyncMemcachedClient<String> async) {
        client.multiSet(values(), HOUR).doneOrThrow();
        assertThat(client.multiGet(keys()).hitsOrThrow()).isEqualTo(values());
        client.set(key(0), "set", HOUR);
        assertThat(async.get(key(0)).join()).isEqualTo("set");
        assertThat(client.delete(key(1))).isTrue();
        assertThat(client.getOrLoad(key(1), HOUR, key -> "loaded", LoadOptions.DEFAULTS))
                .isEqualTo("loaded");
        client.set(key(1), "in all zones", HOUR);
        assertThat(async.delete(key(2)).join()).isTrue();
        async.set(key(2), "again", HOUR).join();
        assertThat(client.add(key(3), "not stored", HOUR)).isFalse();
        assertThat(async.multiGet(keys()).join().hitsOrThrow()).hasSize(MANY);
    }

    @ParameterizedTest
    @EnumSource
    void allItemsAreOnTheServerOfTheRoutingKey(FailurePolicy policy) {
        Memshard memshard = fleet(SERVERS, settings -> settings.failurePolicy(policy));
        for (String routingKey : List.of("books", "films", "a routing key that is hashed")) {
            MemcachedClient<String> client =
                    memshard.client(Transcoder.utf8()).withHashedKeys().withRoutingKey(routingKey);
            useEachKindOfOperation(
                    client,
                    memshard.asyncClient(Transcoder.utf8()).withHashedKeys().withRoutingKey(routingKey));
            if (!routingKey.contains(" ")) {
                assertAllAtTheServerOf(routingKey, memshard, keys());
            }
            assertThat(client.multiDelete(keys()).failures()).isEmpty();
        }
    }

    @Test
    void anotherServerTakesThePlaceOfOneThatIsEjected() {
        Memshard memshard = fleet(SERVERS, settings -> settings.serverDown(ServerDownPolicy.NEXT_SERVER));
        MemcachedClient<String> client = memshard.client(Transcoder.utf8()).withRoutingKey("books");
        int port = memshard.serverOf("books").address().port();
        opened.stream()
                .filter(each -> each instanceof EmbeddedMemcached server && server.port() == port)
                .map(EmbeddedMemcached.class::cast)
                .findFirst()
                .orElseThrow()
                .close();
        eventually("the next server has all keys", () -> {
            client.multiSet(values(), HOUR);
            return client.multiGet(keys()).hits().size() == MANY;
        });
    }

    @Test
    void asynchronousClientHasTheSettingsOfTheBlockingOne() {
        Memshard memshard = fleet(SERVERS);
        MemcachedClient<String> client = memshard.client(Transcoder.utf8())
                .withKeyPrefix("shop:")
                .withTimeout(LONG)
                .withHashedKeys()
                .withRoutingKey("books");
        AsyncMemcachedClient<String> async = client.async();
        useEachKindOfOperation(client, async);
        assertThat(async.toString()).contains("PT1M").contains("shop:");
        assertAllAtTheServerOf(
                "shop:books",
                memshard,
                keys().stream().map(key -> "shop:" + key).toList());
    }

    @Test
    void routingKeyMustBeAKey() {
        MemcachedClient<String> client = fleet(SERVERS).client(Transcoder.utf8());
        assertThatIllegalArgumentException().isThrownBy(() -> client.withRoutingKey(""));
        assertThatIllegalArgumentException().isThrownBy(() -> client.async().withRoutingKey("a b"));
    }

    @Test
    void eachZoneHasTheItemsOnItsServerOfTheRoutingKey() {
        Map<String, Memshard> zones = Map.of("one", fleet(SERVERS), "two", fleet(SERVERS + 1));
        ZonedMemshard zoned =
                opened(ZonedMemshard.of(zones, ReplicaOptions.of("one").withOwner("two")));
        useEachKindOfOperation(
                zoned.client(Transcoder.utf8()).withRoutingKey("books"),
                zoned.asyncClient(Transcoder.utf8()).withRoutingKey("books"));
        zones.values().forEach(zone -> assertAllAtTheServerOf("books", zone, keys()));
    }

    @ParameterizedTest
    @EnumSource
    void aMigrationHasTheItemsOnTheServersOfTheRoutingKey(MigrationStage stage) {
        MemshardMigration move = opened(MemshardMigration.of(
                fleet(SERVERS), fleet(SERVERS + 1), MigrationOptions.DEFAULT.withStage(MigrationStage.PREPARING)));
        MemcachedClient<String> client = move.client(Transcoder.utf8()).withRoutingKey("books");
        client.multiSet(values(), HOUR).doneOrThrow();
        assertAllAtTheServerOf("books", move.source(), keys());
        move.moveTo(stage);
        useEachKindOfOperation(client, move.asyncClient(Transcoder.utf8()).withRoutingKey("books"));
        assertAllAtTheServerOf("books", stage == MigrationStage.PREPARING ? move.source() : move.target(), keys());
    }
}
