// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedIllegalKeyException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code multiGetOrLoad}: one loader for many keys, with what {@code getOrLoad} promises for each. */
@Timeout(300)
@ParameterizedClass
@EnumSource(Transport.class)
class MultiLoadIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    private final LeakCheck leakCheck = LeakCheck.start();
    private final Transport transport;
    private final List<Set<String>> loads = new ArrayList<>();

    private EmbeddedMemcached server;
    private Memshard memshard;
    private MemcachedClient<String> client;

    MultiLoadIT(Transport transport) {
        this.transport = transport;
    }

    @BeforeEach
    void start() {
        server = EmbeddedMemcached.start();
        memshard = Fleet.patient()
                .servers(server.host() + ':' + server.port())
                .transport(transport)
                .maxInFlight(150)
                .build();
        client = memshard.client(Transcoder.utf8());
    }

    @AfterEach
    void stop() {
        memshard.close();
        server.close();
        leakCheck.assertNothingLeft();
    }

    private Map<String, String> load(Set<String> keys) {
        loads.add(keys);
        return keys.stream()
                .filter(key -> !key.equals("none"))
                .collect(Collectors.toMap(key -> key, key -> "of " + key));
    }

    @Test
    void oneCallLoadsAllMisses() {
        client.set("a", "1", TTL);
        MultiGetResult<String> result = client.multiGetOrLoad(List.of("a", "b", "none", "c", "b"), TTL, this::load);
        assertThat(result.hitsOrThrow()).isEqualTo(Map.of("a", "1", "b", "of b", "c", "of c"));
        assertThat(result.misses()).containsExactly("none");
        assertThat(loads).containsExactly(Set.of("b", "none", "c"));
        assertThat(client.multiGet(List.of("b", "c", "none")).hits()).isEqualTo(Map.of("b", "of b", "c", "of c"));
        assertThat(client.add("none", "1", TTL)).as("the claim is given back").isTrue();
        assertThat(client.multiGetOrLoad(List.of("a", "b"), TTL, this::load).hits())
                .hasSize(2);
        assertThat(client.multiGetOrLoad(List.of(), TTL, this::load).hits()).isEmpty();
        assertThat(loads).hasSize(1);
    }

    @Test
    void illegalKeysAreFailuresAndTheOthersAreLoaded() {
        AsyncMemcachedClient<String> async = memshard.asyncClient(Transcoder.utf8());
        List<String> keys = List.of("a", "a b", "", "a b");
        for (MultiGetResult<String> result : List.of(
                client.multiGetOrLoad(keys, TTL, this::load),
                async.multiGetOrLoad(keys, TTL, some -> CompletableFuture.completedFuture(load(some)))
                        .join(),
                client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS).multiGetOrLoad(keys, TTL, this::load))) {
            assertThat(result.hits()).isEqualTo(Map.of("a", "of a"));
            assertThat(result.misses()).isEmpty();
            assertThat(result.failures()).containsOnlyKeys("a b", "");
            assertThat(result.failures().values()).hasOnlyElementsOfType(MemcachedIllegalKeyException.class);
        }
        assertThat(client.multiGetOrLoad(List.of("a b"), TTL, this::load).failures())
                .containsOnlyKeys("a b");
        assertThat(loads).containsExactly(Set.of("a"));
    }

    @Test
    void aFailedLoaderReleasesEachClaim() {
        assertThatIllegalStateException()
                .isThrownBy(() -> client.multiGetOrLoad(List.of("a", "b"), TTL, keys -> {
                    throw new IllegalStateException("broken");
                }))
                .withMessage("broken");
        assertThat(client.add("a", "1", TTL)).isTrue();
    }

    @Test
    void moreKeysThanFitInFlightAreLoadedAndStored() {
        List<String> keys = IntStream.range(0, 1_000).mapToObj(i -> "k" + i).toList();
        assertThat(client.multiGetOrLoad(keys, TTL, this::load).hitsOrThrow()).hasSize(1_000);
        assertThat(loads).singleElement().satisfies(all -> assertThat(all).hasSize(1_000));
        assertThat(client.multiGet(keys).hitsOrThrow()).hasSize(1_000);
    }

    @Test
    void anInterruptedCallerReleasesItsClaims() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(MemcachedInterruptedException.class)
                .isThrownBy(() -> client.multiGetOrLoad(List.of("a"), TTL, this::load));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(client.getOrLoad("a", TTL, key -> "loaded")).isEqualTo("loaded");
    }
}
