// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.meta.WriteStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What reads make of an item that was invalidated. */
@ParameterizedClass
@MethodSource("io.memshard.client.ClientVariant#chosenMeta")
class StaleItemsIT extends OperationsFixture {

    private static final Duration STALE_FOR = Duration.ofMinutes(5);

    /** A read that was not asked to load. Those with a cas unique, which give back later, are in LoadEdgesIT. */
    enum Read {
        GET((client, keys) -> keys.forEach(client::get)),
        MULTI_GET(MemcachedClient::multiGet),
        MULTI_GET_AND_TOUCH((client, keys) -> client.multiGetAndTouch(keys, STALE_FOR)),
        TOUCH((client, keys) -> keys.forEach(key -> client.touch(key, STALE_FOR))),
        GET_AND_TOUCH((client, keys) -> keys.forEach(key -> client.getAndTouch(key, STALE_FOR))),
        META_GET((client, keys) -> keys.forEach(key -> client.meta().get(GetRequest.of(key)))),
        META_GET_BINARY((client, keys) ->
                keys.forEach(key -> client.meta().get(GetRequest.of(key.getBytes(StandardCharsets.UTF_8)))));

        private final BiConsumer<MemcachedClient<String>, List<String>> call;

        Read(BiConsumer<MemcachedClient<String>, List<String>> call) {
            this.call = call;
        }
    }

    StaleItemsIT(ClientVariant variant) {
        super(variant);
    }

    @Test
    void noReadKeepsOthersFromLoading() {
        for (Read read : Read.values()) {
            List<String> keys = IntStream.rangeClosed(1, 3)
                    .mapToObj(i -> key(read.name() + i))
                    .toList();
            keys.forEach(key -> client.set(key, "old", HOUR));
            keys.forEach(key -> client.invalidate(key, STALE_FOR));
            read.call.accept(client, keys);
            for (String key : keys) {
                eventually(
                        read + " has given back",
                        () -> client.getOrLoad(key, HOUR, k -> "new").equals("new"));
                assertThat(client.get(key)).isEqualTo("new");
            }
        }
    }

    @Test
    void releasingAClaimLeavesValueAndTimeToLive() {
        client.set(key("a"), "old", HOUR);
        client.invalidate(key("a"), STALE_FOR);
        assertThat(client.get(key("a"))).isEqualTo("old");
        GetRequest claim = GetRequest.of(key("a")).returning(ItemField.CAS);
        eventually(
                "the claim is there for another", () -> client.meta().get(claim).isWon());
        assertThat(client.get(key("a"))).isEqualTo("old");
        assertThat(ttl(key("a"))).isBetween(STALE_FOR.minusMinutes(1), STALE_FOR.plusSeconds(1));
    }

    private Duration ttl(String key) {
        GetRequest ttl = GetRequest.of(key).returning(ItemField.TTL);
        return client.meta().get(ttl).ttl().orElseThrow();
    }

    @Test
    void callerOfGetsCanStoreByCas() {
        client.set(key("a"), "old", HOUR);
        client.invalidate(key("a"), STALE_FOR);
        long startNanos = System.nanoTime();
        CasValue<String> read = client.gets(key("a"));
        WriteStatus result = client.cas(key("a"), read.value() + "er", read.casUnique(), HOUR);
        // From then on the claim is given back, which changes the cas unique.
        assumeThat(System.nanoTime() - startNanos).isLessThan(1_000_000_000);
        assertThat(result).isEqualTo(WriteStatus.DONE);
        assertThat(client.get(key("a"))).isEqualTo("older");
    }
}
