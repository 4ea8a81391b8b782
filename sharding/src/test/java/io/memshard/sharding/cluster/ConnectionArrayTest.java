// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.connection.Connection;
import io.memshard.client.connection.SendMode;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.sharding.ConnectionChooser;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConnectionArrayTest {

    private final List<FakeConnection> connections =
            IntStream.range(0, 3).mapToObj(FakeConnection::new).toList();
    private final ConnectionArray array =
            new ConnectionArray(List.<Connection>copyOf(connections), ConnectionChooser.roundRobin());

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
        connections.get(1).state = ConnectionState.RECONNECTING;
        connections.get(1).takesCallsOnly = true;
        for (int index = 0; index < 3; index++) {
            int called = index;
            assertThatThrownBy(() -> array.call(new MetaNoop(), 1)).hasMessage("sent to " + called);
        }
        send(0);
        send(2);
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
