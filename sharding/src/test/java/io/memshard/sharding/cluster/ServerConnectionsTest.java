// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.ConnectionGroup;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.sender.SendMode;
import io.memshard.sharding.ConnectionChooser;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerConnectionsTest {

    private final List<FakeConnection> connections =
            IntStream.range(0, 3).mapToObj(FakeConnection::new).toList();
    private final ConnectionGroup group = new ConnectionGroup(ConnectionOptions.DEFAULTS, 1);
    private final ServerConnections array = array();

    private ServerConnections array() {
        return new ServerConnections(
                new ServerAddress("fake", 1),
                group,
                List.<Connection>copyOf(connections),
                ConnectionChooser.roundRobin());
    }

    @AfterEach
    void close() {
        group.close();
    }

    private void send(int expectedIndex) {
        assertThatThrownBy(() -> array.send(new MetaNoop())).hasMessage("sent to " + expectedIndex);
    }

    @Test
    void sendGoesToTheConnectionThatTheChooserPicks() {
        send(0);
        send(1);
        send(2);
        send(0);
    }

    @Test
    void callGoesThroughTheCallOfThatConnection() {
        assertThatThrownBy(() -> array.call(new MetaNoop(), 1)).hasMessage("sent to 0");
        assertThatThrownBy(() -> array.call(new MetaNoop(), 1)).hasMessage("sent to 1");
    }

    @Test
    void deadConnectionIsSkippedUntilItIsBack() {
        connections.get(1).state = ConnectionState.RECONNECTING;
        send(0);
        send(2);
        send(2);
        connections.get(1).state = ConnectionState.READY;
        send(0);
        send(1);
        assertThat(connections.get(1).sent).hasSize(1);
    }

    @Test
    void lossThatOneKindOfCallersFeelsDivertsNoOther() {
        FakeConnection called = new FakeConnection(1);
        connections.get(1).ofPlatformThreads = called;
        connections.get(1).state = ConnectionState.RECONNECTING;
        ServerConnections half = array();
        for (int index = 0; index < 3; index++) {
            String message = "sent to " + index;
            assertThatThrownBy(() -> half.call(new MetaNoop(), 1)).hasMessage(message);
        }
        assertThat(called.sent).hasSize(1);
        for (int index : List.of(0, 2)) {
            assertThatThrownBy(() -> half.send(new MetaNoop())).hasMessage("sent to " + index);
        }
        assertThat(half.spread(SendMode.AWAITED)).contains(called).hasSize(3);
        assertThat(half.spread(SendMode.UNAWAITED))
                .doesNotContain(connections.get(1))
                .hasSize(2);
        assertThat(half.isReadyToCall(1)).isTrue();
    }

    @Test
    void connectionsThatWereNotOpenedYetAreChosenToo() {
        connections.get(0).state = ConnectionState.NEW;
        connections.get(1).state = ConnectionState.CONNECTING;
        send(0);
        send(1);
    }

    @Test
    void firstConnectionRefusesWhenNoneIsReady() {
        connections.forEach(connection -> connection.state = ConnectionState.RECONNECTING);
        send(0);
        send(0);
    }

    @Test
    void multiGetIsSpreadOverTheReadyConnectionsFromTheChosenOneOn() {
        assertThat(array.spread(SendMode.UNAWAITED))
                .isEqualTo(List.of(connections.get(0), connections.get(1), connections.get(2)));
        assertThat(array.spread(SendMode.UNAWAITED))
                .isEqualTo(List.of(connections.get(1), connections.get(2), connections.get(0)));
        connections.get(0).state = ConnectionState.RECONNECTING;
        assertThat(array.spread(SendMode.UNAWAITED)).isEqualTo(List.of(connections.get(2), connections.get(1)));
        connections.forEach(connection -> connection.state = ConnectionState.RECONNECTING);
        assertThat(array.spread(SendMode.UNAWAITED)).isEqualTo(List.of(connections.get(0)));
    }
}
