// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.connection.CapturedLog;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.ServerAddress;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FutureCompleterTest {

    private static final LinkContext CONTEXT =
            new LinkContext(new ServerAddress("a", 1), 0, new ConnectionOptions(), Protocol.META);

    private final ThreadPoolExecutor threads = (ThreadPoolExecutor) Executors.newCachedThreadPool();
    private final Semaphore steps = new Semaphore(0);
    private final AtomicInteger stagesRun = new AtomicInteger();
    private final List<CompletableFuture<?>> futures = new ArrayList<>();

    @AfterEach
    void end() {
        letAllStagesRun();
        threads.shutdown();
    }

    private void letAllStagesRun() {
        steps.release(10_000);
    }

    private Exchange<?> ended() {
        Exchange<?> exchange = new Exchange<>(new MetaNoop(), CONTEXT);
        CompletableFuture<?> future = exchange.toFuture(Duration.ofHours(1));
        future.whenComplete((value, failure) -> {
            try {
                steps.acquire();
                stagesRun.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        futures.add(future);
        exchange.fail(new OutOfMemoryError("of the test"));
        return exchange;
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
    void threadsAreBoundedAndFurtherStagesWait() {
        FutureCompleter completer = new FutureCompleter(null, threads, Set.of());
        int max = CompletingThreads.MAX_THREADS;
        int count = 2 * max;
        for (int i = 0; i < count; i++) {
            completer.complete(List.of(ended()));
        }
        try (CapturedLog log = new CapturedLog(Link.class)) {
            completes(completer, max);
            ClientLog.awaitWritten(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
            assertThat(log.text()).containsOnlyOnce("run slow functions on an executor of the application");
        }
        for (int i = 0; i < 10; i++) {
            completer.tick();
        }
        // A thread that has just started may not be counted yet.
        assertThat(done()).isBetween((long) max, count - 1L);
        assertThat(completer.backlog()).isPositive();

        letAllStagesRun();
        completes(completer, count);
        assertThat(completer.backlog()).isZero();
    }

    @Test
    void slowStagesGetMoreThreadsThoughSomeComplete() {
        FutureCompleter completer = new FutureCompleter(null, threads, Set.of());
        for (int i = 0; i < 20; i++) {
            completer.complete(List.of(ended()));
        }
        for (int i = 1; i <= 3; i++) {
            steps.release();
            int completed = i;
            Eventually.eventually(i + " stages have run", () -> stagesRun.get() >= completed);
            completer.tick();
        }
        assertThat(threads.getPoolSize()).isGreaterThan(1);
    }
}
