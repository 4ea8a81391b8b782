// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each kind of caller has a connection of its own, and is told of the state of that one. */
@Timeout(120)
class AutoConnectionIT extends ConnectionFixture {

    AutoConnectionIT() {
        super(Transport.AUTO, Protocol.META);
    }

    /** One that loses the socket of one kind of callers. */
    private Connection losing(Transport lost) {
        ConnectionGroup group = group();
        ScriptedServer there = answeringServer();
        ScriptedServer gone = scriptedServer().stopAccepting();
        Function<Transport, Connection> socket =
                its -> group.newConnection(address(its == lost ? gone : there), 0, its);
        return new AutoConnection(socket.apply(Transport.CALLER_DRIVEN), socket.apply(Transport.EVENT_LOOP));
    }

    @Test
    void blockingCallersDoNotFeelTheLossOfTheEventLoopsSocket() {
        Connection connection = losing(Transport.EVENT_LOOP);
        failure(MemcachedConnectionException.class, future(connection, get("a")));

        assertThat(connection.ofOtherCallers().isReady()).isFalse();
        assertThat(connection.ofPlatformThreads().isReady()).isTrue();
        assertThat(connection.isReady()).isFalse();
        works(connection);
        assertThat(connection.ofPlatformThreads().isReady()).isTrue();
    }

    @Test
    void asynchronousCallersDoNotFeelTheLossOfTheCallersSocket() {
        Connection connection = losing(Transport.CALLER_DRIVEN);
        failedCall(connection);

        assertThat(connection.ofPlatformThreads().isReady()).isFalse();
        assertThat(connection.ofOtherCallers().isReady()).isTrue();
        assertThat(result(future(connection, get("a")))).isEqualTo("value of a");
        connection.close();
        assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
        assertThat(connection.ofOtherCallers().isReady()).isFalse();
    }

    /** Position and server are the same, so the name of the socket is what tells the two. */
    @Test
    void listenersAndRecordingsTellTheTwoSockets() throws IOException {
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
        Connection connection = connect(group, answeringServer());
        try (Recording recording = new Recording()) {
            recording.enable("io.memshard.Command").withoutThreshold();
            recording.enable("io.memshard.ConnectionState");
            recording.start();
            assertThat(connection.call(get("blocking"), LONG_NANOS)).isEqualTo("value of blocking");
            assertThat(result(future(connection, get("asynchronous")))).isEqualTo("value of asynchronous");
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
