// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.ClientThread;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Handler of a cache's failed calls: it counts each failure, and then throws or logs it.
 *
 * <p>Threading: thread-safe.
 */
final class FailedCalls {

    private final CacheCounters counters;
    private final OutageLog outages;
    private final PropagatedFailures thrown;

    FailedCalls(CacheCounters counters, OutageLog outages, PropagatedFailures thrown) {
        this.counters = counters;
        this.outages = outages;
        this.thrown = thrown;
    }

    /** Counts a failure, and throws or logs it. */
    void lost(MemcachedException failure, boolean isWrite) {
        if (isWrite) {
            counters.lostWrite();
        } else {
            counters.lostLookup();
        }
        if (thrown == PropagatedFailures.ALL || (isWrite && thrown == PropagatedFailures.WRITES)) {
            throw failure;
        }
        outages.failed(failure);
    }

    /**
     * Passes the result of a write to {@code done}. Waits for the result, unless the calling thread belongs to the
     * client and might have to read the reply.
     */
    <T extends @Nullable Object> void write(CompletableFuture<T> sent, Consumer<T> done) {
        if (ClientThread.isCurrent()) {
            later(sent, done);
            return;
        }
        try {
            done.accept(Entries.await(sent));
        } catch (MemcachedException e) {
            lost(e, true);
        }
    }

    /** Passes the result of a write to {@code done}. Counts and logs a failure, because no caller waits for it. */
    <T extends @Nullable Object> void later(CompletableFuture<T> sent, Consumer<T> done) {
        Futures.atEnd(
                sent,
                (value, failure) -> {
                    if (failure == null) {
                        done.accept(value);
                    } else {
                        counters.lostWrite();
                        outages.failed(Futures.cause(failure));
                    }
                },
                outages::failed);
    }
}
