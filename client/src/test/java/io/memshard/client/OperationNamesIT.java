// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.operation.CallObservation;
import io.memshard.client.operation.Calls;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners are told the operations of the API, not the verbs of the protocol. */
class OperationNamesIT {

    private static final Duration TTL = Duration.ofMinutes(1);

    /** Each operation of the clients, by the name that listeners are told. */
    private static final Map<String, Consumer<MemcachedClient<String>>> OPERATIONS = Map.ofEntries(
            entry("get", client -> client.get("a")),
            entry("gets", client -> client.gets("a")),
            entry("getAndTouch", client -> client.getAndTouch("a", TTL)),
            entry("touch", client -> client.touch("a", TTL)),
            entry("set", client -> client.set("a", "1", TTL)),
            entry("add", client -> client.add("a", "1", TTL)),
            entry("replace", client -> client.replace("a", "1", TTL)),
            entry("append", client -> client.append("a", "1")),
            entry("prepend", client -> client.prepend("a", "1")),
            entry("cas", client -> client.cas("a", "1", 1, TTL)),
            entry("delete", client -> client.delete("a")),
            entry("incr", client -> client.incr("n", 1)),
            entry("decr", client -> client.decr("n", 1)),
            entry("version", MemcachedClient::version),
            entry("multiGet", client -> client.multiGet(List.of("a", "b"))),
            entry("multiGets", client -> client.multiGets(List.of("a", "b"))),
            entry("multiGetAndTouch", client -> client.multiGetAndTouch(List.of("a", "b"), TTL)),
            entry("multiSet", client -> client.multiSet(Map.of("a", "1"), TTL)),
            entry("multiDelete", client -> client.multiDelete(List.of("a"))));

    private static final Map<String, Consumer<MemcachedClient<String>>> META_OPERATIONS = Map.ofEntries(
            entry("getOrLoad", client -> client.getOrLoad("loaded", TTL, key -> "1")),
            entry("invalidate", client -> client.invalidate("a", TTL)),
            entry("multiGetOrLoad", client -> client.multiGetOrLoad(List.of("many"), TTL, keys -> Map.of("many", "1"))),
            entry("meta.get", client -> client.meta().get(GetRequest.of("a"))),
            entry("meta.set", client -> client.meta().set(SetRequest.of("a", "1"))),
            entry("meta.delete", client -> client.meta().delete(DeleteRequest.of("a"))),
            entry("meta.arithmetic", client -> client.meta().arithmetic(ArithmeticRequest.of("n"))),
            entry("meta.debug", client -> client.meta().debug(ItemKey.of("a"))),
            entry("meta.noop", client -> client.meta().noop()));

    /** Keeps the operations that it is told. */
    private static final class Told implements ConnectionListener, CallObserver {

        private final List<String> commands = new CopyOnWriteArrayList<>();
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final List<@Nullable String> keys = new CopyOnWriteArrayList<>();

        @Override
        public void commandEnded(CommandEnd end) {
            commands.add(end.operation());
        }

        @Override
        public CallObserver callObserver() {
            return this;
        }

        @Override
        public <T extends @Nullable Object> T call(Call call, Supplier<T> body) {
            calls.add(call.operation());
            keys.add(call.key());
            return body.get();
        }

        @Override
        public <T extends @Nullable Object> CompletableFuture<T> start(Call call, Supplier<CompletableFuture<T>> body) {
            calls.add(call.operation());
            keys.add(call.key());
            return body.get();
        }
    }

    @Test
    void keyOfACallIsTheOneThatIsStored() {
        Told told = new Told();
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConnectionGroup group = new ConnectionGroup(PatientOptions.DEFAULTS, 1)) {
            Connection connection =
                    group.newConnection(new ServerAddress(server.host(), server.port()), 0, Transport.CALLER_DRIVEN);
            Calls calls = new Calls(connection, CallObservation.by(told, key -> connection.server(), false));
            MemcachedClient<String> client =
                    Clients.blocking(calls, Transcoder.utf8(), 1024, LONG).withKeyPrefix("p:");
            client.get("a");
            client.getOrLoad("b", TTL, key -> key);
            Clients.async(calls, Transcoder.utf8(), 1024, LONG)
                    .withKeyPrefix("p:")
                    .getOrLoad("c", TTL, CompletableFuture::completedFuture)
                    .join();
            assertThat(told.keys).containsExactly("p:a", "p:b", "p:c");
        }
    }

    private static void tells(Protocol protocol, Map<String, Consumer<MemcachedClient<String>>> operations) {
        Told told = new Told();
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConnectionGroup group = new ConnectionGroup(
                        PatientOptions.builder().protocol(protocol).build(), 1, told)) {
            Connection connection =
                    group.newConnection(new ServerAddress(server.host(), server.port()), 0, Transport.CALLER_DRIVEN);
            MemcachedClient<String> client = Clients.blocking(
                    new Calls(connection, CallObservation.by(told, key -> connection.server(), false)),
                    Transcoder.utf8(),
                    1024,
                    LONG);
            new TreeMap<>(operations).forEach((name, operation) -> {
                told.commands.clear();
                told.calls.clear();
                operation.accept(client);
                assertThat(told.calls).as(name).containsExactly(name);
                assertThat(told.commands).as(name).isNotEmpty().containsOnly(name);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"META", "CLASSIC"})
    void operationsAreThoseOfTheApi(Protocol protocol) {
        tells(protocol, OPERATIONS);
    }

    @ParameterizedTest
    @EnumSource(names = {"META", "CLASSIC"})
    void deltasWithoutSignAreNoOperationsOfTheirOwn(Protocol protocol) {
        tells(
                protocol,
                Map.of("incr", client -> client.incrUnsigned("n", -1), "decr", client -> client.decrUnsigned("n", -1)));
    }

    @Test
    void operationsOfTheMetaProtocolAreNamedToo() {
        tells(Protocol.META, META_OPERATIONS);
    }
}
