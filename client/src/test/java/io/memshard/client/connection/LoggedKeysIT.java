// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Link;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Of the lines that a connection logs, those that tell what a server or a listener said: they have no value, and no
 * key. Only the failures that a listener throws on show the key, unless keys are hidden.
 */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, META, true", "CALLER_DRIVEN, CLASSIC, true", "AUTO, AUTO, false"})
@Timeout(120)
class LoggedKeysIT extends ConnectionFixture {

    private static final String KEY = "471147114711";
    private static final String VALUE = "hunter2";

    private final boolean hidden;
    private CapturedLog log;

    LoggedKeysIT(Transport transport, Protocol protocol, boolean hidden) {
        super(transport, protocol);
        this.hidden = hidden;
        settings.hideKeys(hidden);
    }

    @BeforeEach
    void capture() {
        log = closedAfterwards(
                new CapturedLog(Connection.class, ConnectionGroup.class, ConnectionListener.class, Link.class));
    }

    private MemcachedClient<String> client(ScriptedServer server, @Nullable ConnectionListener listener) {
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1, listener));
        Connection connection = connect(group, address(server));
        opened(connection.ofPlatformThreads());
        return Clients.blocking(connection, Transcoder.utf8(), options().maxValueBytes(), LONG);
    }

    /** Answers the first get so and closes, and those of the next connection as it should. */
    private ScriptedServer answering(String reply) {
        return scriptedServer()
                .onConnection(c -> {
                    greet(c).readLine();
                    c.send(reply).cut();
                })
                .onConnection(LoggedKeysIT::answerUntilClosed);
    }

    private static void answerUntilClosed(ScriptedConnection server) {
        try {
            answer(greet(server));
        } catch (AssertionError e) {
            // The client was closed while it connected again.
        }
    }

    private void logs(String text) {
        eventually("logs " + text, () -> log.text().contains(text));
    }

    private void showsNothing() {
        assertThat(log.text()).doesNotContain(KEY, VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                VALUE + "\r\n",
                KEY + "\r\n",
                "VALUE " + KEY + "1 0 7\r\n" + VALUE + "\r\nEND\r\n",
                "VALUE " + KEY + " 0 3\r\n" + VALUE + "\r\nEND\r\n",
                "VALUE " + KEY + "\r\n" + VALUE + "\r\n",
                "VA 7 k" + KEY + " O999\r\n" + VALUE + "\r\n",
                "ME " + KEY + " exp=-1\r\n",
            })
    void lossOfAConnection(String reply) {
        MemcachedClient<String> client = client(answering(reply), null);
        assertThatThrownBy(() -> client.get(KEY)).isInstanceOf(MemcachedException.class);

        logs("connection lost (");
        showsNothing();
    }

    @Test
    void lossOfAnIdleConnection() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    String line = greet(c).readLine();
                    c.send(hit(line, VALUE)).stall();
                    c.cut();
                })
                .onConnection(LoggedKeysIT::answerUntilClosed);
        assertThat(client(server, null).get(KEY)).isEqualTo(VALUE);
        release(server, 0);

        logs("the idle connection was lost");
        showsNothing();
    }

    /** What a listener throws is logged whole. It may be the failure that it was told, which has the key. */
    @Test
    void failureThatAListenerOfCommandsThrows() {
        MemcachedClient<String> client = client(answering(VALUE + "\r\n"), new ConnectionListener() {
            @Override
            public void commandEnded(CommandEnd end) {
                throw new IllegalStateException("of the test: " + end, end.failure());
            }
        });
        assertThatThrownBy(() -> client.get(KEY)).isInstanceOf(MemcachedException.class);

        logs("the listener failed");
        assertThat(log.text()).doesNotContain(VALUE).contains(hidden ? "(key hidden)" : '"' + KEY + '"');
        if (hidden) {
            showsNothing();
        }
    }

    @Test
    void failureThatAListenerOfStatesThrows() {
        MemcachedClient<String> client = client(answering(KEY + " " + VALUE + "\r\n"), new ConnectionListener() {
            @Override
            public void stateChanged(
                    ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
                if (cause != null) {
                    throw new IllegalStateException("of the test, about " + connection, cause);
                }
            }
        });
        assertThatThrownBy(() -> client.get(KEY)).isInstanceOf(MemcachedException.class);

        logs("the listener failed");
        showsNothing();
    }
}
