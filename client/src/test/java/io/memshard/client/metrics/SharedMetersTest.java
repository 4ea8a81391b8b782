// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.metrics;

import static io.memshard.client.listener.ConnectionState.CLOSED;
import static io.memshard.client.listener.ConnectionState.CONNECTING;
import static io.memshard.client.listener.ConnectionState.READY;
import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.connection.CapturedLog;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.listener.ServerState;
import io.memshard.client.listener.ServerStatus;
import io.memshard.client.options.ServerAddress;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Meters of servers, clients and discoveries, which share some because of a filter or a name. */
class SharedMetersTest {

    private static final ServerAddress A = new ServerAddress("a", 1);
    private static final ServerAddress B = new ServerAddress("b", 1);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerListener listener = new MicrometerListener(registry, "sessions");

    record Idle(ServerAddress server, int index, ConnectionState state) implements ConnectionStatus {

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public int inFlight() {
            return 0;
        }

        @Override
        public long bytesInFlight() {
            return 0;
        }
    }

    private static ConnectionStatus open(MicrometerListener listener, ServerAddress server) {
        ConnectionStatus connection = new Idle(server, 0, READY);
        listener.stateChanged(connection, CONNECTING, READY, null);
        return connection;
    }

    private static void get(MicrometerListener listener, ServerAddress server) {
        listener.commandEnded(new CommandEnd("get", "mg", "a", 1, 1, server, 0, null, 1, null));
    }

    private static void leave(MicrometerListener listener, ConnectionStatus connection) {
        listener.stateChanged(connection, READY, CLOSED, null);
        listener.serverLeft(connection.server());
    }

    private void assertMeters(int gets, int opened, int idle) {
        assertThat(registry.get("memshard.commands").timers()).hasSize(1);
        assertThat(registry.get("memshard.commands").timer().count()).isEqualTo(gets);
        assertThat(registry.get("memshard.gets").tag("result", "hit").counter().count())
                .isEqualTo(gets);
        assertThat(registry.get("memshard.connections.opened").counter().count())
                .isEqualTo(opened);
        assertThat(registry.get("memshard.connections")
                        .tag("state", "idle")
                        .gauge()
                        .value())
                .isEqualTo(idle);
    }

    private void assertSharedUntilBothHaveLeft(ServerAddress one, MicrometerListener other, ServerAddress ofOther) {
        ConnectionStatus first = open(listener, one);
        ConnectionStatus second = open(other, ofOther);
        get(listener, one);
        get(other, ofOther);
        assertMeters(2, 2, 2);

        leave(other, second);
        get(listener, one);
        assertMeters(3, 2, 1);

        leave(listener, first);
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void metersOfTwoServersStayUntilBothHaveLeft() {
        registry.config().meterFilter(MeterFilter.ignoreTags("server"));
        assertSharedUntilBothHaveLeft(A, listener, B);
    }

    @Test
    void metersOfTwoClientsStayUntilBothHaveLeft() {
        assertSharedUntilBothHaveLeft(A, new MicrometerListener(registry, "sessions"), A);
    }

    /** As a pod does when it restarts. */
    @Test
    void aServerThatComesBackElsewhereKeepsItsMeters() {
        ServerAddress there = new ServerAddress("10.0.0.7", 1).withName("cache-2");
        assertSharedUntilBothHaveLeft(A.withName("cache-2"), listener, there);
    }

    @Test
    void metersOfAServerThatLeftStayWhileItHasConnections() {
        ConnectionStatus connection = open(listener, A);
        get(listener, A);
        listener.serverLeft(A);
        assertMeters(1, 1, 1);

        leave(listener, connection);
        assertThat(registry.getMeters()).isEmpty();
        get(listener, A);
        assertThat(registry.get("memshard.commands").timer().count()).isEqualTo(1);
    }

    private double ejected() {
        return registry.get("memshard.servers.ejected").gauge().value();
    }

    @Test
    void serversThatAreDownAreCounted() {
        ConnectionStatus connection = open(listener, A);
        ServerStatus up = new ServerStatus(A, ServerState.UP, null, Instant.EPOCH);
        ServerStatus down = new ServerStatus(A, ServerState.EJECTED, "why", Instant.EPOCH);
        ServerStatus probing = new ServerStatus(A, ServerState.PROBING, "why", Instant.EPOCH);
        ServerStatus unreachable = new ServerStatus(A, ServerState.UNREACHABLE, "why", Instant.EPOCH);
        assertThat(ejected()).isZero();
        listener.serverStateChanged(up, down);
        listener.serverStateChanged(down, probing);
        listener.serverStateChanged(probing, down);
        assertThat(ejected()).isEqualTo(1);
        listener.serverStateChanged(down, probing);
        listener.serverStateChanged(probing, up);
        assertThat(ejected()).isZero();
        listener.serverStateChanged(up, unreachable);
        assertThat(ejected()).isEqualTo(1);
        listener.serverStateChanged(unreachable, up);
        assertThat(ejected()).isZero();
        assertThat(registry.get("memshard.servers.ejections").counter().count()).isEqualTo(1);

        listener.serverStateChanged(up, down);
        leave(listener, connection);
        open(listener, A);
        assertThat(ejected()).as("of a server that is back").isZero();
    }

    @Test
    void gaugesOfOneServerThatAFilterMakesOneAddUp() {
        registry.config().meterFilter(MeterFilter.ignoreTags("state"));
        ConnectionStatus a = open(listener, A);
        assertThat(registry.get("memshard.connections").gauge().value()).isEqualTo(1);

        leave(listener, a);
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void aDiscoveryHasItsAgeAndItsServers() {
        MockClock clock = new MockClock();
        MeterRegistry timed = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        MicrometerListener discovering = new MicrometerListener(timed, "sessions");
        discovering.discovered("DNS services cache", 2);
        clock.add(Duration.ofSeconds(90));
        Gauge age = timed.get("memshard.discovery.age")
                .tags("pool", "sessions", "source", "DNS services cache")
                .gauge();
        assertThat(age.value()).isEqualTo(90);

        discovering.discovered("DNS services cache", 3);
        assertThat(age.value()).isZero();
        assertThat(timed.get("memshard.discovery.servers").gauge().value()).isEqualTo(3);

        discovering.discovered("DNS services cache", 0);
        assertThat(timed.getMeters()).isEmpty();
    }

    @Test
    void micrometerDoesNotWarnOfSharedGauges() {
        registry.config().meterFilter(MeterFilter.ignoreTags("server"));
        try (CapturedLog log = new CapturedLog(MeterRegistry.class)) {
            open(listener, A);
            open(listener, B);

            assertThat(log.text()).doesNotContain("already registered");
        }
    }

    @Test
    void aRegistryIsNotKeptByItsMeters() {
        WeakReference<MeterRegistry> unused = registryOfAClosedClient();

        eventually("collected", () -> {
            System.gc();
            return unused.get() == null;
        });
    }

    private static WeakReference<MeterRegistry> registryOfAClosedClient() {
        MeterRegistry own = new SimpleMeterRegistry();
        MicrometerListener ofOwn = new MicrometerListener(own, "sessions");
        open(ofOwn, A);
        get(ofOwn, A);
        return new WeakReference<>(own);
    }
}
