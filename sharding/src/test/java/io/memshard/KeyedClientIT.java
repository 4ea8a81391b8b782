// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.memshard.client.KeyedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoaderException;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Views with a time to live and typed keys, and loads whose time to live depends on the value. */
class KeyedClientIT {

    private static final Duration TTL = Duration.ofHours(1);

    private final EmbeddedMemcached server = EmbeddedMemcached.builder()
            .clock(Clock.fixed(Instant.ofEpochSecond(1_000_000_000), ZoneOffset.UTC))
            .start();
    private final Memshard memshard = Fleet.patient().servers(server.address()).build();
    private final MemcachedClient<String> client = memshard.client(Transcoder.utf8());
    private final KeyedClient<Long, String> products =
            KeyedClient.over(client, TTL).withKeys(id -> "product:" + id);

    @AfterEach
    void stop() {
        memshard.close();
        server.close();
    }

    private long secondsLeft(String key) {
        return client.meta()
                .get(GetRequest.of(key).returning(ItemField.TTL))
                .ttl()
                .orElseThrow()
                .toSeconds();
    }

    @Test
    void keysAndTimesComeFromTheView() {
        products.set(7L, "lamp");
        assertThat(client.get("product:7")).isEqualTo("lamp");
        assertThat(secondsLeft("product:7")).isEqualTo(3_600);
        assertThat(products.get(7L)).isEqualTo("lamp");
        assertThat(products.add(7L, "chair")).isFalse();
        assertThat(products.update(7L, old -> old + "s")).isEqualTo("lamps");
        assertThat(products.delete(7L)).isTrue();
        assertThat(products.get(7L)).isNull();
        KeyedClient.over(client, Duration.ofMinutes(1)).set("plain", "v");
        assertThat(secondsLeft("plain")).isEqualTo(60);
    }

    @Test
    void manyKeysComeBackWithTheirType() {
        products.multiSet(Map.of(1L, "one", 2L, "two"));
        assertThat(products.multiGet(List.of(2L, 3L, 1L))).isEqualTo(Map.of(1L, "one", 2L, "two"));
        assertThat(products.multiGetOrLoad(List.of(1L, 3L, 4L), missing -> {
                    assertThat(missing).containsExactlyInAnyOrder(3L, 4L);
                    return Map.of(3L, "three");
                }))
                .isEqualTo(Map.of(1L, "one", 3L, "three"));
        assertThat(products.multiDelete(List.of(1L, 2L, 4L))).isEqualTo(2);
        assertThat(products.multiGet(List.of(1L, 2L, 3L))).isEqualTo(Map.of(3L, "three"));
    }

    @Test
    void loadersMayThrowCheckedExceptions() {
        assertThat(products.getOrLoad(5L, key -> "of " + key)).isEqualTo("of 5");
        IOException failure = new IOException("no connection");
        assertThatExceptionOfType(ValueLoaderException.class)
                .isThrownBy(() -> products.getOrLoad(6L, key -> {
                    throw failure;
                }))
                .withCause(failure);
        assertThatExceptionOfType(ValueLoaderException.class)
                .isThrownBy(() -> products.multiGetOrLoad(List.of(6L, 8L), keys -> {
                    throw failure;
                }))
                .withMessage("the loader of 2 keys failed: " + failure)
                .withCause(failure);
        assertThat(products.add(6L, "free")).as("the claim is given back").isTrue();
        assertThatNullPointerException()
                .isThrownBy(() -> products.multiGetOrLoad(List.of(9L), keys -> null))
                .withMessage("the loader returned null in place of a map");
    }

    @Test
    void aBadViewOrKeyIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyedClient.over(client, Duration.ZERO));
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedClient.over(client, TTL)
                        .withKeys((Long key) -> null)
                        .get(1L))
                .withMessage("the function that was passed to withKeys returned null");
        assertThatNullPointerException().isThrownBy(() -> products.get(null)).withMessage("key is null");
        assertThatExceptionOfType(MemcachedIllegalKeyException.class)
                .isThrownBy(() -> KeyedClient.over(client, TTL).multiGet(List.of("a b")));
    }

    @Test
    void aLoadRemembersAMissingValueForItsOwnTime() {
        MemcachedClient<Optional<String>> remembering =
                client.withTranscoder(Transcoder.utf8().optional());
        AtomicInteger loads = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            assertThat(remembering.getOrLoad(
                            "none", this::lifetime, key -> loaded(loads, Optional.empty()), LoadOptions.DEFAULTS))
                    .isEmpty();
            assertThat(remembering.getOrLoad(
                            "some", this::lifetime, key -> loaded(loads, Optional.of("v")), LoadOptions.DEFAULTS))
                    .contains("v");
            assertThat(remembering
                            .async()
                            .getOrLoad(
                                    "later",
                                    this::lifetime,
                                    key -> CompletableFuture.completedFuture(loaded(loads, Optional.empty())),
                                    LoadOptions.DEFAULTS)
                            .join())
                    .isEmpty();
        }
        assertThat(loads).hasValue(3);
        assertThat(secondsLeft("none")).isEqualTo(60);
        assertThat(secondsLeft("later")).isEqualTo(60);
        assertThat(secondsLeft("some")).isEqualTo(3_600);
    }

    private Duration lifetime(Optional<String> value) {
        return value.isPresent() ? TTL : Duration.ofMinutes(1);
    }

    private static Optional<String> loaded(AtomicInteger loads, Optional<String> value) {
        loads.incrementAndGet();
        return value;
    }

    @Test
    void aTimeToLiveThatCannotBeStoredReleasesTheClaim() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.getOrLoad("k", value -> Duration.ZERO, key -> "v", LoadOptions.DEFAULTS));
        assertThat(client.add("k", "free", TTL)).isTrue();
    }
}
