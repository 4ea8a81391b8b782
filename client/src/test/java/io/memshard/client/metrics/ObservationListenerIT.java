// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.PatientOptions;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.contract.AsyncAsBlocking;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedServerException;
import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.operation.Calls;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {false, true})
class ObservationListenerIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    @Parameter
    private boolean isAsynchronous;

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();

    private EmbeddedMemcached server;
    private ServerAddress address;
    private ConnectionGroup group;
    private MemcachedClient<String> client;

    @BeforeEach
    void connect() {
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                ended.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        server = EmbeddedMemcached.start();
        address = new ServerAddress(server.host(), server.port()).withName("cache-2");
        connect(PatientOptions.create(), new ObservationListener(registry, "sessions"));
    }

    private void connect(ConnectionOptions options, ConnectionListener listener) {
        if (group != null) {
            group.close();
        }
        group = new ConnectionGroup(options, 1, listener);
        Connection connection = group.newConnection(address, 0, Transport.CALLER_DRIVEN);
        boolean hidesKeys = options.hideKeys;
        Calls.Observation observed = Calls.Observation.by(listener, key -> address, hidesKeys);
        Calls calls = new Calls(connection, FailurePolicy.FAIL_FAST, LONG, observed, n -> n);
        client = isAsynchronous
                ? AsyncAsBlocking.of(
                        Clients.blocking(calls, Transcoder.utf8(), 1024).async())
                : Clients.blocking(calls, Transcoder.utf8(), 1024);
    }

    @AfterEach
    void close() {
        group.close();
        server.close();
    }

    private static Map<String, String> asMap(KeyValues keys) {
        return keys.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    private static Map<String, String> lowCardinalityKeys(String operation) {
        return Map.of(
                "db.system.name",
                "memcached",
                "db.operation.name",
                operation,
                "db.client.connection.pool.name",
                "sessions");
    }

    private Map<String, String> keysOf(Observation.Context call) {
        Map<String, String> keys = new HashMap<>(asMap(call.getHighCardinalityKeyValues()));
        assertThat(keys.remove("server.address")).isEqualTo(address.host());
        assertThat(keys.remove("server.port")).isEqualTo(String.valueOf(address.port()));
        return keys;
    }

    private static @Nullable String parentOf(Observation.Context context) {
        ObservationView parent = context.getParentObservation();
        return parent == null ? null : parent.getContextView().getName();
    }

    private List<String> contextualNames() {
        return ended.stream().map(Observation.Context::getContextualName).toList();
    }

    @Test
    void callIsAChildOfTheCallersObservation() {
        Observation.createNotStarted("request", registry).observe(() -> {
            client.get("user:1");
        });

        assertThat(ended).hasSize(2);
        Observation.Context call = ended.get(0);
        assertThat(call.getName()).isEqualTo("db.client.operation.duration");
        assertThat(call.getContextualName()).isEqualTo("get cache-2");
        assertThat(parentOf(call)).isEqualTo("request");
        assertThat(asMap(call.getLowCardinalityKeyValues())).isEqualTo(lowCardinalityKeys("get"));
        assertThat(keysOf(call)).isEqualTo(Map.of("memshard.result", "miss"));
        assertThat(((CallContext) call).getRemoteServiceName()).isEqualTo("memcached");
        assertThat(((CallContext) call).getRemoteServiceAddress()).isEqualTo(address.hostAndPort());
    }

    @Test
    @SuppressWarnings("try") // A scope is only to be open.
    void stagesOfAnAsynchronousCallHaveTheCallersObservation() {
        CompletableFuture<@Nullable Observation> seen = new CompletableFuture<>();
        Observation request = Observation.start("request", registry);
        ObservationListener listener = new ObservationListener(registry);
        try (ConnectionGroup silent = new ConnectionGroup(PatientOptions.create(), 1, listener);
                Observation.Scope current = request.openScope()) {
            Connection connection = silent.newConnection(address, 0, Transport.EVENT_LOOP);
            Calls.Observation observed = Calls.Observation.by(listener, key -> address, false);
            Calls calls = new Calls(connection, FailurePolicy.FAIL_FAST, LONG, observed, n -> n);
            // The first call connects, so its stage is attached before its reply comes.
            Clients.blocking(calls, Transcoder.utf8(), 1024)
                    .async()
                    .get("a")
                    .thenRun(() -> seen.complete(
                            Thread.currentThread().getName().startsWith("memshard")
                                    ? registry.getCurrentObservation()
                                    : request))
                    .join();
        }

        assertThat(seen.join()).isSameAs(request);
    }

    @Test
    void manyKeysAreOneObservation() {
        List<String> keys = IntStream.range(0, 1000).mapToObj(i -> "key" + i).toList();
        client.withFailurePolicy(FailurePolicy.TREAT_AS_MISS).multiGet(keys);

        assertThat(contextualNames()).containsExactly("multiGet cache-2");
        assertThat(ended)
                .allSatisfy(call -> assertThat(keysOf(call)).isEqualTo(Map.of("db.operation.batch.size", "1000")));
    }

    @Test
    void illegalKeysCountAmongManyAndAreNoError() {
        List<String> keys = List.of("a", "a b");
        client.multiGet(keys);
        client.multiGetOrLoad(keys, TTL, some -> Map.of());
        client.multiDelete(keys);

        assertThat(ended).hasSize(3).allSatisfy(call -> {
            assertThat(call.getError()).isNull();
            assertThat(keysOf(call)).containsEntry("db.operation.batch.size", "2");
        });
    }

    @Test
    void getOrLoadIsOneObservationAroundItsLoader() {
        client.getOrLoad("a", TTL, key -> {
            Observation.start("load", registry).stop();
            return "1";
        });

        assertThat(contextualNames()).containsExactly(null, "getOrLoad cache-2");
        if (!isAsynchronous) {
            assertThat(parentOf(ended.get(0))).isEqualTo("db.client.operation.duration");
        }
    }

    @Test
    void failureIsTheErrorOfItsObservation() {
        client.set("text", "no number", TTL);
        assertThatExceptionOfType(MemcachedServerException.class).isThrownBy(() -> client.incr("text", 1));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> client.getOrLoad("a", TTL, key -> {
                    throw new IllegalStateException("no database");
                }));

        assertThat(ended.subList(1, 3))
                .extracting(call -> keysOf(call).get("error.type"))
                .containsExactly("server", "error");
        assertThat(ended.get(1).getError()).isInstanceOf(MemcachedServerException.class);
    }

    @Test
    void successHasNoErrorTypeAndAReadIsAHitOrAMiss() {
        client.set("a", "1", TTL);
        client.get("a");
        client.get("absent");
        client.multiGet(List.of("a", "absent"));
        client.delete("a");

        assertThat(ended).noneMatch(call -> keysOf(call).containsKey("error.type"));
        assertThat(ended)
                .extracting(call -> keysOf(call).get("memshard.result"))
                .containsExactly(null, "hit", "miss", null, null);
    }

    @Test
    void failedReadIsNeitherHitNorMiss() {
        group.close();
        assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> client.get("a"));

        assertThat(keysOf(ended.get(0))).isEqualTo(Map.of("error.type", "connection"));
    }

    @Test
    void keysAreShownIfEnabled() {
        connect(PatientOptions.create(), new ObservationListener(registry, "sessions").showingKeys());
        client.get("user:1");
        client.multiGet(List.of("a", "b"));

        assertThat(keysOf(ended.get(0))).isEqualTo(Map.of("memshard.result", "miss", "memshard.key", "user:1"));
        assertThat(keysOf(ended.get(1))).doesNotContainKey("memshard.key");
    }

    @Test
    void hiddenKeysAreInNoObservation() {
        ConnectionOptions hidden = PatientOptions.create();
        hidden.hideKeys = true;
        connect(hidden, new ObservationListener(registry).showingKeys());
        client.get("secret");

        assertThat(ended).hasSize(1).allSatisfy(call -> assertThat(keysOf(call)).doesNotContainKey("memshard.key"));
    }

    /** The caller gets its result, whatever a handler of the application does. */
    @Test
    void handlerThatFailsAtTheEndKeepsNoFutureOpen() {
        registry.observationConfig().observationHandler(new ObservationHandler<CallContext>() {
            @Override
            public void onStop(CallContext context) {
                throw new IllegalStateException("exporter");
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return context instanceof CallContext;
            }
        });

        AsyncMemcachedClient<String> async = client.async();
        assertThat(async.set("a", "1", TTL).thenCompose(nothing -> async.get("a")))
                .succeedsWithin(LONG)
                .isEqualTo("1");
    }
}
