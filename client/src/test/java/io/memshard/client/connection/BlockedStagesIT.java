// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every stage of a future blocks until the test ends, and no future is completed late for that. */
@EachTransport
@Timeout(120)
class BlockedStagesIT extends ConnectionFixture {

    private static final int MANY = 60;

    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final ExecutorService executor = Executors.newFixedThreadPool(2);

    BlockedStagesIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @AfterEach
    void goOn() {
        goesOn.countDown();
        executor.shutdown();
    }

    private List<CompletableFuture<String>> blockedGets(Connection connection, Duration timeout) {
        List<CompletableFuture<String>> futures = IntStream.range(0, MANY)
                .mapToObj(i -> connection.send(get("a" + i)).toFuture(timeout))
                .toList();
        Thread caller = Thread.currentThread();
        // A future that is complete already runs its stage here.
        futures.forEach(each -> each.whenComplete((value, failure) -> {
            if (Thread.currentThread() != caller) {
                passes(goesOn);
            }
        }));
        return futures;
    }

    private static void eventuallyDone(List<CompletableFuture<String>> futures) {
        eventually("all done", () -> futures.stream().allMatch(CompletableFuture::isDone));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyFutureTimesOutOnTimeThoughAnExecutorIsBlocked(boolean hasExecutor) {
        if (hasExecutor) {
            settings.completionExecutor = executor;
            executor.execute(() -> passes(goesOn));
            executor.execute(() -> passes(goesOn));
        }
        List<CompletableFuture<String>> futures = blockedGets(connect(silentServer()), BRIEF);
        eventuallyDone(futures);
        futures.forEach(each -> failure(MemcachedTimeoutException.class, each));
    }

    @Test
    void everyFutureOfALostConnectionFails() {
        ScriptedServer server = silentServer();
        Connection connection = connect(server);
        List<CompletableFuture<String>> futures = blockedGets(connection, LONG);
        // One that was not written is safe to send again, and would be.
        eventually("sent", () -> received(server, 0).contains("a" + (MANY - 1)));
        cut(server, 0);
        eventuallyDone(futures);
        futures.forEach(each -> failure(MemcachedConnectionException.class, each));
    }

    @Test
    void aPauseEndsThoughAStageOfAnotherBlocks() {
        Connection connection = connect(silentServer());
        Thread caller = Thread.currentThread();
        for (int i = 0; i < MANY; i++) {
            connection.pause(1).thenRun(() -> {
                // A pause that has ended already runs its stage here.
                if (Thread.currentThread() != caller) {
                    passes(goesOn);
                }
            });
        }
        CompletableFuture<Void> last = connection.pause(2);
        eventually("ended", last::isDone);
    }

    @Test
    void closingRunsNoStageOfAPause() {
        ConnectionGroup group = group();
        CompletableFuture<Void> pause =
                connect(group, silentServer()).pause(Duration.ofHours(1).toNanos());
        CompletableFuture<Thread> ran = pause.thenApply(ended -> Thread.currentThread());
        group.close();
        assertThat(ran.join()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void everyFutureFailsWhenTheClientIsClosed() {
        ConnectionGroup group = group();
        Connection connection = connect(group, silentServer());
        List<CompletableFuture<String>> futures = blockedGets(connection, LONG);
        eventually("sent", () -> connection.inFlight() == MANY && connection.state() == ConnectionState.READY);
        executor.execute(group::close);
        eventuallyDone(futures);
    }
}
