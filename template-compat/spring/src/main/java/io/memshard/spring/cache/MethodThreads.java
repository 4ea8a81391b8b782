// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;

/**
 * Threads on which cached methods run after an asynchronous miss. While a thread waits for a future, the pool starts
 * another thread, so cached methods do not deadlock. With one or two processors, the default executor of {@code
 * CompletableFuture} would start a thread for each miss.
 */
final class MethodThreads {

    static final int MAX_THREADS = 32;

    private static final int MAX_WITH_REPLACEMENTS = 512;

    static final Executor EXECUTOR = new ForkJoinPool(
            MAX_THREADS,
            MethodThreads::newThread,
            null,
            true,
            0,
            MAX_WITH_REPLACEMENTS,
            1,
            saturated -> true,
            10,
            TimeUnit.SECONDS);

    private MethodThreads() {}

    private static ForkJoinWorkerThread newThread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName("memcached-cache-" + thread.getPoolIndex());
        thread.setContextClassLoader(MethodThreads.class.getClassLoader());
        return thread;
    }
}
