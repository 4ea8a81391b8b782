// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.ItemKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What reads make of an item that was invalidated. */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosenMetaUnguarded")
@Tag("once")
class StaleItemsIT extends OperationsFixture {

    private static final Duration STALE_FOR = Duration.ofMinutes(5);

    /** A read that was not asked to load. */
    enum Read {
        GET(MemcachedClient::get),
        GETS(MemcachedClient::gets),
        MULTI_GET((client, key) -> client.multiGet(List.of(key, key + "2", key + "3"))),
        MULTI_GETS((client, key) -> client.multiGets(List.of(key, key + "2", key + "3"))),
        MULTI_GET_AND_TOUCH((client, key) -> client.multiGetAndTouch(List.of(key, key + "2"), STALE_FOR)),
        TOUCH((client, key) -> client.touch(key, STALE_FOR)),
        GET_AND_TOUCH((client, key) -> client.getAndTouch(key, STALE_FOR)),
        META_GET((client, key) -> client.meta().get(GetRequest.of(key))),
        META_GET_BINARY((client, key) ->
                client.meta().get(GetRequest.of(ItemKey.binary(key.getBytes(StandardCharsets.UTF_8)))));

        private final BiConsumer<MemcachedClient<String>, String> call;

        Read(BiConsumer<MemcachedClient<String>, String> call) {
            this.call = call;
        }
    }

    StaleItemsIT(ClientVariant variant) {
        super(variant);
    }

    @Test
    void invalidateTellsWhetherThereWasAnItemAndEndsItsTime() {
        assertThat(client.invalidate(key("a"), STALE_FOR)).isFalse();
        client.set(key("a"), "old", HOUR);
        assertThat(client.invalidate(key("a"), STALE_FOR)).isTrue();
        assertThat(ttl(key("a"))).isBetween(STALE_FOR.minusSeconds(10), STALE_FOR.plusSeconds(1));
        assertThat(client.get(key("a"))).isEqualTo("old");
        client.set(key("a"), "new", HOUR);
        assertThat(client.get(key("a"))).isEqualTo("new");
        expiresWithin(key("a"), HOUR);
    }

    @Test
    void staleItemIsLoadedAtOnceAndReadMeanwhile() {
        client.set(key("a"), "old", HOUR);
        client.invalidate(key("a"), STALE_FOR);
        assertThat(client.getOrLoad(key("a"), HOUR, key -> {
                    assertThat(client.get(key)).isEqualTo("old");
                    assertThat(client.getOrLoad(key, HOUR, k -> "not loaded")).isEqualTo("old");
                    return "new";
                }))
                .isEqualTo("new");
        assertThat(client.get(key("a"))).isEqualTo("new");
    }

    @Test
    void valueThatWasLoadedBeforeTheInvalidationIsNotStored() {
        assertThat(client.getOrLoad(key("a"), HOUR, key -> {
                    assertThat(client.invalidate(key, STALE_FOR)).isTrue();
                    return "old";
                }))
                .isEqualTo("old");
        assertThat(client.getOrLoad(key("a"), HOUR, key -> "new")).isEqualTo("new");
        assertThat(client.get(key("a"))).isEqualTo("new");
    }

    @ParameterizedTest
    @EnumSource(Read.class)
    void noReadKeepsOthersFromLoading(Read read) {
        client.multiSet(Map.of(key("a"), "old", key("a2"), "old", key("a3"), "old"), HOUR);
        for (String name : List.of("a", "a2", "a3")) {
            client.invalidate(key(name), STALE_FOR);
        }
        read.call.accept(client, key("a"));
        for (String name : List.of("a", "a2", "a3")) {
            eventually(
                    "the item is loaded",
                    () -> client.getOrLoad(key(name), HOUR, key -> "new").equals("new"));
            assertThat(client.get(key(name))).isEqualTo("new");
        }
    }

    @ParameterizedTest
    @EnumSource(Read.class)
    void callersThatWantNoStaleValueNeedNotWaitLong(Read read) {
        client.set(key("a"), "old", HOUR);
        client.invalidate(key("a"), STALE_FOR);
        read.call.accept(client, key("a"));
        LoadOptions fresh =
                LoadOptions.DEFAULTS.withServesStale(false).withMaxWait(TIMEOUT).withFailsAfterWait(true);
        assertThat(client.getOrLoad(key("a"), HOUR, key -> "new", fresh)).isEqualTo("new");
    }

    @Test
    void givingBackLeavesValueAndTimeToLive() {
        client.set(key("a"), "old", HOUR);
        client.invalidate(key("a"), STALE_FOR);
        assertThat(client.get(key("a"))).isEqualTo("old");
        GetRequest claim = GetRequest.of(key("a")).returning(ItemField.CAS);
        eventually(
                "the claim is there for another", () -> client.meta().get(claim).isWon());
        assertThat(client.get(key("a"))).isEqualTo("old");
        assertThat(ttl(key("a"))).isBetween(STALE_FOR.minusSeconds(10), STALE_FOR.plusSeconds(1));
    }

    private Duration ttl(String key) {
        GetRequest ttl = GetRequest.of(key).returning(ItemField.TTL);
        return client.meta().get(ttl).ttl().orElseThrow();
    }

    @Test
    void callerOfGetsCanStoreByCas() {
        client.set(key("a"), "old", HOUR);
        client.invalidate(key("a"), STALE_FOR);
        CasValue<String> read = client.gets(key("a"));
        assertThat(client.cas(key("a"), read.value() + "er", read.casUnique(), HOUR))
                .isEqualTo(CasResult.STORED);
        assertThat(client.get(key("a"))).isEqualTo("older");
    }
}
