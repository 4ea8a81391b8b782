// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.Version;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that is lost is replaced, and nothing hangs. */
@EachTransportAndProtocol
@Timeout(120)
class LossIT extends ConnectionFixture {

    private final Transport transport;

    LossIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
        this.transport = transport;
    }

    @Test
    void allConnectionsComeBackWithTheFirst() {
        // None of them would try again by itself.
        settings.reconnectDelay = new Backoff(Duration.ofHours(1), Duration.ofHours(1));
        ScriptedServer server = answeringServer();
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        List<Connection> connections = IntStream.range(0, 3)
                .mapToObj(i -> group.newConnection(address(server), i, transport))
                .toList();
        connections.forEach(each -> {
            works(each);
            future(each, get("a")).join();
        });
        int links = server.connections();
        server.stopAccepting();
        IntStream.range(0, links).forEach(i -> cut(server, i));
        connections.forEach(LossIT::eventuallyLost);

        server.resumeAccepting();
        works(group.newConnection(address(server), 3, transport));
        eventually("all", () -> connections.stream().allMatch(each -> each.state() == ConnectionState.READY));
    }

    /** A connection may have two links; a command that fails on one shows that its loss is known. */
    private static void eventuallyLost(Connection connection) {
        noticeLoss(connection);
        failure(MemcachedConnectionException.class, future(connection, get("a")));
        eventually("lost", () -> connection.state() == ConnectionState.RECONNECTING);
    }

    @Test
    void callsFailAtOnceUntilTheServerIsBack() {
        ScriptedServer server = answeringServer();
        Connection connection = connect(server);
        works(connection);
        assertThat(answerOf(future(connection, get("a")))).isEqualTo("value of a");
        int links = server.connections();
        server.stopAccepting();
        for (int i = 0; i < links; i++) {
            cut(server, i);
        }
        eventuallyLost(connection);

        assertThat(connection.isReady()).isFalse();
        assertThat(failedCall(connection))
                .hasMessageContaining(address(server) + "[0], queued")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        assertThat(future(connection, get("a"))).isCompletedExceptionally();
        assertThat(connection.inFlight()).isZero();

        server.resumeAccepting();
        worksAgain(connection);
        eventually("works again", () -> "value of a".equals(answerOf(future(connection, get("a")))));
    }

    private static @Nullable String answerOf(CompletableFuture<String> future) {
        return result(future.exceptionally(failure -> null));
    }

    @Test
    void idleConnectionThatTheServerClosesIsReplaced() {
        ScriptedServer server = answeringServer();
        Connection connection = opened(connect(server));
        works(connection);
        cut(server, 0);
        eventually("replaced", () -> server.connections() == 2);
        works(connection);
    }

    /** As after a freeze of this process, in which the server has closed what it took for idle. */
    @Test
    void onlyTheCallThatMeetsTheClosedSocketFails() {
        settings.reconnectDelay = new Backoff(Duration.ofHours(1), Duration.ofHours(1));
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.replyTo(line -> {
                    if (line.contains(" closing")) {
                        c.cut();
                        return "";
                    }
                    return replyTo(line);
                }));
        Connection connection = connect(server);
        for (int i = 0; i < 2; i++) {
            works(connection);
            assertThat(answerOf(future(connection, get("a")))).isEqualTo("value of a");
            assertThatExceptionOfType(MemcachedConnectionException.class)
                    .isThrownBy(() -> connection.call(get("closing"), LONG_NANOS));
            works(connection);
            failure(MemcachedConnectionException.class, future(connection, get("closing")));
            assertThat(answerOf(future(connection, get("a")))).isEqualTo("value of a");
        }
    }

    @Test
    void linkThatIsLostWhileCommandsAreMovedToItIsReplacedAtOnce() {
        settings.protocol = Protocol.CLASSIC;
        settings.reconnectDelay = new Backoff(Duration.ofHours(1), Duration.ofHours(1));
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch moved = new CountDownLatch(1);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    passes(queued);
                    c.greet().send(replyTo(c.readLine())).readLine();
                    passes(moved);
                    c.cut();
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        CountDownLatch released = new CountDownLatch(1);
        OwnCommand held = new OwnCommand("held") {
            @Override
            public Command<String> classicForm() {
                moved.countDown();
                passes(released);
                return this;
            }
        };
        CompletableFuture<String> answered = future(connection, get("a"));
        CompletableFuture<String> cut = future(connection, get("closing"));
        CompletableFuture<String> moving = future(connection, held);
        queued.countDown();

        assertThat(result(answered)).isEqualTo("value of a");
        failure(MemcachedConnectionException.class, cut);
        CompletableFuture<String> later = future(connection, get("later"));
        released.countDown();
        failure(MemcachedConnectionException.class, moving);
        assertThat(result(later)).isEqualTo("value of later");
        works(connection);
    }

    @Test
    void idleConnectionWithoutASignOfLifeIsReplaced() {
        settings.heartbeatInterval = Duration.ofMillis(20);
        settings.livenessTimeout = BRIEF;
        ScriptedServer server =
                scriptedServer().onConnection(c -> c.greet().ignore()).onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        connection.open();
        eventually("replaced", () -> server.connections() >= 2);
        worksInTheEnd(connection);
    }

    /** It answers everything else, also behind the question on another connection. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUnansweredProbeDelaysCallersForOneTimeout(boolean isHeartbeat) {
        settings.livenessTimeout = Duration.ofHours(1);
        settings.heartbeatInterval = isHeartbeat ? Duration.ofMillis(20) : Duration.ofHours(1);
        CountDownLatch asked = new CountDownLatch(1);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.greet().replyTo(line -> {
                    if (List.of("mn", PROBE, "version").contains(line)) {
                        asked.countDown();
                    }
                    return asked.getCount() == 0 ? "" : replyTo(line);
                }))
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        connection.open();
        if (!isHeartbeat) {
            future(connection, new Version());
        }
        passes(asked);
        failure(MemcachedTimeoutException.class, connection.send(get("late")).toFuture(SHORT));
        eventually("works", () -> {
            try {
                return "value of end".equals(connection.call(get("end"), SHORT.toNanos()));
            } catch (MemcachedTimeoutException | MemcachedConnectionException e) {
                // The first is blamed on this process if that stands still, and the connection then stays.
                return false;
            }
        });
    }

    /** A command that lacks memory or stack in the thread of whichever caller happens to do the work. */
    private static OwnCommand faulty(boolean encodes) {
        return new OwnCommand("mn") {
            @Override
            public void encode(RequestBuffer out, int opaque) {
                if (!encodes) {
                    throw new OutOfMemoryError("of the test");
                }
                super.encode(out, opaque);
            }

            @Override
            public boolean decode(ReplyBuffer in, int opaque) {
                throw new OutOfMemoryError("of the test");
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void errorEndsTheLinkAndLeavesNobodyWaiting(boolean encodes) {
        CountDownLatch isFirst = new CountDownLatch(1);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    c.greet().send(replyTo(c.readLine())).readLine();
                    isFirst.countDown();
                    if (encodes) {
                        c.readLine();
                        c.send("MN\r\n");
                    }
                    c.ignore();
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = opened(connect(server));
        works(connection);
        Command<String> faulty = faulty(encodes);
        CompletableFuture<String> first = calling(() -> connection.call(encodes ? faulty : get("a"), LONG_NANOS));
        passes(isFirst);
        CompletableFuture<String> second = calling(() -> connection.call(encodes ? get("a") : faulty, LONG_NANOS));

        for (CompletableFuture<String> call : List.of(first, second)) {
            assertThat(failure(MemcachedConnectionException.class, call)).hasMessageContaining("of the test");
        }
        worksAgain(connection);
    }
}
