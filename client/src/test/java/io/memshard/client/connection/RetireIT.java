// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.Backoff;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection to a server that left ends what is in flight, refuses the rest unsent, and is forgotten. */
@EachTransport
@Timeout(120)
class RetireIT extends ConnectionFixture {

    private final Transport transport;

    RetireIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    @Test
    void commandsInFlightCompleteAndLaterOnesAreRefusedUnsent() {
        ScriptedServer server = lateServer();
        ConnectionGroup group = group();
        Connection connection = connect(group, server);
        CompletableFuture<String> inFlight = future(connection, get("a"));
        eventually("sent", () -> connection.state() == ConnectionState.READY);
        connection.retire(LONG);

        CompletableFuture<String> refused = future(connection, get("b"));
        assertThat(failure(MemcachedConnectionException.class, refused).isSafeToRetry())
                .isTrue();
        assertThat(failedCall(connection).isSafeToRetry()).isTrue();
        assertThat(connection.state()).isEqualTo(ConnectionState.READY);
        release(server, 0);
        assertThat(result(inFlight)).isEqualTo("value of a");
        eventually("closed", () -> connection.state() == ConnectionState.CLOSED && server.openConnections() == 0);
        group.awaitReady(LONG);
    }

    /** The first link is there, so a second would be one too many. */
    @Test
    void aConnectionThatDrainsOpensNoSocketAndWarnsOfNothing() {
        CountDownLatch answers = new CountDownLatch(1);
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.greet().replyTo(line -> {
                    if (line.contains("slow")) {
                        passes(answers);
                    }
                    return replyTo(line);
                }));
        ConnectionGroup group = group();
        Connection idle = connect(group, server);
        works(idle);
        Connection busy = connect(group, server);
        works(busy);
        CompletableFuture<String> slow = future(busy, get("slow"));
        eventually("sent", () -> busy.inFlight() == 1);
        try (CapturedLog ownLog = new CapturedLog(Connection.class)) {
            idle.retire(LONG);
            busy.retire(LONG);
            eventually("the idle one is closed", () -> idle.state() == ConnectionState.CLOSED);
            // More than the timer takes to notice that there is no link.
            result(group.threads.pause(TimeUnit.MILLISECONDS.toNanos(200)));
            assertThat(server.connections()).isEqualTo(2);
            answers.countDown();
            assertThat(result(slow)).isEqualTo("value of slow");
            eventually("closed", () -> server.openConnections() == 0);
            assertThat(ownLog.text()).doesNotContain("WARN", "ERROR");
        }
        assertThat(server.connections()).isEqualTo(2);
    }

    /** As of a server that leaves because it is down. */
    @Test
    void aConnectionThatDrainsDoesNotTryAgain() {
        settings.reconnectDelay = new Backoff(Duration.ofHours(1), Duration.ofHours(1));
        ScriptedServer server =
                scriptedServer().onConnection(ScriptedConnection::cut).onConnection(ConnectionFixture::answer);
        ConnectionGroup group = group();
        Connection connection = connect(group, server);
        failedCall(connection);
        connection.retire(LONG);
        eventually("closed", () -> connection.state() == ConnectionState.CLOSED);
        // One that tried again would try now, because the server works.
        works(connect(group, server));
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void noCallerLosesACommandThatWasSent() {
        ScriptedServer server = answeringServer();
        ConnectionGroup group = group();
        for (int i = 0; i < 10; i++) {
            Connection connection = connect(group, server);
            CyclicBarrier start = new CyclicBarrier(5);
            List<CompletableFuture<Boolean>> callers = Stream.generate(() -> calling(() -> {
                        pass(start);
                        try {
                            while (true) {
                                connection.call(get("a"), LONG_NANOS);
                            }
                        } catch (MemcachedException e) {
                            return e.isSafeToRetry();
                        }
                    }))
                    .limit(4)
                    .toList();
            works(connection);
            pass(start);
            connection.retire(LONG);
            callers.forEach(caller -> assertThat(result(caller)).isTrue());
        }
        eventually("closed", () -> server.openConnections() == 0);
    }

    @Test
    void aCommandOnAConnectionMadeWhileTheGroupIsClosedEnds() {
        ScriptedServer server = answeringServer();
        for (int i = 0; i < 10; i++) {
            ConnectionGroup group = new ConnectionGroup(options(), 1);
            CompletableFuture<List<CompletableFuture<String>>> maker = calling(() -> {
                List<CompletableFuture<String>> futures = new ArrayList<>();
                try {
                    while (true) {
                        futures.add(future(connect(group, server), get("a")));
                    }
                } catch (IllegalStateException closed) {
                    return futures; // There are no more.
                }
            });
            Thread.yield();
            group.close();
            for (CompletableFuture<String> future : result(maker)) {
                assertThat(future.handle((value, failure) -> true)).succeedsWithin(LONG);
            }
        }
    }
}
