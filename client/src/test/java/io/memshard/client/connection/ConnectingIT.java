// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.link.CallerDrivenOpener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.helpers.NOPLogger;

/** A connection fails, queues and times out what it is given while it is being opened. */
@EachTransport
@Timeout(120)
class ConnectingIT extends ConnectionFixture {

    private static final String FULL = "the server is full: it answered \"ERROR Too many open connections\"; raise its"
            + " limit -c (max_connections), or open fewer connections to it";

    /** What a server may do in place of its first answer, and the failure's reason; its beginning, before "...". */
    private enum Greeting {
        CLOSED_WHEN_ACCEPTED("it did not answer...", ScriptedConnection::cut),
        RESET_WHEN_ACCEPTED("...", ScriptedConnection::reset),
        CLOSED_WHEN_ASKED(
                "it did not answer: connection lost (the server closed the connection);"
                        + " if it speaks TLS on this port, set tls",
                c -> c.expectLine("mn").cut()),
        NO_META_COMMANDS("the server does not support the meta protocol...", c -> c.replyTo(line -> "ERROR\r\n")),
        WEB_SERVER(
                "it is not memcached, it answered \"HTTP/1.1 400 ... ...\", like a web server",
                c -> c.expectLine("mn").send("HTTP/1.1 400 Bad Request\r\n")),
        REDIS(
                "it is not memcached, it answered \"-ERR ... ... ... ...\", like Redis",
                c -> c.expectLine("mn").send("-ERR unknown command 'mn', with\r\n")),
        SSH(
                "it is not memcached, it answered 21 bytes that are not a reply",
                c -> c.expectLine("mn").send("SSH-2.0-OpenSSH_9.6p1\r\n")),
        TLS(
                "it is not memcached, it answered 6 bytes that are not a reply, like a server that speaks TLS; set tls",
                c -> c.expectLine("mn").send("\25\3\1\0\2\2\n")),
        TOO_MANY_CONNECTIONS(
                FULL,
                c -> c.expectLine("mn")
                        .send("ERROR Too many open connections\r\n")
                        .cut()),
        BUSY(
                "it failed at the first command: the server answered SERVER_ERROR out of memory",
                c -> c.expectLine("mn").send("SERVER_ERROR out of memory\r\n"));

        private final String reason;
        private final ScriptedServer.Script script;

        Greeting(String reason, ScriptedServer.Script script) {
            this.reason = reason;
            this.script = script;
        }

        /** The message of the first failure. A reset that comes at once may meet the connection before it is there. */
        private String message(ServerAddress server) {
            String step = this == RESET_WHEN_ACCEPTED ? "(use|connect to)" : "use";
            String told = ": " + reason + ": mg \"a\" on " + server + "[0], queued";
            boolean isWhole = !reason.endsWith("...");
            String beginning = isWhole ? told : this == RESET_WHEN_ACCEPTED ? "" : ": " + reason.replace("...", "");
            return "cannot " + step + ' ' + Pattern.quote(server + beginning) + (isWhole ? "" : ".*");
        }
    }

    ConnectingIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @ParameterizedTest
    @EnumSource
    void serverThatDoesNotGreetFailsTheFirstCallAndIsRetried(Greeting greeting) {
        ScriptedServer server = scriptedServer().onConnection(greeting.script).onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        assertThat(failedCall(connection))
                .hasMessageMatching(greeting.message(address(server)))
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        worksAgain(connection);
        assertThat(connection.inFlight()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "M"})
    void silentServerFailsTheFirstCallAndIsRetried(String answer) {
        settings.connectTimeout = SHORT;
        AtomicBoolean greets = new AtomicBoolean();
        ScriptedServer server = scriptedServer().onConnection(c -> {
            if (greets.get()) {
                answer(c);
            } else {
                c.send(answer).ignore();
            }
        });
        Connection connection = connect(server);

        failsWith(
                connection,
                "cannot use " + address(server) + " within 300 ms: it did not answer: no reply within ",
                "; if it speaks TLS on this port, set tls");
        greets.set(true);
        worksAgain(connection);
        assertThat(connection.inFlight()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "META, 'OK  O1', '; if this server is not memcached 1.6.10 or later, set protocol(Protocol.CLASSIC)'",
        "CLASSIC, MN, '; protocol CLASSIC is already in use, so no setting helps: avoid the command that got this reply'"
    })
    void untrustworthyReplyNamesTheSettingForClassicText(Protocol protocol, String reply, String advice) {
        settings.protocol = protocol;
        Connection connection =
                connect(scriptedServer().onConnection(c -> c.greet().replyTo(line -> reply + "\r\n")));

        assertThatExceptionOfType(MemcachedProtocolException.class)
                .isThrownBy(() -> connection.call(get("a"), LONG_NANOS))
                .withMessageContaining(advice)
                .withMessageContaining(getVerb() + " \"a\"");
    }

    /** The first call fails, saying where and why; it does not end by its own timeout. */
    private static void firstCallFails(Connection connection, String reason) {
        assertThat(failedCall(connection))
                .hasMessageContaining("cannot connect to " + connection.server())
                .hasMessageContaining(reason)
                .hasMessageContaining("mg \"a\"")
                .hasCauseInstanceOf(java.io.IOException.class)
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        assertThat(connection.state()).isEqualTo(ConnectionState.RECONNECTING);
        assertThat(connection.isReady()).isFalse();
        assertThat(connection.inFlight()).isZero();
    }

    @Test
    void refusedConnectFailsTheFirstCallWithAddressAndCause() {
        ScriptedServer server = scriptedServer().stopAccepting();

        firstCallFails(connect(server), "refused");
    }

    @Test
    void serverThatNeverAcceptsFailsWithinTheConnectTimeout() throws Exception {
        settings.connectTimeout = BRIEF;
        InetSocketAddress lost = lostAddress();

        firstCallFails(connect(new ServerAddress(lost.getHostString(), lost.getPort())), "timed out");
    }

    @Test
    void unknownHostFailsTheFirstCall() {
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(
                options(),
                1,
                null,
                new PerServer.Environment(
                        server -> {
                            throw new UnknownHostException(server.host());
                        },
                        NOPLogger.NOP_LOGGER)));
        firstCallFails(connect(group, new ServerAddress("no-such-host.invalid", 11211)), "no-such-host.invalid");
    }

    private ScriptedServer lateToGreet() {
        return scriptedServer()
                .onConnection(c -> answer(c.expectLine("mn").stall().send("MN\r\n")));
    }

    /** Closes the first connection, once it is released, in the place of the greeting. */
    private ScriptedServer losingTheFirst() {
        return scriptedServer()
                .onConnection(c -> c.expectLine("mn").stall().cut())
                .onConnection(ConnectionFixture::answer);
    }

    @Test
    void everyCommandQueuedDuringTheFirstAttemptFailsWithIt() {
        ScriptedServer server = losingTheFirst();
        Connection connection = connect(server);
        List<CompletableFuture<String>> futures = IntStream.range(0, 5)
                .mapToObj(i -> future(connection, get("k" + i)))
                .toList();
        release(server, 0);

        futures.forEach(future ->
                assertThat(failure(MemcachedConnectionException.class, future)).hasMessageContaining("cannot use"));
    }

    @Test
    void commandsQueuedDuringTheFirstAttemptAreExecutedInOrder() {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine("mn").stall().send("MN\r\n");
            for (int i = 0; i < 50; i++) {
                int expected = i;
                String line = c.readLine();
                assertThat(line).startsWith("mg k" + expected + " ");
                c.send(replyTo(line));
            }
            answer(c);
        });
        Connection connection = connect(server);
        List<CompletableFuture<String>> futures = IntStream.range(0, 50)
                .mapToObj(i -> future(connection, get("k" + i)))
                .toList();
        assertThat(connection.state()).isEqualTo(ConnectionState.CONNECTING);
        assertThat(connection.inFlight()).isEqualTo(50);
        release(server, 0);

        for (int i = 0; i < 50; i++) {
            assertThat(result(futures.get(i))).isEqualTo("value of k" + i);
        }
        worksAgain(connection);
    }

    @Test
    void queueOfTheFirstAttemptIsLimitedToo() {
        settings.maxInFlight = 2;
        ScriptedServer server = lateToGreet();
        Connection connection = connect(server);
        CompletableFuture<String> one = future(connection, get("one"));
        CompletableFuture<String> two = future(connection, get("two"));
        CompletableFuture<String> three = future(connection, get("three"));

        assertThat(three).isDone();
        assertThat(failure(MemcachedOverloadException.class, three)).hasMessageContaining("in-flight limit 2");
        release(server, 0);
        assertThat(result(one)).isEqualTo("value of one");
        assertThat(result(two)).isEqualTo("value of two");
    }

    @Test
    void completedCommandsLeaveTheQueueOfTheFirstAttempt() {
        settings.maxInFlight = 2;
        Connection connection = connect(scriptedServer());
        for (int i = 0; i < 10; i++) {
            eventually("queued", () -> {
                try {
                    throw new AssertionError(connection.call(get("a"), TimeUnit.MILLISECONDS.toNanos(1)));
                } catch (MemcachedTimeoutException e) {
                    return true;
                } catch (MemcachedOverloadException e) {
                    return false;
                }
            });
        }
        eventually("none queued", () -> connection.inFlight() == 0);
    }

    @Test
    void requestTimeoutHoldsWhileConnecting() {
        CountDownLatch received = new CountDownLatch(1);
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine("mn").stall().send("MN\r\n");
            c.expectLine(line -> line.startsWith("mg again"));
            received.countDown();
            c.expectClose();
        });
        Connection connection = connect(server);
        CompletableFuture<String> future = connection.send(get("a")).toFuture(BRIEF);
        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> connection.call(get("b"), BRIEF.toNanos()))
                .withMessageContaining("still connecting")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        failure(MemcachedTimeoutException.class, future);

        // What was over before it could be sent is never sent.
        release(server, 0);
        eventually("ready", () -> connection.state() == ConnectionState.READY);
        CompletableFuture<String> again = future(connection, get("again"));
        passes(received);
        assertThat(connection.inFlight()).isEqualTo(1);
        connection.close();
        failure(MemcachedConnectionException.class, again);
    }

    @Test
    void errorInAnAttemptIsFollowedByAnotherAttempt() {
        ScriptedServer server = answeringServer();
        AtomicBoolean failed = new AtomicBoolean();
        CallerDrivenOpener sockets = closedAfterwards(new CallerDrivenOpener());
        Connection connection = group().newConnection(context(server), (address, whose, timeoutNanos, listener) -> {
            if (failed.compareAndSet(false, true)) {
                throw new OutOfMemoryError("of the test");
            }
            return sockets.open(address, whose, timeoutNanos, listener);
        });
        assertThat(failedCall(connection)).hasMessageContaining("OutOfMemoryError");
        worksAgain(connection);
    }

    @Test
    void dependentStageOfAFailedAttemptMayTryAgain() {
        ScriptedServer server = losingTheFirst();
        Connection connection = connect(server);
        List<CompletableFuture<String>> futures = IntStream.range(0, 3)
                .mapToObj(i -> future(connection, get("k" + i))
                        .handle((value, failure) -> future(connection, get("again")))
                        .thenCompose(again -> again))
                .toList();
        release(server, 0);

        // Each second command is refused, or takes the next connection if that is there already.
        futures.forEach(future -> assertThat(result(future.exceptionally(failure -> {
                    assertThat(Futures.cause(failure)).isInstanceOf(MemcachedConnectionException.class);
                    return "refused";
                })))
                .isIn("refused", "value of again"));
        worksAgain(connection);
    }

    @Test
    void dependentStageOfARefusalDelaysNoQueuedCommand() {
        settings.protocol = Protocol.CLASSIC;
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine(PROBE).stall().send("END\r\n");
            answer(c);
        });
        Connection connection = connect(server);
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<Boolean> stage =
                future(connection, createdByCounting()).handle((value, failure) -> failure != null && passes(answered));
        CompletableFuture<String> call = calling(connection, "a");
        eventually("both queued", () -> connection.inFlight() == 2);
        release(server, 0);

        assertThat(result(call)).isEqualTo("value of a");
        assertThat(stage).isNotDone();
        answered.countDown();
        assertThat(result(stage)).isTrue();
    }
}
