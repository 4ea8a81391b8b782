// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.listener.ConnectionListener;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ConnectionStatus;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that this side closes fails what it must, and leaves nothing. */
@EachTransport
@Timeout(120)
class ClosingIT extends ConnectionFixture {

    /** How long closing waits for threads at most. */
    private static final Duration SHUTDOWN = Duration.ofSeconds(5);

    ClosingIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @Test
    void closeFailsCommandsInFlightAndLaterOnes() {
        ScriptedServer server = silentServer();
        Connection connection = connect(server);
        CompletableFuture<String> inFlight = future(connection, get("a"));
        CompletableFuture<MemcachedConnectionException> blocked = calling(() -> failedCall(connection));
        eventually("both in flight", () -> connection.inFlight() == 2 && connection.state() == ConnectionState.READY);
        connection.close();
        connection.close();

        assertThat(failure(MemcachedConnectionException.class, inFlight)).hasMessageContaining("closed by this client");
        assertThat(result(blocked)).hasMessageContaining("closed by this client");
        assertThat(failedCall(connection)).hasMessageContaining("closed by this client");
        assertThat(future(connection, get("a"))).isCompletedExceptionally();
        assertThat(connection.state()).isEqualTo(ConnectionState.CLOSED);
        assertThat(connection.isReady()).isFalse();
        eventually("the server sees it", () -> server.openConnections() == 0);
    }

    @Test
    void listenerMayCloseTheGroupAndIsNotified() {
        CompletableFuture<ConnectionGroup> toClose = new CompletableFuture<>();
        CompletableFuture<Duration> closing = new CompletableFuture<>();
        CompletableFuture<ConnectionState> last = new CompletableFuture<>();
        ConnectionListener closer = new ConnectionListener() {
            @Override
            public void stateChanged(
                    ConnectionStatus connection, ConnectionState from, ConnectionState to, @Nullable Throwable cause) {
                if (to == ConnectionState.READY) {
                    closing.complete(taken(() -> toClose.join().close()));
                } else if (to == ConnectionState.CLOSED) {
                    last.complete(from);
                }
            }
        };
        ConnectionGroup group = group(closer);
        works(connect(group, answeringServer()));
        toClose.complete(group);

        assertThat(result(closing)).isLessThan(SHUTDOWN); // Waiting for its own thread takes all of that time.
        assertThat(result(last)).isEqualTo(ConnectionState.READY);
    }

    @Test
    void closedGroupMakesNoConnections() {
        ConnectionGroup group = new ConnectionGroup(options(), 1);
        group.close();
        group.close();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> connect(group, new ServerAddress("localhost", 1)))
                .withMessageContaining("closed");
    }

    @Test
    void stageOnTheExecutorMayCloseTheGroup() {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        closedAfterwards(executor::shutdownNow);
        settings.completionExecutor = executor;
        ScriptedServer server = lateServer();
        ConnectionGroup group = group();
        CompletableFuture<Duration> closing =
                future(connect(group, server), get("a")).thenApply(value -> taken(group::close));
        release(server, 0);

        assertThat(result(closing)).isLessThan(SHUTDOWN); // Waiting for its own thread takes all of that time.
    }

    @Test
    void dependentStagesOnTwoThreadsMayCloseTheGroupAtOnce() {
        ScriptedServer server = lateServer();
        ConnectionGroup group = new ConnectionGroup(options(), 2);
        CyclicBarrier bothRun = new CyclicBarrier(2);
        List<CompletableFuture<Duration>> closed = IntStream.range(0, 2)
                .mapToObj(i -> future(connect(group, server), get("a")).thenApply(value -> {
                    pass(bothRun);
                    return taken(group::close);
                }))
                .toList();
        release(server, 0);
        release(server, 1);

        closed.forEach(each ->
                assertThat(result(each)).isLessThan(SHUTDOWN)); // Waiting for either thread takes all of that time.
        eventually("the server sees it", () -> server.openConnections() == 0);
    }

    private ScriptedServer answeringOnce() {
        return scriptedServer().onConnection(c -> {
            String first = c.greet().readLine();
            c.stall().send(replyTo(first)).ignore();
        });
    }

    /** It holds up the thread that reads, so nobody but {@code close} can end what it waits for. */
    @Test
    void closeFailsACommandThatADependentStageAwaits() {
        ScriptedServer server = answeringOnce();
        ConnectionGroup group = group();
        Connection connection = connect(group, server);
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<MemcachedConnectionException> stage = future(connection, get("a"))
                .thenApply(value -> {
                    CompletableFuture<String> never =
                            connection.send(get("never")).toFuture(LONG.multipliedBy(3));
                    waits.countDown();
                    eventually("failed", never::isDone);
                    return failure(MemcachedConnectionException.class, never);
                });
        release(server, 0);
        passes(waits);

        group.close();
        assertThat(result(stage)).hasMessageContaining("closed by this client");
    }
}
