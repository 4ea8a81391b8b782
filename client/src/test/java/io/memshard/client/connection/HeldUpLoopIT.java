// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application holds up an event loop for ever, by a stage of a future; its connections go on. */
@Timeout(60)
class HeldUpLoopIT extends ConnectionFixture {

    private final CountDownLatch heldUp = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    HeldUpLoopIT() {
        super(Transport.EVENT_LOOP, Protocol.META);
    }

    private ScriptedServer server() {
        return scriptedServer().onConnection(ConnectionFixture::answer);
    }

    /** The stage runs on the event loop, because it is there before the reply. */
    private CompletableFuture<Boolean> holdUp(Connection connection) throws InterruptedException {
        CompletableFuture<Boolean> stage = null;
        while (stage == null || stage.isDone()) {
            stage = future(connection, get("a")).thenApply(value -> {
                if (Thread.currentThread().getName().startsWith("memshard-io")) {
                    heldUp.countDown();
                    awaitUninterrupted(goesOn);
                }
                return true;
            });
            if (heldUp.await(SHORT.toMillis(), TimeUnit.MILLISECONDS)) {
                return stage;
            }
        }
        throw new AssertionError("no stage ran on the event loop");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void loopIsReplacedAndItsConnectionOpenedAgain() throws Exception {
        settings.livenessTimeout(Duration.ofSeconds(1));
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        ScriptedServer server = server();
        Connection idle = connect(group, address(server));
        Connection connection = connect(group, address(server));
        assertThat(idle.call(get("a"), LONG_NANOS)).isEqualTo("value of a");
        CompletableFuture<Boolean> stage = holdUp(connection);
        CompletableFuture<String> unanswered = future(connection, get("b"));

        eventually("the reply that nobody reads fails", unanswered::isDone);
        assertThat(unanswered).isCompletedExceptionally();
        eventually(
                "ready again",
                () -> connection.state() == ConnectionState.READY
                        && idle.state() == ConnectionState.READY
                        && server.connections() > 2);
        assertThat(connection.call(get("c"), LONG_NANOS)).isEqualTo("value of c");
        assertThat(idle.call(get("d"), LONG_NANOS)).isEqualTo("value of d");
        goesOn.countDown();
        assertThat(stage.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closingDoesNotWaitForIt() throws Exception {
        settings.livenessTimeout(Duration.ofSeconds(1));
        ConnectionGroup group = new ConnectionGroup(options(), 1);
        Connection connection = connect(group, address(server()));
        CompletableFuture<Boolean> stage = holdUp(connection);
        eventually("noticed", () -> connection.state() == ConnectionState.READY || !connection.isReady());
        CompletableFuture<String> unanswered = future(connection, get("b"));
        eventually("failed", unanswered::isDone);

        long before = System.nanoTime();
        group.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
        goesOn.countDown();
        assertThat(stage.get(10, TimeUnit.SECONDS)).isTrue();
    }
}
