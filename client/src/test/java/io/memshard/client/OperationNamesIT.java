// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static io.memshard.client.PatientOptions.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.listener.Call;
import io.memshard.client.listener.CallObserver;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.operation.Calls;
import io.memshard.client.operation.Calls.Observation;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
                ConnectionGroup group = new ConnectionGroup(PatientOptions.create(), 1)) {
            Connection connection =
                    group.newConnection(new ServerAddress(server.host(), server.port()), 0, Transport.CALLER_DRIVEN);
            Observation seen = Observation.by(told, key -> connection.server(), false);
            Calls calls = new Calls(connection, FailurePolicy.FAIL_FAST, LONG, seen, n -> n);
            MemcachedClient<String> client =
                    Clients.blocking(calls, Transcoder.utf8(), 1024).withKeyPrefix("p:");
            client.get("a");
            client.getOrLoad("b", TTL, key -> key);
            Clients.blocking(calls, Transcoder.utf8(), 1024)
                    .async()
                    .withKeyPrefix("p:")
                    .getOrLoad("c", TTL, CompletableFuture::completedFuture)
                    .join();
            assertThat(told.keys).containsExactly("p:a", "p:b", "p:c");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"META", "CLASSIC"})
    void operationNamesMatchTheApi(Protocol protocol) {
        Told told = new Told();
        try (EmbeddedMemcached server = EmbeddedMemcached.start();
                ConnectionGroup group = new ConnectionGroup(PatientOptions.with(protocol), 1, told)) {
            Connection connection =
                    group.newConnection(new ServerAddress(server.host(), server.port()), 0, Transport.CALLER_DRIVEN);
            Observation seen = Observation.by(told, key -> connection.server(), false);
            Calls calls = new Calls(connection, FailurePolicy.FAIL_FAST, LONG, seen, n -> n);
            MemcachedClient<String> client = Clients.blocking(calls, Transcoder.utf8(), 1024);
            for (CommandFactsTest.Operation operation : operations()) {
                String name = operation.name().split(" ")[0];
                client.set("k", "1", TTL);
                told.commands.clear();
                told.calls.clear();
                try {
                    operation.call().accept(client);
                } catch (MemcachedUnsupportedException e) {
                    assertThat(protocol).isEqualTo(Protocol.CLASSIC);
                    continue;
                }
                assertThat(told.calls).as(operation.name()).containsExactly(name);
                assertThat(told.commands).as(operation.name()).isNotEmpty().containsOnly(name);
            }
        }
    }

    /** Each operation on one item or many, and the loads, which send several commands. */
    private static List<CommandFactsTest.Operation> operations() {
        List<CommandFactsTest.Operation> all = new ArrayList<>(CommandFactsTest.operations());
        all.add(read("getOrLoad", c -> c.getOrLoad("loaded", TTL, key -> "1")));
        all.add(read("multiGetOrLoad", c -> c.multiGetOrLoad(List.of("many"), TTL, keys -> Map.of("many", "1"))));
        return all;
    }

    private static CommandFactsTest.Operation read(String name, Consumer<MemcachedClient<String>> call) {
        return new CommandFactsTest.Operation(name, CommandFactsTest.Kind.READ, null, call);
    }
}
