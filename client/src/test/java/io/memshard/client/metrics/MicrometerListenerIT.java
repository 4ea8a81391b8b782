// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import static io.memshard.client.PatientOptions.LONG;
import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.MemcachedClient;
import io.memshard.client.PatientOptions;
import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ZoneOutcome;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedServer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MicrometerListenerIT {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private EmbeddedMemcached server;
    private ConnectionGroup group;
    private ServerAddress address;
    private MemcachedClient<String> client;

    @BeforeEach
    void connect() {
        server = EmbeddedMemcached.start();
        group = new ConnectionGroup(PatientOptions.create(), 1, new MicrometerListener(registry));
        address = new ServerAddress(server.host(), server.port());
        Connection connection = group.newConnection(address, 0, Transport.CALLER_DRIVEN);
        client = Clients.blocking(connection, Transcoder.utf8(), 1024, LONG);
    }

    @AfterEach
    void close() {
        group.close();
        server.close();
    }

    private long timed(String operation, String outcome) {
        return registry.get("memshard.commands")
                .tag("pool", address.toString())
                .tag("server", address.toString())
                .tag("operation", operation)
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    private double gets(String operation, String result) {
        return registry.get("memshard.gets")
                .tag("operation", operation)
                .tag("result", result)
                .counter()
                .count();
    }

    private double connections(String state) {
        return registry.get("memshard.connections").tag("state", state).gauge().value();
    }

    @Test
    void commandsAreTimedAndGetsCounted() {
        client.set("a", "1", Duration.ofMinutes(1));
        client.get("a");
        client.get("b");
        client.multiGet(List.of("a", "b", "c"));

        assertThat(timed("set", "success")).isEqualTo(1);
        assertThat(timed("get", "success")).isEqualTo(2);
        assertThat(timed("multiGet", "success")).isEqualTo(1);
        assertThat(gets("get", "hit")).isEqualTo(1);
        assertThat(gets("get", "miss")).isEqualTo(1);
        assertThat(gets("multiGet", "hit")).isEqualTo(1);
        assertThat(gets("multiGet", "miss")).isEqualTo(2);
        assertThat(registry.get("memshard.commands").timer().totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
    }

    @Test
    void getsOfTheMetaClientAndOfLoadsAreCounted() {
        client.getOrLoad("a", Duration.ofMinutes(1), key -> "1");
        client.getOrLoad("a", Duration.ofMinutes(1), key -> "1");
        client.meta().get(GetRequest.of("a").returning(ItemField.VALUE, ItemField.TTL));
        client.meta().get(GetRequest.of("b").returning(ItemField.VALUE));
        client.meta().get(GetRequest.of("a").returning(ItemField.TTL));

        assertThat(gets("getOrLoad", "hit")).isEqualTo(1);
        assertThat(gets("getOrLoad", "miss")).isEqualTo(1);
        assertThat(gets("meta.get", "hit")).isEqualTo(1);
        assertThat(gets("meta.get", "miss")).isEqualTo(1);
        assertThat(timed("getOrLoad", "success")).isEqualTo(3);
        assertThat(timed("meta.get", "success")).isEqualTo(3);
    }

    @Test
    void connectionsAreCountedWhileTheyAreOpen() throws Exception {
        client.get("a");
        eventually(
                "one idle and no other",
                () -> List.of("idle", "used", "connecting", "reconnecting").stream()
                        .map(this::connections)
                        .toList()
                        .equals(List.of(1.0, 0.0, 0.0, 0.0)));
        Gauge commands = registry.get("memshard.in.flight.commands").gauge();
        Gauge bytes = registry.get("memshard.in.flight.bytes").gauge();
        // The timer may have put an exchange of no caller in the queue, which is in flight until it is passed over.
        eventually("nothing in flight", () -> commands.value() == 0 && bytes.value() == 0);
        Counter opened = registry.get("memshard.connections.opened").counter();
        eventually("one opened", () -> opened.count() == 1);
        group.close();

        eventually("closed", () -> gauges().isEmpty());
    }

    private double zoneCommands(String zone, String outcome) {
        return registry.get("memshard.zones.commands")
                .tag("pool", "sessions")
                .tag("zone", zone)
                .tag("operation", "get")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void zonesAreCountedByOutcome() {
        MicrometerListener listener = new MicrometerListener(registry, "sessions");
        MemcachedConnectionException failure = new MemcachedConnectionException("lost", null, null);
        Map<String, Integer> served = Map.of("eu-2", 1, "eu-3", 0);
        listener.zonesEnded(new ZoneOutcome("get", 1, served, Map.of("eu-1", failure), Set.of()));
        listener.zonesEnded(new ZoneOutcome("get", 1, Map.of("eu-2", 1), Map.of(), Set.of("eu-3")));
        listener.zoneFailedLater("eu-3", "get", failure);

        assertThat(zoneCommands("eu-1", "connection")).isEqualTo(1);
        assertThat(zoneCommands("eu-2", "served")).isEqualTo(2);
        assertThat(zoneCommands("eu-3", "missed")).isEqualTo(1);
        assertThat(zoneCommands("eu-3", "unawaited")).isEqualTo(1);
        assertThat(registry.get("memshard.zones.failed.later")
                        .tag("zone", "eu-3")
                        .tag("outcome", "connection")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private Collection<Gauge> gauges() {
        return Search.in(registry).name(name -> name.startsWith("memshard")).gauges();
    }

    @Test
    void closedConnectionsAreNotKept() throws Exception {
        MicrometerListener listener = new MicrometerListener(registry, "sessions");
        WeakReference<Connection> closed = closedConnection(listener);

        eventually("collected", () -> {
            System.gc();
            return closed.get() == null;
        });
        listener.commandEnded(new CommandEnd("get", "mg", "a", 1, 1, address, 0, null, 1, null));
        assertThat(registry.get("memshard.commands")
                        .tag("pool", "sessions")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    private WeakReference<Connection> closedConnection(MicrometerListener listener) {
        try (ConnectionGroup other = new ConnectionGroup(PatientOptions.create(), 1, listener)) {
            Connection opened = other.newConnection(address, 0, Transport.CALLER_DRIVEN);
            Clients.blocking(opened, Transcoder.utf8(), 1024, LONG).get("a");
            return new WeakReference<>(opened);
        }
    }

    @Test
    void failuresAndLossesAreCounted() throws Exception {
        group.close();
        try (ScriptedServer losing = ScriptedServer.start().expectTimeout(LONG);
                ConnectionGroup own =
                        new ConnectionGroup(PatientOptions.create(), 1, new MicrometerListener(registry))) {
            losing.onConnection(c -> {
                c.greet().readLine();
                c.send("EN\r\n").readLine();
                c.cut();
            });
            address = new ServerAddress(losing.host(), losing.port());
            Connection lost = own.newConnection(address, 0, Transport.CALLER_DRIVEN);
            MemcachedClient<String> loser = Clients.blocking(lost, Transcoder.utf8(), 1024, LONG);
            loser.get("a");
            losing.stopAccepting();
            assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> loser.get("a"));
            eventually("lost", () -> lost.state() != ConnectionState.READY);

            assertThat(timed("get", "connection")).isEqualTo(1);
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> loser.meta().get(GetRequest.of("a").returning(ItemField.VALUE)));
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> loser.meta().get(GetRequest.of("a").returning(ItemField.TTL)));
            loser.multiGet(List.of("a", "b"));
            assertThat(gets("get", "failed")).isEqualTo(1);
            assertThat(gets("meta.get", "failed")).isEqualTo(1);
            assertThat(gets("multiGet", "failed")).isEqualTo(2);
            assertThat(gets("multiGet", "miss")).isZero();
            // The listener is told of states by a thread of its own.
            eventually(
                    "loss counted",
                    () -> registry.get("memshard.connections.lost")
                                    .tag("server", address.toString())
                                    .counter()
                                    .count()
                            == 1);
            assertThat(connections("idle")).isZero();
        }
    }
}
