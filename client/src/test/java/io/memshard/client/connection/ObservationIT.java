// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedTimeoutException;
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
import io.memshard.testkit.ClosedPort;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.Eventually;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** What a connection says of itself: in the messages of time-outs, to a listener, and to the flight recorder. */
@EachTransport
class ObservationIT extends ConnectionFixture {

    private final Transport transport;
    private final CountDownLatch blocks = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private ScriptedServer silent;

    ObservationIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

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
    private ScriptedServer answeringOnce() {
        silent = scriptedServer()
                .onConnection(c -> c.greet().send(replyTo(c.readLine())).ignore());
        return silent;
    }

    /** A connection that has had its one answer. So it is there before a time-out begins. */
    private Connection connectToSilence(ConnectionGroup group, ScriptedServer server) {
        Connection connection = opened(connect(group, server));
        works(connection);
        return connection;
    }

    private Connection connectToSilence() {
        return connectToSilence(group(), answeringOnce());
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
    void timeoutNamesItsQueuePositionAndTheServersSilence() {
        Connection connection = connectToSilence();
        CompletableFuture<?> first = future(connection, get("first"));

        assertThat(timeout(connection, "late"))
                .hasMessageMatching("no reply within 100 ms, 2 of 2 in flight, nothing received for \\d+ ms.*")
                .hasMessageContaining(": mg \"late\" on " + connection.server() + "[0], awaiting reply");
        assertThat(first).isNotDone();
        assertThat(failure(
                        MemcachedTimeoutException.class,
                        connection.send(get("future")).toFuture(BRIEF)))
                .hasMessageMatching("no reply within 100 ms, 3 of 3 in flight, nothing received for \\d+ ms.*");
    }

    /** An event loop that completes a future runs what depends on it, and reads nothing meanwhile. */
    @Test
    void timeoutNamesABlockedEventLoop() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            String request = c.greet().readLine();
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
    void listenerIsNotifiedOfEachCommandAndItsResult() {
        Told told = new Told();
        settings.maxInFlight = 1;
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
    void listenerIsNotifiedOfFailures() {
        Told told = new Told();
        settings.maxInFlight = 1;
        Connection connection = connectToSilence(group(told), answeringOnce());
        timeout(connection, "a");
        failure(MemcachedOverloadException.class, future(connection, get("b")));
        connection.close();
        failedCall(connection);

        assertThat(told.ends)
                .filteredOn(end -> end.failure() != null)
                .extracting(end -> (Object) end.failure().getClass())
                .containsExactly(
                        MemcachedTimeoutException.class,
                        MemcachedOverloadException.class,
                        MemcachedConnectionException.class);
        assertThat(told.ends).extracting(CommandEnd::hits).containsExactly(1, 0, 0, 0);
    }

    @Test
    void listenerIsNotifiedOfStatesInOrder() {
        Told told = new Told();
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    c.greet().send(replyTo(c.readLine())).readLine();
                    c.cut();
                })
                .onConnection(c -> answer(c.greet()));
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

    static Stream<Runnable> throwing() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("broken");
                },
                () -> {
                    throw new NoSuchMethodError("of another version");
                });
    }

    @ParameterizedTest
    @MethodSource("throwing")
    void listenerThatThrowsDisturbsNothing(Runnable throwing) {
        Told told = new Told();
        ConnectionListener broken = new ConnectionListener() {
            @Override
            public void commandEnded(CommandEnd end) {
                throwing.run();
            }

            @Override
            public void stateChanged(
                    ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
                throwing.run();
            }
        };
        ConnectionGroup group = group(broken.and(told));
        Connection connection = connect(group, address(scriptedServer().onConnection(c -> answer(c.greet()))));
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
    void flightRecorderHasCommandsAndStates() throws IOException {
        settings.maxInFlight = 1;
        ScriptedServer server = answeringOnce();
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            Stream.of("Command", "ConnectionState")
                    .forEach(event -> recording.enable("io.memshard." + event).withoutThreshold());
            recording.start();
            Connection connection = connectToSilence(group(), server);
            timeout(connection, "late");
            failure(MemcachedOverloadException.class, future(connection, get("b")));
            recording.stop();
            events = events(recording);
        }

        assertThat(named(events, "ConnectionState"))
                .extracting(event -> event.getString("from") + " " + event.getString("to"))
                .startsWith("NEW CONNECTING", "CONNECTING READY");
        assertThat(named(events, "Command"))
                .extracting(event -> event.getString("key"), event -> event.getInt("hits"))
                .containsExactly(tuple("a", 1), tuple("late", 0), tuple("b", 0));
        assertThat(named(events, "Command").get(1).getDuration()).isGreaterThanOrEqualTo(BRIEF);
        assertThat(named(events, "Command").get(1).getString("failure"))
                .startsWith("MemcachedTimeoutException: no reply within 100 ms");
        assertThat(named(events, "Command").get(2).getString("failure")).startsWith("MemcachedOverloadException: ");
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("io.memshard." + name))
                .toList();
    }

    // A log or a listener that blocks.

    @AfterEach
    void goOn() {
        goesOn.countDown();
    }

    private void block() {
        blocks.countDown();
        passes(goesOn);
    }

    /** It blocks at the failure of a server. Calls of another, silent server end by their time. */
    private void timeoutsPassWith(@Nullable ConnectionListener listener, Logger log) throws Exception {
        Duration timeout = Duration.ofMillis(500);
        ConnectionGroup group = closedAfterwards(
                new ConnectionGroup(options(), 1, listener, new PerServer.Environment(Addresses::ofSystem, log)));
        int closed = closedAfterwards(new ClosedPort()).port();
        connect(group, new ServerAddress("127.0.0.1", closed)).open();
        passes(blocks);

        Connection silent = opened(connect(group, silentServer()));
        CompletableFuture<String> future = silent.send(get("a")).toFuture(timeout);
        CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> silent.call(get("b"), timeout.toNanos()));
        Eventually.eventually("timed out", LONG.dividedBy(3), () -> future.isDone() && call.isDone());
        failure(MemcachedTimeoutException.class, future);
        failure(MemcachedTimeoutException.class, call);
    }

    @Test
    void timeoutsPassWhileTheLogBlocks() throws Exception {
        Logger blocking = (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (method.getReturnType() == boolean.class) {
                        return true;
                    }
                    block();
                    return null;
                });
        timeoutsPassWith(null, blocking);
    }

    @Test
    void timeoutsPassWhileAListenerBlocks() throws Exception {
        ConnectionListener blocking = new ConnectionListener() {
            @Override
            public void stateChanged(
                    ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
                block();
            }
        };
        timeoutsPassWith(blocking, NOPLogger.NOP_LOGGER);
    }
}
