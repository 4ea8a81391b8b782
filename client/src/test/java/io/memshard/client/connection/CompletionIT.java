// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.testkit.fault.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread completes futures, and what becomes of commands while it is blocked. */
@EachTransport
@Timeout(60)
class CompletionIT extends ConnectionFixture {

    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "application"));

    CompletionIT(Transport transport) {
        super(transport, Protocol.META);
    }

    @AfterEach
    void shutDown() {
        executor.shutdownNow();
    }

    private Connection connection() {
        ScriptedServer server = scriptedServer().onConnection(ConnectionFixture::answer);
        Connection connection = connect(server);
        assertThat(connection.call(get("a"), LONG_NANOS)).isEqualTo("value of a");
        return connection;
    }

    @Test
    void executorOfTheApplicationRunsTheStages() {
        options = options.withCompletionExecutor(task -> executor.execute(() -> {
            Thread.currentThread().setName("application for memshard");
            task.run();
        }));
        // The stage is there before the reply: of a future that is complete, it runs on the thread that adds it.
        CountDownLatch isAdded = new CountDownLatch(1);
        Connection connection = connect(scriptedServer().onConnection(c -> {
            greet(c);
            uninterrupted(isAdded);
            answer(c);
        }));
        CountDownLatch goesOn = new CountDownLatch(1);
        executor.execute(() -> uninterrupted(goesOn));
        CompletableFuture<String> thread = future(connection, get("a"))
                .thenApply(value -> Thread.currentThread().getName());
        isAdded.countDown();
        assertThat(connection.call(get("b"), LONG_NANOS))
                .as("calls do not need the executor")
                .isEqualTo("value of b");
        goesOn.countDown();
        assertThat(result(thread)).isEqualTo("application for memshard");
    }

    @Test
    void futuresAreCompletedWhereTheExecutorRejectsThem() {
        options = options.withCompletionExecutor(task -> {
            throw new RejectedExecutionException("full");
        });
        assertThat(result(future(connection(), get("a")))).isEqualTo("value of a");
    }

    /** As the policy of a pool may: then the stages would run on the timer, which ends the time of others. */
    @Test
    void executorThatRunsTasksOnTheSubmittingThreadHoldsUpNobodyElse() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(1);
        options = options.withCompletionExecutor(Runnable::run);
        Connection connection = connect(scriptedServer().onConnection(c -> greet(c).ignore()));
        CompletableFuture<Void> stage = connection
                .send(get("a"))
                .toFuture(SHORT)
                .handle((value, failure) -> {
                    uninterrupted(goesOn);
                    return null;
                });
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> connection.call(get("b"), 1_200_000_000))
                    .isInstanceOf(MemcachedTimeoutException.class);
        }
        assertThat(stage).isNotDone();
        goesOn.countDown();
        stage.get(10, TimeUnit.SECONDS);
    }

    @Test
    void futuresAreCompletedWhereTheExecutorDropsTheirTask() {
        AtomicBoolean drops = new AtomicBoolean(true);
        options = options.withCompletionExecutor(task -> {
            if (!drops.getAndSet(false)) {
                executor.execute(task);
            }
        });
        Connection connection = connection();
        eventually("used", () -> {
            assertThat(result(future(connection, get("a")))).isEqualTo("value of a");
            return !drops.get();
        });
    }

    /** Otherwise the replies to what the application goes on to send would fill the memory. */
    @Test
    void commandsAreRefusedWhileManyRepliesWaitForABlockedStage() {
        options = options.withCompletionExecutor(executor);
        Connection connection = connection();
        CountDownLatch goesOn = new CountDownLatch(1);
        executor.execute(() -> uninterrupted(goesOn));
        List<CompletableFuture<String>> all = new ArrayList<>();
        CompletableFuture<String> last;
        do {
            // One whose reply is there before its future is completed at once.
            last = future(connection, get("b"));
            all.add(last);
            if (all.size() % 100 == 0) {
                eventually("answered", () -> connection.inFlight() == 0);
            }
        } while (all.size() < 50_000 && !last.isCompletedExceptionally());
        assertThatThrownBy(last::join)
                .hasCauseInstanceOf(MemcachedOverloadException.class)
                .hasMessageContaining("futures wait for a stage that blocks");
        assertThat(connection.call(get("c"), LONG_NANOS)).isEqualTo("value of c");

        goesOn.countDown();
        all.subList(0, all.size() - 1).forEach(each -> assertThat(result(each)).isEqualTo("value of b"));
        assertThat(result(future(connection, get("d")))).isEqualTo("value of d");
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
