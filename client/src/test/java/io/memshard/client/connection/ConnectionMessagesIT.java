// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The texts of a connection that cannot be opened, besides those for a server that does not greet. */
@Timeout(120)
class ConnectionMessagesIT extends ConnectionFixture {

    ConnectionMessagesIT() {
        super(Transport.CALLER_DRIVEN, Protocol.META);
    }

    private ServerAddress closedPort() throws IOException {
        return new ServerAddress("127.0.0.1", closedAfterwards(new ClosedPort()).port());
    }

    @Test
    void longWaitForTheNextAttemptIsNamed() throws Exception {
        settings.reconnectDelay = new Backoff(Duration.ofDays(1), Duration.ofDays(1));
        ServerAddress closed = closedPort();
        try (CapturedLog log = new CapturedLog(Connection.class)) {
            Connection connection = connect(closed);
            assertThat(failedCall(connection)).hasMessageContaining("Connection refused");

            String refused = "Connection refused: /" + closed + ", next attempt in ";
            assertThat(failedCall(connection).getMessage()).containsPattern(refused + "[0-9]+\\.[0-9] s: mg");
            assertThat(log.text()).containsPattern("WARN .*" + refused + "[0-9]+\\.[0-9] s");
        }
    }

    @Test
    void secondSocketOfAConnectionHasANameOfItsOwn() throws Exception {
        ServerAddress closed = closedPort();
        ConnectionGroup group = group();
        Connection first = connect(group, closed);
        Connection second = group.newSecondSocket(closed, 0);
        String name = closed + "[0]";
        assertThat(first).hasToString(name + " NEW");
        assertThat(second).hasToString(name + " event loop NEW");
        assertThat(failedCall(first)).hasMessageEndingWith(": mg \"a\" on " + name + ", queued");
        assertThat(failedCall(second)).hasMessageEndingWith(": mg \"a\" on " + name + " event loop, queued");
    }

    @Test
    void tlsOnAPortOfPlainTextIsHinted() {
        settings.tls = TlsOptions.trustingSystem();
        ScriptedServer server =
                scriptedServer().onConnection(c -> c.send("ERROR\r\n").ignore());
        Connection connection = group().newConnection(address(server), 0, Transport.EVENT_LOOP);
        assertThat(failedCall(connection))
                .hasMessage("cannot connect to " + address(server) + ": the server, or a host in between, does not"
                        + " speak TLS on this port: use the server's TLS port: mg \"a\" on " + address(server)
                        + "[0], queued");
    }

    /** Position and server are the same, so the name of the socket is what tells the two. */
    @Test
    void listenersAndRecordingsDistinguishTheTwoSockets() throws IOException {
        Map<String, String> commands = new ConcurrentHashMap<>();
        Set<String> states = ConcurrentHashMap.newKeySet();
        ConnectionListener listener = new ConnectionListener() {
            @Override
            public void commandEnded(CommandEnd end) {
                commands.put(String.valueOf(end.key()), String.valueOf(end.socket()));
            }

            @Override
            public void stateChanged(
                    ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
                states.add(connection.socket() + " " + to);
            }
        };
        ConnectionGroup group = group(listener);
        ServerAddress server = address(answeringServer());
        Connection first = connect(group, server);
        Connection second = group.newSecondSocket(server, 0);
        try (Recording recording = new Recording()) {
            recording.enable("io.memshard.Command").withoutThreshold();
            recording.enable("io.memshard.ConnectionState");
            recording.start();
            assertThat(first.call(get("blocking"), LONG_NANOS)).isEqualTo("value of blocking");
            assertThat(result(future(second, get("asynchronous")))).isEqualTo("value of asynchronous");
            group.close();

            assertThat(commands).containsEntry("blocking", "null").containsEntry("asynchronous", "event loop");
            assertThat(states).contains("null READY", "event loop READY");
            assertThat(events(recording))
                    .extracting(event -> event.getEventType().getName() + " " + event.getString("socket"))
                    .contains(
                            "io.memshard.Command null",
                            "io.memshard.Command event loop",
                            "io.memshard.ConnectionState null",
                            "io.memshard.ConnectionState event loop");
        }
    }
}
