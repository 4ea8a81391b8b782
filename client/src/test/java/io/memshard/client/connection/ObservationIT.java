// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.LinkContext;
import io.memshard.client.listener.CommandEnd;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.MetaGet;
import io.memshard.client.protocol.MetaMultiGet;
import io.memshard.client.sender.Reply;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection says of itself: in the messages of time-outs, to a listener, and to the flight recorder. */
@EachTransport
class ObservationIT extends ConnectionFixture {

    @TempDir
    Path directory;

    private final Transport transport;
    private ScriptedServer silent;

    ObservationIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    /** Keeps what it is told. */
    private static final class Told implements ConnectionListener {

        private final List<CommandEnd> ends = new CopyOnWriteArrayList<>();
        private final List<String> changes = new CopyOnWriteArrayList<>();

        @Override
        public void commandEnded(CommandEnd end) {
            ends.add(end);
        }

        @Override
        public void stateChanged(
                ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
            changes.add(from + " " + to + (cause == null ? "" : " failed"));
        }
    }

    /** A server that answers the greeting and one command. */
    private ScriptedServer silentServer() {
        silent = scriptedServer()
                .onConnection(c -> greet(c).send(replyTo(c.readLine())).ignore());
        return silent;
    }

    /** A connection that has had its answer from the {@link #silentServer}. So it is there before a time-out begins. */
    private Connection connectToSilence(ConnectionGroup group, ScriptedServer server) {
        Connection connection = opened(connect(group, address(server)));
        works(connection);
        return connection;
    }

    private Connection connectToSilence() {
        return connectToSilence(closedAfterwards(new ConnectionGroup(options(), 1)), silentServer());
    }

    private ConnectionGroup group(ConnectionListener listener) {
        return closedAfterwards(new ConnectionGroup(options(), 1, listener));
    }

    /** Fails by a timeout that begins when the command was sent. */
    private MemcachedTimeoutException timeout(Connection connection, String key) {
        Reply<String> reply = connection.send(get(key));
        eventually("sent", () -> received(silent, 0).contains("mg " + key + ' '));
        try {
            throw new AssertionError("no timeout, but " + reply.await(BRIEF.toNanos()));
        } catch (MemcachedTimeoutException e) {
            return e;
        }
    }

    // Messages.

    @Test
    void timeoutTellsItsPlaceInTheQueueAndHowLongTheServerIsSilent() {
        Connection connection = connectToSilence();
        CompletableFuture<?> first = future(connection, get("first"));

        assertThat(timeout(connection, "late"))
                .hasMessageMatching("no reply within 100 ms, 2nd of 2 in flight, nothing received for \\d+ ms.*")
                .hasMessageContaining(": mg \"late\" on " + connection.server() + "[0], awaiting reply");
        assertThat(first).isNotDone();
    }

    @Test
    void timeoutOfAFutureTellsTheSame() {
        Connection connection = connectToSilence();

        MemcachedTimeoutException timeout = failure(
                MemcachedTimeoutException.class, connection.send(get("a")).toFuture(BRIEF));
        assertThat(timeout)
                .hasMessageMatching("no reply within 100 ms, 1st of 1 in flight, nothing received for \\d+ ms.*");
    }

    /** As the second question of a handshake has, when the first has taken all of the connect timeout. */
    @Test
    void timeoutNeverTellsOfANegativeTime() {
        LinkContext context = new LinkContext(new ServerAddress("nowhere.invalid", 1), 0, options(), Protocol.META);
        Exchange<@Nullable String> exchange = new Exchange<>(get("a"), context);
        exchange.registerCaller();

        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> exchange.awaitAsRegistered(-TimeUnit.MILLISECONDS.toNanos(323)))
                .withMessageStartingWith("no reply within 0 ms, still connecting");
    }

    /** An event loop that completes a future runs what depends on it, and reads nothing meanwhile. */
    @Test
    void timeoutTellsThatTheEventLoopWasHeldUpByWhatDependsOnAFuture() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            String request = greet(c).readLine();
            c.stall().send(replyTo(request));
            answer(c);
        });
        Connection connection = connect(server);
        CountDownLatch timedOut = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Void> stage = future(connection, get("a")).thenAccept(value -> {
            held.countDown();
            passes(timedOut);
        });
        release(server, 0);
        passes(held);

        try {
            if (transport == Transport.CALLER_DRIVEN) {
                works(connection);
            } else {
                assertThatExceptionOfType(MemcachedTimeoutException.class)
                        .isThrownBy(() ->
                                connection.call(get("b"), Duration.ofMillis(450).toNanos()))
                        .withMessageMatching(".* its event loop was blocked for \\d+ ms.*");
            }
        } finally {
            timedOut.countDown();
        }
        stage.get(LONG_NANOS, TimeUnit.NANOSECONDS);
        works(connection);
    }

    // The listener.

    @Test
    void listenerIsToldOfEachCommandAndWhatBecameOfIt() {
        Told told = new Told();
        settings.maxInFlight(1);
        try (EmbeddedMemcached server = EmbeddedMemcached.start()) {
            ServerAddress address = new ServerAddress(server.host(), server.port());
            Connection connection = connect(group(told), address);
            connection.call(set("a", "1"), LONG_NANOS);
            connection.call(get("a"), LONG_NANOS);
            result(future(connection, get("missing")));
            connection.call(
                    new MetaMultiGet<>(List.of("a", "b", "c"), (data, flags, casUnique) -> data.length), LONG_NANOS);
            connection.call(
                    new MetaGet<>("a", MetaGet.Wanted.NOTHING, 60, (data, flags, casUnique) -> true), LONG_NANOS);

            assertThat(told.ends)
                    .extracting(CommandEnd::verb, CommandEnd::key, CommandEnd::keys, CommandEnd::hits)
                    .containsExactly(
                            tuple("ms", "a", 1, -1),
                            tuple("mg", "a", 1, 1),
                            tuple("mg", "missing", 1, 0),
                            tuple("mg", "a", 3, 1),
                            tuple("mg", "a", 1, -1));
            assertThat(told.ends).allSatisfy(end -> {
                assertThat(end.server()).isEqualTo(address);
                assertThat(end.durationNanos()).isPositive();
                assertThat(end.failure()).isNull();
            });
        }
    }

    @Test
    void listenerIsToldOfFailures() {
        Told told = new Told();
        settings.maxInFlight(1);
        Connection connection = connectToSilence(group(told), silentServer());
        timeout(connection, "a");
        failure(MemcachedOverloadException.class, future(connection, get("b")));
        connection.close();
        failedCall(connection);

        assertThat(told.ends)
                .filteredOn(end -> end.failure() != null)
                .extracting(end -> failureOf(end).getClass().getSimpleName())
                .containsExactly(
                        MemcachedTimeoutException.class.getSimpleName(),
                        MemcachedOverloadException.class.getSimpleName(),
                        MemcachedConnectionException.class.getSimpleName());
        assertThat(told.ends).extracting(CommandEnd::hits).containsExactly(1, 0, 0, 0);
    }

    private static MemcachedException failureOf(CommandEnd end) {
        MemcachedException failure = end.failure();
        assertThat(failure).isNotNull();
        return failure;
    }

    @Test
    void listenerIsToldOfStatesInTheirOrder() {
        Told told = new Told();
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    greet(c).send(replyTo(c.readLine())).readLine();
                    c.cut();
                })
                .onConnection(c -> answer(greet(c)));
        Connection connection = connect(group(told), address(server));
        works(connection);
        failure(MemcachedConnectionException.class, future(connection, get("a")));
        eventually(
                "told that it is connected again", () -> Collections.frequency(told.changes, "CONNECTING READY") == 2);
        connection.close();

        eventually("told of the end", () -> told.changes.contains("READY CLOSED"));
        assertThat(told.changes)
                .containsExactly(
                        "NEW CONNECTING",
                        "CONNECTING READY",
                        "READY CONNECTING failed",
                        "CONNECTING READY",
                        "READY CLOSED");
    }

    @Test
    void closeOfTheGroupReturnsWhenTheListenerWasTold() {
        Told told = new Told();
        ConnectionGroup group = group(told);
        works(connect(group, address(scriptedServer().onConnection(c -> answer(greet(c))))));
        group.close();

        assertThat(told.changes).endsWith("READY CLOSED");
    }

    private static void fail(boolean byError) {
        if (byError) {
            throw new NoSuchMethodError("of another version");
        }
        throw new IllegalStateException("broken");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void listenerThatThrowsDisturbsNothing(boolean byError) {
        Told told = new Told();
        ConnectionListener broken = new ConnectionListener() {
            @Override
            public void commandEnded(CommandEnd end) {
                fail(byError);
            }

            @Override
            public void stateChanged(
                    ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
                fail(byError);
            }
        };
        ConnectionGroup group = group(broken.and(told));
        Connection connection = connect(group, address(scriptedServer().onConnection(c -> answer(greet(c)))));
        works(connection);
        assertThat(result(future(connection, get("b")))).isEqualTo("value of b");
        group.close();

        assertThat(told.ends).isNotEmpty();
        assertThat(told.changes)
                .startsWith("NEW CONNECTING", "CONNECTING READY")
                .endsWith("READY CLOSED");
    }

    // The flight recorder.

    @Test
    void flightRecorderHasCommandsStatesTimeoutsAndOverloads() throws IOException {
        settings.maxInFlight(1);
        ScriptedServer server = silentServer();
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            Stream.of("Command", "ConnectionState", "Timeout", "Overload")
                    .forEach(event -> recording.enable("io.memshard." + event).withoutThreshold());
            recording.start();
            Connection connection = connectToSilence(closedAfterwards(new ConnectionGroup(options(), 1)), server);
            timeout(connection, "late");
            failure(MemcachedOverloadException.class, future(connection, get("b")));
            recording.stop();
            events = eventsOf(recording);
        }

        assertThat(named(events, "ConnectionState"))
                .extracting(event -> event.getString("from") + " " + event.getString("to"))
                .startsWith("NEW CONNECTING", "CONNECTING READY");
        assertThat(named(events, "Timeout")).singleElement().satisfies(event -> {
            assertThat(event.getString("server")).isEqualTo(address(server).toString());
            assertThat(event.getString("verb")).isEqualTo("mg");
            assertThat(event.getString("key")).isEqualTo("late");
            assertThat(event.getString("phase")).isEqualTo("awaiting reply");
            assertThat(event.getDuration("timeout")).isEqualTo(BRIEF);
            assertThat(event.getInt("position")).isEqualTo(1);
            assertThat(event.getInt("inFlight")).isEqualTo(1);
            assertThat(event.getDuration("silence")).isPositive();
        });
        assertThat(named(events, "Overload"))
                .singleElement()
                .satisfies(event -> assertThat(event.getInt("maxInFlight")).isEqualTo(1));
        assertThat(named(events, "Command"))
                .extracting(event -> event.getString("key"), event -> event.getInt("hits"))
                .containsExactly(tuple("a", 1), tuple("late", 0), tuple("b", 0));
        assertThat(named(events, "Command").get(1).getDuration()).isGreaterThanOrEqualTo(BRIEF);
        assertThat(named(events, "Command").get(1).getString("failure"))
                .startsWith("MemcachedTimeoutException: no reply within 100 ms");
    }

    /** Fast commands are many, and most recordings do not want them. */
    @Test
    void flightRecorderHasSlowCommandsOnlyUnlessTold() throws IOException {
        List<String> keys = new ArrayList<>();
        Connection connection = connectToSilence();
        List<RecordedEvent> events;
        try (Recording recording = new Recording();
                EmbeddedMemcached server = EmbeddedMemcached.start()) {
            recording.enable("io.memshard.Command");
            recording.start();
            timeout(connection, "slow");
            Connection fast = connect(server);
            eventually("fast", () -> {
                String key = "fast" + keys.size();
                keys.add(key);
                return taken(() -> fast.call(get(key), LONG_NANOS)).toMillis() < 5;
            });
            recording.stop();
            events = eventsOf(recording);
        }

        assertThat(named(events, "Command"))
                .extracting(event -> event.getString("key"))
                .contains("slow")
                .doesNotContain(keys.get(keys.size() - 1));
    }

    private List<RecordedEvent> eventsOf(Recording recording) throws IOException {
        Path file = directory.resolve("recording.jfr");
        recording.dump(file);
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        Files.delete(file);
        return events;
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("io.memshard." + name))
                .sorted(Comparator.comparing(RecordedEvent::getEndTime))
                .toList();
    }
}
