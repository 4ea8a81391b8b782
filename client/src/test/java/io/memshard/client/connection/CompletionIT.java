// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.client.sender.SendMode;
import io.memshard.testkit.fault.ScriptedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread completes futures, and what becomes of commands while it is blocked. */
@EachTransport
@Timeout(120)
class CompletionIT extends ConnectionFixture {

    private final CountDownLatch isAnswered = new CountDownLatch(1);
    private Connection used;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "application"));

    private final Transport transport;

    CompletionIT(Transport transport) {
        super(transport, Protocol.META);
        this.transport = transport;
    }

    @AfterEach
    void shutDown() {
        executor.shutdownNow();
    }

    private static Connection used(Connection connection) {
        works(connection);
        return connection;
    }

    @Test
    void executorOfTheApplicationRunsTheStages() {
        settings.completionExecutor = task -> executor.execute(() -> {
            Thread.currentThread().setName("application for memshard");
            task.run();
        });
        // The stage is there before the reply: of a future that is complete, it runs on the thread that adds it.
        CountDownLatch isAdded = new CountDownLatch(1);
        Connection connection = connect(scriptedServer().onConnection(c -> {
            c.greet();
            passes(isAdded);
            answer(c);
        }));
        CountDownLatch goesOn = new CountDownLatch(1);
        executor.execute(() -> passes(goesOn));
        CompletableFuture<String> thread = future(connection, get("a"))
                .thenApply(value -> Thread.currentThread().getName());
        isAdded.countDown();
        assertThat(connection.call(get("b"), LONG_NANOS))
                .as("calls do not need the executor")
                .isEqualTo("value of b");
        goesOn.countDown();
        assertThat(result(thread)).isEqualTo("application for memshard");
    }

    /** A stage runs on an event loop of the client, unless callers drive the I/O. */
    @Test
    void blockingCallInAStageFailsAtOnceWhereItWouldWaitForItself() {
        CountDownLatch isAdded = new CountDownLatch(1);
        ScriptedServer server = scriptedServer().onConnection(c -> {
            c.greet();
            passes(isAdded);
            answer(c);
        });
        ConnectionGroup group = closedAfterwards(new ConnectionGroup(options(), 2));
        Connection connection = opened(connect(group, server));
        Connection ofAnotherLoop = opened(connect(group, server));
        CompletableFuture<List<String>> stage = future(connection, get("a"))
                .thenApply(value -> Stream.<Supplier<String>>of(
                                () -> connection.call(get("b"), LONG_NANOS),
                                () -> ofAnotherLoop
                                        .send(get("b"), SendMode.AWAITED)
                                        .await(LONG_NANOS),
                                () -> {
                                    group.awaitReady(LONG);
                                    return "value of b";
                                })
                        .map(CompletionIT::outcome)
                        .toList());
        isAdded.countDown();
        assertThat(result(stage)).allSatisfy(outcome -> {
            if (transport == Transport.EVENT_LOOP) {
                assertThat(outcome).contains("MemcachedUnsupportedException", "thenCompose", "completionExecutor");
            } else {
                assertThat(outcome).isEqualTo("value of b");
            }
        });
    }

    private static String outcome(Supplier<String> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    /** By the time of the future, because the executor may be about to begin. */
    @Test
    void futuresAreCompletedWhereTheExecutorDropsTheirTask() {
        AtomicInteger dropped = new AtomicInteger();
        settings.completionExecutor = task -> dropped.incrementAndGet();
        Connection connection = used(connect(answeringServer()));
        eventually("dropped, and the reply had come in time", () -> {
            int before = dropped.get();
            String value = result(connection.send(get("a")).toFuture(BRIEF).exceptionally(failure -> "none"));
            return dropped.get() > before && value.equals("value of a");
        });
    }

    /** Each waits for all the others, so none may wait for the end of another. */
    @Test
    void asManyStagesRunAtTheSameTimeAsTheExecutorRuns() {
        ExecutorService threads = closed(Executors.newCachedThreadPool());
        settings.completionExecutor = threads;
        int many = 50;
        CountDownLatch begun = new CountDownLatch(many);
        List<CompletableFuture<String>> stages = futuresBeforeTheirReplies(many).stream()
                .map(each -> each.thenApply(value -> {
                    begun.countDown();
                    passes(begun);
                    return value;
                }))
                .toList();
        isAnswered.countDown();
        assertThat(CompletableFuture.allOf(stages.toArray(new CompletableFuture<?>[0])))
                .as("before the futures are due")
                .succeedsWithin(LONG.dividedBy(2));
    }

    /** It has run the task, or will, whatever it throws. */
    @Test
    void anExecutorThatThrowsLosesNoStageAndRunsNoneTwice() {
        AtomicInteger calls = new AtomicInteger();
        settings.completionExecutor = task -> {
            switch (calls.getAndIncrement() % 4) {
                case 0 -> throw new IllegalStateException("of the test");
                case 1 -> throw new OutOfMemoryError("of the test");
                case 2 -> {
                    executor.execute(task);
                    throw new RejectedExecutionException("accepted all the same");
                }
                default -> {
                    task.run();
                    task.run();
                }
            }
        };
        AtomicInteger run = new AtomicInteger();
        List<CompletableFuture<Integer>> stages = futuresBeforeTheirReplies(40).stream()
                .map(each -> each.thenApply(value -> run.incrementAndGet()))
                .toList();
        isAnswered.countDown();
        stages.forEach(each -> assertThat(each).succeedsWithin(LONG));
        executor.shutdown();
        assertThat(stages.stream().map(CompletableFuture::join)).doesNotHaveDuplicates();
        assertThat(run).hasValue(40);
    }

    /** Of a future that is complete, a stage runs on the thread that adds it. */
    private List<CompletableFuture<String>> futuresBeforeTheirReplies(int many) {
        used = connect(scriptedServer().onConnection(c -> {
            c.greet();
            passes(isAnswered);
            answer(c);
        }));
        return IntStream.range(0, many)
                .mapToObj(i -> future(used, get("a" + i)))
                .toList();
    }

    private ExecutorService closed(ExecutorService threads) {
        closedAfterwards(threads::shutdownNow);
        return threads;
    }

    /** Otherwise the replies to what the application goes on to send would fill the memory. */
    @Test
    void commandsAreRefusedWhileManyRepliesWaitForABlockedStage() {
        settings.completionExecutor = executor;
        Connection connection = used(connect(answeringServer()));
        CountDownLatch goesOn = new CountDownLatch(1);
        executor.execute(() -> passes(goesOn));
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
                .hasMessageContaining("futures wait, because functions attached to futures block");
        assertThat(connection.call(get("c"), LONG_NANOS)).isEqualTo("value of c");

        goesOn.countDown();
        all.subList(0, all.size() - 1).forEach(each -> assertThat(result(each)).isEqualTo("value of b"));
        assertThat(result(future(connection, get("d")))).isEqualTo("value of d");
    }

    /** The stage runs on the event loop, because it is there before the reply. */
    private static CompletableFuture<Boolean> holdUp(
            Connection connection, CountDownLatch heldUp, CountDownLatch goesOn) {
        while (true) {
            CompletableFuture<Boolean> stage = future(connection, get("a")).thenApply(value -> {
                if (Thread.currentThread().getName().startsWith("memshard-io")) {
                    heldUp.countDown();
                    passes(goesOn);
                }
                return true;
            });
            eventually("on a thread", () -> heldUp.getCount() == 0 || stage.isDone());
            if (heldUp.getCount() == 0) {
                return stage;
            }
        }
    }

    /** An application holds up an event loop for ever, by a stage of a future; its connections go on. */
    @Test
    void stuckLoopIsReplacedAndClosingDoesNotWaitForIt() {
        assumeTrue(transport == Transport.EVENT_LOOP);
        CountDownLatch goesOn = new CountDownLatch(1);
        settings.livenessTimeout = Duration.ofSeconds(1); // The connection works in the end, after losses too.
        settings.connectTimeout = Duration.ofSeconds(1); // Likewise.
        ConnectionGroup group = group();
        ScriptedServer server = answeringServer();
        Connection idle = connect(group, server);
        Connection connection = connect(group, server);
        worksInTheEnd(idle);
        CompletableFuture<Boolean> stage = holdUp(connection, new CountDownLatch(1), goesOn);
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
