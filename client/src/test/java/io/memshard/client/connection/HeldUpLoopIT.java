// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application holds up an event loop for ever, by a stage of a future; its connections go on. */
@Timeout(120)
class HeldUpLoopIT extends ConnectionFixture {

    private final CountDownLatch heldUp = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    HeldUpLoopIT() {
        super(Transport.EVENT_LOOP, Protocol.META);
    }

    /** The stage runs on the event loop, because it is there before the reply. */
    private CompletableFuture<Boolean> holdUp(Connection connection) {
        while (true) {
            CompletableFuture<Boolean> stage = future(connection, get("a")).thenApply(value -> {
                if (Thread.currentThread().getName().startsWith("memshard-io")) {
                    heldUp.countDown();
                    awaitUninterrupted(goesOn);
                }
                return true;
            });
            eventually("on a thread", () -> heldUp.getCount() == 0 || stage.isDone());
            if (heldUp.getCount() == 0) {
                return stage;
            }
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void stuckLoopIsReplacedAndClosingDoesNotWaitForIt() {
        settings.livenessTimeout(Duration.ofSeconds(1)); // The connection works in the end, after losses too.
        settings.connectTimeout(Duration.ofSeconds(1)); // Likewise.
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 1));
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        Connection idle = connect(group, address(server));
        Connection connection = connect(group, address(server));
        worksInTheEnd(idle);
        CompletableFuture<Boolean> stage = holdUp(connection);
        CompletableFuture<String> unanswered = future(connection, get("b"));

        eventually("the reply that nobody reads fails", unanswered::isDone);
        assertThat(unanswered).isCompletedExceptionally();
        worksInTheEnd(connection);
        worksInTheEnd(idle);
        Duration closing = taken(group::close);
        assertThat(closing).isLessThan(Duration.ofSeconds(5)); // Waiting for the loop takes all of that time.
        assertThat(stage).isNotDone();
        goesOn.countDown();
        assertThat(result(stage)).isTrue();
    }
}
