package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.testkit.ScriptedServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that is lost is replaced, and nothing hangs. */
@EachTransport
@Timeout(60)
class LossIT extends ConnectionFixture {

    LossIT(Transport transport) {
        super(transport, Protocol.META);
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

    /** So that a stage which tries again over an array of connections is led to another one. */
    @Test
    void dependentStageOfALossFindsTheConnectionNotReady() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> {
                    greet(c).readLine();
                    c.cut();
                })
                .onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        CompletableFuture<Boolean> ready =
                future(connection, get("a")).handle((value, failure) -> connection.isReady());

        assertThat(result(ready)).isFalse();
    }
}
