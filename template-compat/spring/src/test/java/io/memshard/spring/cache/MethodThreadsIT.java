// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.testkit.EmbeddedMemcached;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads of cached methods after asynchronous misses, with more misses than threads. */
class MethodThreadsIT {

    private static final int MISSES = 200;

    private final EmbeddedMemcached server = EmbeddedMemcached.start();
    private final Memshard memshard = Caches.memshard(server.address());
    private final MemcachedCache cache = Caches.books(memshard);

    @AfterEach
    void stop() {
        memshard.close();
        server.close();
    }

    private static CompletableFuture<Void> all(CompletableFuture<?>[] futures) {
        return CompletableFuture.allOf(futures);
    }

    @Test
    void methodsThatBlockHaveABoundedNumberOfThreads() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        Runnable method = () -> {
            threads.add(Thread.currentThread().getName());
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                Thread.sleep(1); // The method blocks, so that others need threads.
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            running.decrementAndGet();
        };
        CompletableFuture<?>[] lookups = IntStream.range(0, MISSES)
                .mapToObj(i -> cache.retrieve("absent" + i).thenRun(method))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture<?>[] loads = IntStream.range(0, MISSES)
                .mapToObj(i -> cache.retrieve("loaded" + i, () -> {
                    method.run();
                    return CompletableFuture.completedFuture("v");
                }))
                .toArray(CompletableFuture<?>[]::new);
        assertThat(all(lookups)).succeedsWithin(Duration.ofMinutes(1));
        assertThat(all(loads)).succeedsWithin(Duration.ofMinutes(1));
        // A future that is complete already runs its stage here.
        threads.remove(Thread.currentThread().getName());
        assertThat(threads).allMatch(name -> name.startsWith("memcached-cache-"));
        assertThat(most.get()).isLessThanOrEqualTo(MethodThreads.MAX_THREADS + 1);
    }

    @Test
    void methodsThatWaitForOneAnotherEnd() {
        CompletableFuture<?>[] loads = IntStream.range(0, MISSES)
                .mapToObj(i -> cache.retrieve(
                        "outer" + i,
                        () -> CompletableFuture.completedFuture(
                                cache.retrieve("inner" + i, () -> CompletableFuture.completedFuture("v"))
                                        .join())))
                .toArray(CompletableFuture<?>[]::new);
        assertThat(all(loads)).succeedsWithin(Duration.ofMinutes(1));
    }
}
