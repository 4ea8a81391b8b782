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
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of caller has a connection of its own, and is told of the state of that one. */
@Timeout(120)
class AutoConnectionIT extends ConnectionFixture {

    @TempDir
    Path directory;

    AutoConnectionIT() {
        super(Transport.AUTO, Protocol.META);
    }

    private Connection to(ConnectionGroup group, ScriptedServer server, Transport transport) {
        return group.newConnection(address(server), 0, transport);
    }

    @Test
    void blockingCallersDoNotFeelTheLossOfTheEventLoopsSocket() {
        ScriptedServer there = scriptedServer().onConnection(ConnectionFixture::answer);
        ScriptedServer gone = scriptedServer().stopAccepting();
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection =
                new AutoConnection(to(group, there, Transport.CALLER_DRIVEN), to(group, gone, Transport.EVENT_LOOP));
        failure(MemcachedConnectionException.class, future(connection, get("a")));

        assertThat(connection.ofOtherCallers().isReady()).isFalse();
        assertThat(connection.ofPlatformThreads().isReady()).isTrue();
        assertThat(connection.isReady()).isFalse();
        works(connection);
        assertThat(connection.ofPlatformThreads().isReady()).isTrue();
    }

    @Test
    void asynchronousCallersDoNotFeelTheLossOfTheCallersSocket() {
        ScriptedServer there = scriptedServer().onConnection(ConnectionFixture::answer);
        ScriptedServer gone = scriptedServer().stopAccepting();
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        Connection connection =
                new AutoConnection(to(group, gone, Transport.CALLER_DRIVEN), to(group, there, Transport.EVENT_LOOP));
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
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1, listener));
        Connection connection = to(group, scriptedServer().onConnection(ConnectionFixture::answer), Transport.AUTO);
        try (Recording recording = new Recording()) {
            recording.enable("io.memshard.Command").withoutThreshold();
            recording.enable("io.memshard.ConnectionState");
            recording.start();
            assertThat(connection.call(get("blocking"), LONG_NANOS)).isEqualTo("value of blocking");
            assertThat(result(future(connection, get("asynchronous")))).isEqualTo("value of asynchronous");
            group.close();

            assertThat(commands).containsEntry("blocking", "null").containsEntry("asynchronous", "event loop");
            assertThat(states).contains("null READY", "event loop READY");
            Path file = directory.resolve("recording.jfr");
            recording.dump(file);
            assertThat(RecordingFile.readAllEvents(file))
                    .extracting(event -> event.getEventType().getName() + " " + event.getString("socket"))
                    .contains(
                            "io.memshard.Command null",
                            "io.memshard.Command event loop",
                            "io.memshard.ConnectionState null",
                            "io.memshard.ConnectionState event loop");
        }
    }
}
