package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.testkit.ScriptedServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that cannot be opened, is lost, is replaced or is closed fails what it must, and nothing hangs. */
@Timeout(60)
abstract class LossContract extends ConnectionFixture {

    private static final Duration SHORT = Duration.ofMillis(300);

    /** What may pass beyond a timeout on a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    private static Duration taken(Runnable action) {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static MemcachedConnectionException failedCall(Connection connection) {
        try {
            throw new AssertionError("no failure, but " + connection.call(get("a"), LONG_NANOS));
        } catch (MemcachedConnectionException e) {
            return e;
        }
    }

    /** The first call fails within the connect timeout, saying where and why. */
    private void firstCallFails(ServerAddress server, String reason) {
        Connection connection = connect(server);
        Duration taken = taken(() -> assertThat(failedCall(connection))
                .hasMessageContaining("cannot connect to " + server)
                .hasMessageContaining(reason)
                .hasMessageContaining("mg \"a\"")
                .hasCauseInstanceOf(java.io.IOException.class)
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue()));

        assertThat(taken).isLessThan(options.connectTimeout().plus(SLACK));
        assertThat(connection.state()).isEqualTo(ConnectionState.RECONNECTING);
        assertThat(connection.isReady()).isFalse();
        assertThat(connection.inFlight()).isZero();
    }

    @Test
    void refusedConnectFailsTheFirstCallWithAddressAndCause() {
        ScriptedServer server = scriptedServer().stopAccepting();

        firstCallFails(address(server), "refused");
    }

    @Test
    void serverThatAcceptsAndIsSilentFailsTheFirstCallWithinTheConnectTimeout() {
        connectTimeout(SHORT);
        firstCallFails(address(scriptedServer()), "did not answer");
    }

    @Test
    void serverThatNeverAcceptsFailsTheFirstCallWithinTheConnectTimeout() throws Exception {
        connectTimeout(SHORT);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocket neverAccepts = closedAfterwards(new ServerSocket(0, 1, loopback));
        for (int i = 0; i < 8; i++) {
            SocketChannel filler = closedAfterwards(SocketChannel.open());
            filler.configureBlocking(false);
            filler.connect(new InetSocketAddress(loopback, neverAccepts.getLocalPort()));
        }

        firstCallFails(new ServerAddress(loopback.getHostAddress(), neverAccepts.getLocalPort()), "timed out");
    }

    @Test
    void unknownHostFailsTheFirstCall() {
        firstCallFails(new ServerAddress("no-such-host.invalid", 11211), "no-such-host.invalid");
    }

    @Test
    void hostNameIsResolved() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);

        works(connect(new ServerAddress("localhost", server.port())));
    }

    @Test
    void serverWithoutMetaCommandsFailsTheFirstCall() {
        ScriptedServer server = scriptedServer().onConnection(c -> c.replyTo(line -> "ERROR\r\n"));

        firstCallFails(address(server), "the server has no meta protocol");
    }

    @Test
    void serverThatIsNoMemcachedFailsTheFirstCall() {
        ScriptedServer server = scriptedServer().onConnection(c -> c.send("220 mail.example.com ESMTP\r\n"));

        firstCallFails(address(server), "cannot be trusted");
    }

    @Test
    void serverWithTooManyConnectionsFailsTheFirstCall() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.expectLine("mn")
                        .send("ERROR Too many open connections\r\n")
                        .cut())
                .onConnection(c -> {});

        firstCallFails(address(server), "Too many open connections");
    }

    @Test
    void everyCommandQueuedDuringTheFirstAttemptFailsWithIt() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.expectLine("mn").stall().cut())
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        List<CompletableFuture<String>> futures = IntStream.range(0, 5)
                .mapToObj(i -> future(connection, get("k" + i)))
                .toList();
        release(server, 0);

        futures.forEach(future ->
                assertThat(failure(MemcachedConnectionException.class, future)).hasMessageContaining("cannot connect"));
    }

    private static void release(ScriptedServer server, int index) {
        try {
            server.awaitConnection(index, LONG).release();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
    void connectionIsReadyForWhoeverHasItsFirstReply() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        for (int i = 0; i < 100; i++) {
            try (ConnectionGroup group = new ConnectionGroup(options, 1)) {
                Connection connection = connect(group, address(server));
                works(connection);
                assertThat(connection.state()).isEqualTo(ConnectionState.READY);
            }
        }
    }

    @Test
    void callMadeDuringTheFirstAttemptGetsItsReply() throws Exception {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine("mn").stall().send("MN\r\n");
            answer(c);
        });
        Connection connection = connect(server);
        FutureTask<String> call = new FutureTask<>(() -> connection.call(get("a"), LONG_NANOS));
        new Thread(call, "caller").start();
        eventually("queued", () -> connection.inFlight() == 1);
        release(server, 0);

        assertThat(call.get(LONG_NANOS, TimeUnit.NANOSECONDS)).isEqualTo("value of a");
    }

    @Test
    void queueOfTheFirstAttemptIsLimitedToo() {
        maxInFlight(2);
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine("mn").stall().send("MN\r\n");
            answer(c);
        });
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
    void requestTimeoutHoldsWhileConnecting() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine("mn").stall().send("MN\r\n");
            c.expectLine(line -> line.startsWith("mg again"));
            received.countDown();
            c.expectClose();
        });
        Connection connection = connect(server);
        CompletableFuture<String> future = connection.send(get("a")).toFuture(SHORT);
        assertThatExceptionOfType(MemcachedTimeoutException.class)
                .isThrownBy(() -> connection.call(get("b"), SHORT.toNanos()))
                .withMessageContaining("still connecting")
                .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue());
        failure(MemcachedTimeoutException.class, future);

        // What was over before it could be sent is never sent.
        release(server, 0);
        eventually("ready", () -> connection.state() == ConnectionState.READY);
        CompletableFuture<String> again = future(connection, get("again"));
        assertThat(received.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(connection.inFlight()).isEqualTo(1);
        connection.close();
        failure(MemcachedConnectionException.class, again);
    }

    @Test
    void callsFailAtOnceWhileReconnectingAndWorkAgainWhenTheServerIsBack() {
        ScriptedServer server = scriptedServer().onConnection(c -> answer(c)).onConnection(c -> answer(c));
        Connection connection = connect(server);
        works(connection);
        server.stopAccepting();
        cut(server, 0);
        eventually("lost", () -> connection.state() == ConnectionState.RECONNECTING);

        assertThat(connection.isReady()).isFalse();
        assertThat(taken(() -> assertThat(failedCall(connection))
                        .hasMessageContaining(address(server) + "[0], queued")
                        .satisfies(e -> assertThat(e.isSafeToRetry()).isTrue())))
                .isLessThan(Duration.ofSeconds(1));
        assertThat(future(connection, get("a"))).isCompletedExceptionally();
        assertThat(connection.inFlight()).isZero();

        server.resumeAccepting();
        worksAgain(connection);
        assertThat(server.connections()).isEqualTo(2);
    }

    private static void cut(ScriptedServer server, int index) {
        try {
            server.awaitConnection(index, LONG).cut();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
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
    void stalledConnectionIsReplacedAfterTheLivenessTimeout() {
        livenessTimeout(SHORT);
        ScriptedServer server =
                scriptedServer().onConnection(c -> greet(c).ignore()).onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        CompletableFuture<String> future = future(connection, get("a"));

        assertThat(failure(MemcachedConnectionException.class, future)).hasMessageContaining("no reply for 300 ms");
        worksAgain(connection);
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void blockedCallerIsFreedByTheLivenessTimeout() {
        livenessTimeout(SHORT);
        ScriptedServer server =
                scriptedServer().onConnection(c -> greet(c).ignore()).onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);

        assertThat(failedCall(connection)).hasMessageContaining("no reply for 300 ms");
        worksAgain(connection);
    }

    @Test
    void abandonedCommandsKeepTheLivenessTimeoutRunning() {
        livenessTimeout(SHORT);
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
        heartbeatInterval(Duration.ofMillis(100));
        CountDownLatch heartbeats = new CountDownLatch(3);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> greet(c).replyTo(line -> {
                    if (line.equals("mn")) {
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
        heartbeatInterval(Duration.ofMillis(100));
        livenessTimeout(SHORT);
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

    @Test
    void closeFailsWhatIsInFlightAndWhatComesLater() {
        ScriptedServer server = scriptedServer().onConnection(c -> greet(c).ignore());
        Connection connection = connect(server);
        CompletableFuture<String> inFlight = future(connection, get("a"));
        FutureTask<MemcachedException> blocked = new FutureTask<>(() -> failedCall(connection));
        new Thread(blocked, "caller").start();
        eventually("both in flight", () -> connection.inFlight() == 2 && connection.state() == ConnectionState.READY);
        connection.close();
        connection.close();

        assertThat(failure(MemcachedConnectionException.class, inFlight)).hasMessageContaining("closed by this client");
        assertThat(result(CompletableFuture.supplyAsync(() -> {
                    try {
                        return blocked.get(LONG_NANOS, TimeUnit.NANOSECONDS);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                })))
                .hasMessageContaining("closed by this client");
        assertThat(failedCall(connection)).hasMessageContaining("closed by this client");
        assertThat(future(connection, get("a"))).isCompletedExceptionally();
        assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
        assertThat(connection.isReady()).isFalse();
        eventually("the server sees it", () -> server.openConnections() == 0);
    }

    @Test
    void closeBeforeTheFirstCommandOpensNothing() {
        ScriptedServer server = scriptedServer();
        Connection connection = connect(server);
        assertThat(connection.state()).isEqualTo(ConnectionState.NEW);
        connection.close();

        assertThat(failedCall(connection)).hasMessageContaining("closed by this client");
        assertThat(server.connections()).isZero();
    }

    @Test
    void closeWhileConnectingFailsWhatIsQueued() throws Exception {
        ScriptedServer server = scriptedServer();
        Connection connection = connect(server);
        CompletableFuture<String> queued = future(connection, get("a"));
        server.awaitConnection(0, LONG);
        connection.close();

        assertThat(failure(MemcachedConnectionException.class, queued)).hasMessageContaining("closed by this client");
        eventually("the server sees it", () -> server.openConnections() == 0);
        assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
    }

    @Test
    void closeWhileReconnectingEndsTheAttempts() {
        ScriptedServer server = scriptedServer().stopAccepting();
        Connection connection = connect(server);
        failedCall(connection);
        connection.close();
        server.resumeAccepting();

        assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
        assertThat(failedCall(connection)).hasMessageContaining("closed by this client");
    }

    @Test
    void manyGroupsOpenedAndClosedLeaveNothing() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        for (int i = 0; i < 100; i++) {
            try (ConnectionGroup group = new ConnectionGroup(options, 1)) {
                Connection connection = connect(group, address(server));
                works(connection);
                future(connection, get("left-in-flight"));
            }
        }
        eventually("the server sees it", () -> server.openConnections() == 0);
    }

    @Test
    void groupsClosedWhileConnectingLeaveNothing() {
        ScriptedServer silent = scriptedServer();
        ScriptedServer refusing = scriptedServer().stopAccepting();
        for (int i = 0; i < 20; i++) {
            for (ScriptedServer server : List.of(silent, refusing)) {
                ConnectionGroup group = new ConnectionGroup(options, 1);
                CompletableFuture<String> future = future(connect(group, address(server)), get("a"));
                group.close();
                failure(MemcachedConnectionException.class, future);
            }
        }
        eventually("the server sees it", () -> silent.openConnections() == 0);
    }

    @Test
    void closedGroupMakesNoConnections() {
        ConnectionGroup group = new ConnectionGroup(options, 1);
        group.close();
        group.close();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> connect(group, new ServerAddress("localhost", 1)))
                .withMessageContaining("closed");
    }

    @Test
    void dependentStageMayCloseTheConnection() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        CompletableFuture<Void> closed = future(connection, get("a")).thenAccept(value -> connection.close());

        result(closed);
        assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
        eventually("the server sees it", () -> server.openConnections() == 0);
    }

    @Test
    void dependentStageOfAFailureHoldsNoLockOfTheConnection() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.expectLine("mn").stall().cut())
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        CompletableFuture<Integer> seenByAnother = future(connection, get("a"))
                .handle((value, failure) -> CompletableFuture.supplyAsync(connection::inFlight)
                        .orTimeout(5, TimeUnit.SECONDS)
                        .join());
        release(server, 0);

        assertThat(result(seenByAnother)).isZero();
    }

    @Test
    void dependentStageOfATimeoutWhileConnectingMayTryAgain() {
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.expectLine("mn").stall().send("MN\r\n");
            answer(c);
        });
        Connection connection = connect(server);
        List<CompletableFuture<String>> futures = IntStream.range(0, 3)
                .mapToObj(i -> connection
                        .send(get("k" + i))
                        .toFuture(Duration.ofMillis(20))
                        .handle((value, failure) ->
                                connection.send(get("again")).toFuture(SHORT))
                        .thenCompose(again -> again))
                .toList();
        futures.forEach(future ->
                assertThat(failure(MemcachedTimeoutException.class, future)).hasMessageContaining("again"));

        // The timer has survived that: deadlines still hold.
        failure(MemcachedTimeoutException.class, connection.send(get("late")).toFuture(SHORT));
        release(server, 0);
        worksAgain(connection);
    }

    @Test
    void dependentStageOfAFailedAttemptMayTryAgain() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.expectLine("mn").stall().cut())
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        List<CompletableFuture<String>> futures = IntStream.range(0, 3)
                .mapToObj(i -> future(connection, get("k" + i))
                        .handle((value, failure) -> future(connection, get("again")))
                        .thenCompose(again -> again))
                .toList();
        release(server, 0);

        futures.forEach(future ->
                assertThat(failure(MemcachedConnectionException.class, future)).hasMessageContaining("again"));
        worksAgain(connection);
    }
}
