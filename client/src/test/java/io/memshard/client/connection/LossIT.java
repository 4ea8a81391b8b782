// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that is lost is replaced, and nothing hangs. */
@ParameterizedClass
@CsvSource({
    "EVENT_LOOP, META",
    "EVENT_LOOP, CLASSIC",
    "CALLER_DRIVEN, META",
    "CALLER_DRIVEN, CLASSIC",
    "AUTO, META",
    "AUTO, CLASSIC"
})
@Timeout(60)
@Tag("once")
class LossIT extends ConnectionFixture {

    private final Transport transport;

    LossIT(Transport transport, Protocol protocol) {
        super(transport, protocol);
        this.transport = transport;
    }

    @Test
    void allConnectionsComeBackWithTheFirst() {
        settings.reconnectDelay(Duration.ofMillis(50), Duration.ofSeconds(5));
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(settings.build(), 1));
        List<Connection> connections = IntStream.range(0, 6)
                .mapToObj(i -> group.newConnection(address(server), i, transport))
                .toList();
        connections.forEach(each -> {
            works(each);
            future(each, get("a")).join();
        });
        int links = server.connections();
        server.stopAccepting();
        IntStream.range(0, links).forEach(i -> cut(server, i));
        eventually("lost", () -> connections.stream().noneMatch(LossIT::isReady));
        // Long enough for the budget to have no socket left: the next ones come one by one.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_500));

        server.resumeAccepting();
        eventually("the first", () -> connections.stream().anyMatch(LossIT::isReady));
        long nanos = System.nanoTime();
        eventually("all", () -> connections.stream().allMatch(LossIT::isReady));
        assertThat(Duration.ofNanos(System.nanoTime() - nanos)).isLessThan(Duration.ofMillis(1_500));
    }

    private static boolean isReady(Connection connection) {
        return connection.state() == ConnectionState.READY;
    }

    @Test
    void callsFailAtOnceWhileReconnectingAndWorkAgainWhenTheServerIsBack() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        works(connection);
        assertThat(answerOf(future(connection, get("a")))).isEqualTo("value of a");
        int links = server.connections();
        server.stopAccepting();
        for (int i = 0; i < links; i++) {
            cut(server, i);
        }
        eventually("lost", () -> connection.state() == ConnectionState.RECONNECTING);
        // There may be two links; a command that fails on one shows that its loss is known.
        failedCall(connection);
        failure(MemcachedConnectionException.class, future(connection, get("a")));

        assertThat(connection.isReady()).isFalse();
        assertThat(taken(() -> assertThat(failedCall(connection))
                        .hasMessageContaining(address(server) + "[0], queued")
                        .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue())))
                .isLessThan(Duration.ofSeconds(1));
        assertThat(future(connection, get("a"))).isCompletedExceptionally();
        assertThat(connection.inFlight()).isZero();

        server.resumeAccepting();
        worksAgain(connection);
        eventually("works again", () -> "value of a".equals(answerOf(future(connection, get("a")))));
        assertThat(server.connections()).isEqualTo(2 * links);
    }

    /** Null if it fails. */
    private static @Nullable String answerOf(CompletableFuture<String> future) {
        return result(future.exceptionally(failure -> null));
    }

    @Test
    void idleConnectionThatTheServerClosesIsReplaced() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        works(connection);
        for (int i = 0; i < 5; i++) {
            worksAgain(connection);
            int lost = i;
            cut(server, lost);
            eventually("replaced", () -> server.connections() == lost + 2);
        }
        worksAgain(connection);
    }

    @Test
    void abandonedCommandsKeepTheLivenessTimeoutRunning() {
        settings.livenessTimeout(SHORT);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> greet(c).send(replyTo(c.readLine())).ignore())
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        works(connection);

        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> connection.call(get("a"), TimeUnit.MILLISECONDS.toNanos(50)));
        eventually("replaced", () -> server.connections() == 2);
        worksAgain(connection);
    }

    @Test
    void idleConnectionAsksForASignOfLife() {
        settings.heartbeatInterval(Duration.ofMillis(100));
        CountDownLatch heartbeats = new CountDownLatch(3);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> greet(c).replyTo(line -> {
                    if (line.equals("mn") || line.equals(PROBE)) {
                        heartbeats.countDown();
                    }
                    return replyTo(line);
                }));
        Connection connection = connect(server);
        works(connection);

        eventually("heartbeats", () -> heartbeats.getCount() == 0);
        eventually("nothing in flight", () -> connection.inFlight() == 0);
        worksAgain(connection);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void idleConnectionWithoutASignOfLifeIsReplaced() {
        settings.heartbeatInterval(Duration.ofMillis(100));
        settings.livenessTimeout(SHORT);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    greet(c);
                    c.send(replyTo(c.readLine()));
                    c.ignore();
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        works(connection);
        eventually("replaced", () -> server.connections() == 2);
        worksAgain(connection);
    }

    /** A command that lacks memory or stack in the thread of whichever caller happens to do the work. */
    private static final class Faulty extends Command<String> {

        private final boolean encodes;

        Faulty(boolean encodes) {
            this.encodes = encodes;
        }

        @Override
        public String verb() {
            return "mn";
        }

        @Override
        public void encode(RequestBuffer out, int opaque) {
            if (!encodes) {
                throw new OutOfMemoryError("of the test");
            }
            out.append("mn".getBytes(US_ASCII)).endLine();
        }

        @Override
        public boolean decode(ReplyBuffer in, int opaque) {
            throw new OutOfMemoryError("of the test");
        }

        @Override
        public String result() {
            throw new AssertionError("no result");
        }

        @Override
        public Command<String> classicForm() {
            return this;
        }
    }

    private static CompletableFuture<String> calling(Connection connection, Command<String> command) {
        int before = connection.inFlight();
        CompletableFuture<String> call = CompletableFuture.supplyAsync(
                () -> connection.call(command, LONG_NANOS), task -> new Thread(task, "caller").start());
        eventually("in flight", () -> connection.inFlight() > before || call.isDone());
        return call;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void errorEndsTheLinkAndLeavesNobodyWaiting(boolean encodes) {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    greet(c).send(replyTo(c.readLine()));
                    if (encodes) {
                        c.readLine();
                        c.readLine();
                        c.send("MN\r\n");
                    }
                    c.ignore();
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        works(connection);
        List<Command<String>> commands = new ArrayList<>(List.of(new Faulty(encodes), get("a")));
        if (!encodes) {
            Collections.reverse(commands);
        }
        List<CompletableFuture<String>> calls =
                commands.stream().map(command -> calling(connection, command)).toList();

        calls.forEach(call ->
                assertThat(failure(MemcachedConnectionException.class, call)).hasMessageContaining("of the test"));
        worksAgain(connection);
    }

    @Test
    void dependentStageOfALossHoldsUpNobody() throws Exception {
        AtomicBoolean lost = new AtomicBoolean();
        ScriptedServer server = scriptedServer().onConnection(c -> {
            if (lost.get()) {
                c.ignore();
            } else {
                greet(c).stall();
                c.cut();
            }
        });
        Connection connection = connect(server);
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Boolean> stage = future(connection, get("a")).handle((value, failure) -> passes(held));
        List<FutureTask<MemcachedConnectionException>> calls = IntStream.range(0, 3)
                .mapToObj(i -> new FutureTask<>(() -> failedCall(connection)))
                .toList();
        calls.forEach(call -> new Thread(call, "caller").start());
        eventually("all sent", () -> connection.inFlight() == 4 && connection.state() == ConnectionState.READY);
        int links = server.connections();
        lost.set(true);
        for (int i = 0; i < links; i++) {
            release(server, i);
        }

        for (FutureTask<MemcachedConnectionException> call : calls) {
            assertThat(call.get(LONG_NANOS / 2, TimeUnit.NANOSECONDS)).isNotNull();
        }
        held.countDown();
        assertThat(result(stage)).isTrue();
    }

    /** So that a stage which tries again over an array of connections is led to another one. */
    @Test
    void dependentStageOfALossFindsTheConnectionNotReady() {
        ScriptedServer server = scriptedServer()
                .onConnection(ConnectionFixture::answer)
                .onConnection(c -> {
                    greet(c).readLine();
                    c.cut();
                })
                .onConnection(ScriptedConnection::ignore);
        Connection connection = connect(server);
        replaceIdleLink(connection, server);
        CompletableFuture<Boolean> ready =
                future(connection, get("a")).handle((value, failure) -> connection.isReady());

        assertThat(result(ready)).isFalse();
    }
}
