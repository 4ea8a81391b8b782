// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.util.Throwables.getStackTrace;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Link;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.operation.Clients;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * A client that hides keys shows none, in whatever way a command fails; another shows them all. What the log quotes of
 * a server or a listener has no value and no key, unless the listener throws a failure that shows its key.
 */
@ParameterizedClass
@CsvSource({"EVENT_LOOP, META, true", "CALLER_DRIVEN, CLASSIC, true", "CALLER_DRIVEN, AUTO, false"})
@Timeout(120)
class HiddenKeysIT extends ConnectionFixture {

    private static final String KEY = "471147114711";
    private static final String VALUE = "hunter2";

    /** Answers to a command that cost the connection. */
    private static final List<String> REPLIES = List.of(
            "",
            VALUE + "\r\n",
            KEY + "\r\n",
            "VALUE " + KEY + "1 0 7\r\n" + VALUE + "\r\nEND\r\n",
            "VALUE " + KEY + " 0 3\r\n" + VALUE + "\r\nEND\r\n",
            "VALUE " + KEY + "\r\n" + VALUE + "\r\n",
            "VA 7 k" + KEY + " O999\r\n" + VALUE + "\r\n",
            "ME " + KEY + " exp=-1\r\n");

    private static final List<String> ERRORS = List.of(
            "SERVER_ERROR out of memory\r\n",
            "SERVER_ERROR for mg " + KEY + "\r\n",
            "CLIENT_ERROR bad data chunk of " + KEY + "\r\n");

    private final boolean hidden;
    private CapturedLog log;

    HiddenKeysIT(Transport transport, Protocol protocol, boolean hidden) {
        super(transport, protocol);
        this.hidden = hidden;
        settings.hideKeys = hidden;
    }

    @BeforeEach
    void capture() {
        log = closedAfterwards(
                new CapturedLog(Connection.class, ConnectionGroup.class, ConnectionListener.class, Link.class));
    }

    /** Answers the first command of each connection so, and closes. */
    private ScriptedServer failing(String reply) {
        return scriptedServer().onConnection(c -> {
            try {
                c.greet().readLine();
                c.send(reply);
            } catch (AssertionError e) {
                // The client was closed while it connected again.
            } finally {
                c.cut();
            }
        });
    }

    private static String failureOf(MemcachedClient<String> client, Consumer<MemcachedClient<String>> call) {
        try {
            call.accept(client);
            throw new AssertionError("no failure");
        } catch (MemcachedException e) {
            return getStackTrace(e);
        }
    }

    private MemcachedClient<String> client(Connection connection, Duration timeout) {
        return Clients.blocking(connection, Transcoder.utf8(), options().maxValueBytes, timeout);
    }

    private MemcachedClient<String> opened(ScriptedServer server, ConnectionListener listener) {
        Connection connection = connect(group(listener), server);
        opened(connection);
        return client(connection, LONG);
    }

    private void logs(String text) {
        eventually("logs " + text, () -> log.text().contains(text));
    }

    private static MemcachedClient<String> thatCannotDecode(MemcachedClient<String> client) {
        return client.withTranscoder(new Transcoder<>() {
            @Override
            public EncodedValue encode(String value) {
                return Transcoder.utf8().encode(value);
            }

            @Override
            public String decode(byte[] data, int flags) {
                throw new IllegalStateException("of the test");
            }
        });
    }

    private List<String> failures() throws Exception {
        List<String> printed = new ArrayList<>();
        for (String reply : Stream.concat(REPLIES.stream(), ERRORS.stream()).toList()) {
            printed.add(failureOf(client(connect(failing(reply)), LONG), client -> client.get(KEY)));
            client(connect(failing(reply)), LONG)
                    .multiGet(List.of(KEY, KEY + "b"))
                    .failures()
                    .values()
                    .forEach(failure -> printed.add(getStackTrace(failure)));
        }
        printed.add(failureOf(client(connect(silentServer()), BRIEF), client -> client.get(KEY)));
        printed.add(failureOf(client(connect(scriptedServer().stopAccepting()), BRIEF), client -> client.get(KEY)));
        EmbeddedMemcached server = closedAfterwards(EmbeddedMemcached.start());
        MemcachedClient<String> living = client(connect(server), LONG);
        living.set(KEY, "value", Duration.ofMinutes(1));
        printed.add(failureOf(thatCannotDecode(living), client -> client.get(KEY)));
        thatCannotDecode(living).multiGet(List.of(KEY)).failures().values().forEach(e -> printed.add(getStackTrace(e)));
        return printed;
    }

    private Recording recording() {
        Recording recording = new Recording();
        Stream.of("Command", "ConnectionState")
                .forEach(event -> recording.enable("io.memshard." + event).withoutThreshold());
        recording.start();
        return recording;
    }

    @Test
    void keysAreShownOnlyIfTheyAreNotHidden() throws Exception {
        try (Recording recording = recording()) {
            List<String> printed = failures();
            List<String> events =
                    events(recording).stream().map(RecordedEvent::toString).toList();

            assertThat(printed).hasSizeGreaterThan(12);
            assertThat(events).hasSizeGreaterThan(12);
            if (hidden) {
                assertThat(printed)
                        .noneMatch(each -> each.contains(KEY))
                        .anyMatch(each -> each.contains("(key hidden)"));
                assertThat(events).noneMatch(each -> each.contains(KEY));
            } else {
                assertThat(printed).allMatch(each -> each.contains(KEY));
                assertThat(events).anyMatch(each -> each.contains(KEY));
            }
        }
    }

    @Test
    void waitForAnotherLoaderShowsNoKey() {
        assumeTrue(hidden && options().protocol == Protocol.META, "getOrLoad needs the meta protocol");
        EmbeddedMemcached server = closedAfterwards(EmbeddedMemcached.start());
        MemcachedClient<String> client = client(connect(server), LONG);
        LoadOptions impatient =
                LoadOptions.DEFAULTS.withMaxWait(Duration.ofMillis(1)).withFailsAfterWait(true);
        client.getOrLoad(KEY, Duration.ofMinutes(1), key -> {
            assertThat(failureOf(client, other -> other.getOrLoad(KEY, Duration.ofMinutes(1), any -> "", impatient)))
                    .contains("another caller has been loading (key hidden)")
                    .doesNotContain(KEY);
            return "value";
        });
    }

    @ParameterizedTest
    @FieldSource("REPLIES")
    void logOfALossShowsNothing(String reply) {
        MemcachedClient<String> client = opened(failing(reply), new ConnectionListener() {});
        failureOf(client, its -> its.get(KEY));

        logs("connection lost (");
        assertThat(log.text()).doesNotContain(KEY, VALUE);
    }

    /** What a listener throws is logged whole. It may be the failure that it was told, which has the key. */
    @Test
    void failureThatAListenerOfCommandsThrows() {
        MemcachedClient<String> client = opened(failing(VALUE + "\r\n"), new ConnectionListener() {
            @Override
            public void commandEnded(CommandEnd end) {
                throw new IllegalStateException("of the test: " + end, end.failure());
            }
        });
        failureOf(client, its -> its.get(KEY));

        logs("the ConnectionListener threw an exception");
        assertThat(log.text()).doesNotContain(VALUE).contains(hidden ? "(key hidden)" : '"' + KEY + '"');
        assertThat(log.text().contains(KEY)).isNotEqualTo(hidden);
    }
}
