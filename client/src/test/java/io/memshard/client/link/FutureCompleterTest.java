// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.SlowStage;
import io.memshard.client.connection.CapturedLog;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FutureCompleterTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final LinkContext CONTEXT =
            new LinkContext(new ServerAddress("a", 1), 0, ConnectionOptions.DEFAULTS, Protocol.META);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final Set<Thread> completing = ConcurrentHashMap.newKeySet();
    private final AtomicInteger blocked = new AtomicInteger();
    private final List<CompletableFuture<?>> futures = new ArrayList<>();

    @AfterEach
    void end() {
        goesOn.countDown();
        threads.shutdown();
    }

    private Exchange<?> ended(Duration timeout, Runnable stage) {
        Exchange<?> exchange = new Exchange<>(new MetaNoop(), CONTEXT);
        CompletableFuture<?> future = exchange.toFuture(timeout);
        future.whenComplete((value, failure) -> stage.run());
        futures.add(future);
        exchange.fail(new OutOfMemoryError("of the test"));
        return exchange;
    }

    private Exchange<?> ended(Duration timeout) {
        return ended(timeout, () -> {
            blocked.incrementAndGet();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private FutureCompleter completer(@Nullable Executor application, Executor own) {
        return new FutureCompleter(application, own, new AdditionalThreads(threads), completing);
    }

    private long done() {
        return futures.stream().filter(CompletableFuture::isDone).count();
    }

    private void completes(FutureCompleter completer, int count) {
        Eventually.eventually(count + " completed", () -> {
            completer.tick();
            return done() >= count;
        });
    }

    @Test
    void additionalThreadsAreBoundedAndWhatIsLeftWaitsForAStage() {
        FutureCompleter completer = completer(null, threads);
        int max = AdditionalThreads.MAX + 1;
        for (int i = 0; i < max + 10; i++) {
            completer.complete(List.of(ended(LONG)));
        }
        completes(completer, max);
        for (int i = 0; i < 10; i++) {
            completer.tick();
        }
        assertThat(done()).isEqualTo(max);
        assertThat(completer.backlog()).isEqualTo(10);

        goesOn.countDown();
        completes(completer, max + 10);
        assertThat(completer.backlog()).isZero();
    }

    private FutureCompleter late(CompletableFuture<?> stage, Executor own) {
        FutureCompleter completer = completer(null, own);
        completer.complete(List.of(ended(LONG, () -> stage.complete(null))));
        completer.complete(List.of(ended(LONG, () -> {})));
        return completer;
    }

    @Test
    void aStageThatMakesOthersLateIsNamedByItsClass() {
        CompletableFuture<Void> slow = new CompletableFuture<>();
        slow.whenComplete(new SlowStage<>(goesOn));
        try (CapturedLog log = new CapturedLog(Link.class)) {
            completes(late(slow, threads), 2);
            assertThat(log.text()).contains("a stage of a future in com.example.SlowStage is slow: do not block");
        }
    }

    /** As on a machine without CPU time. */
    @Test
    void futuresThatAreLateWithoutAStageGiveNoAdviceOnStages() {
        List<Runnable> neverRun = new ArrayList<>();
        try (CapturedLog log = new CapturedLog(Link.class)) {
            FutureCompleter completer = late(new CompletableFuture<>(), neverRun::add);
            completes(completer, 2);
            assertThat(log.text()).doesNotContain("stage");
        }
    }
}
