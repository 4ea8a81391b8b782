// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.ClientThread;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Handler of a cache's failed calls; thread-safe. During an outage, logs each kind of failure only once. */
final class FailedCalls {

    private static final ClientLog LOG = ClientLog.of(MemcachedCache.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final String cache;
    private final CacheCounters counters;
    private final boolean throwsFailures;
    private final LongSupplier nanoTime;

    private final Map<String, Long> lastNanos = new ConcurrentHashMap<>();

    FailedCalls(String cache, CacheCounters counters, boolean throwsFailures, LongSupplier nanoTime) {
        this.cache = cache;
        this.counters = counters;
        this.throwsFailures = throwsFailures;
        this.nanoTime = nanoTime;
    }

    void lost(MemcachedException failure, boolean isWrite) {
        (isWrite ? counters.lostWrites : counters.lostLookups).increment();
        if (throwsFailures) {
            throw failure;
        }
        log(failure);
    }

    /** Waits for a write. A thread of the client does not wait, because this thread may have to read the reply. */
    <T extends @Nullable Object> void write(CompletableFuture<T> sent, Consumer<T> done) {
        if (ClientThread.isCurrent()) {
            later(sent, done);
            return;
        }
        try {
            done.accept(Way.await(sent));
        } catch (MemcachedException e) {
            lost(e, true);
        }
    }

    <T extends @Nullable Object> void later(CompletableFuture<T> sent, Consumer<T> done) {
        Futures.atEnd(
                sent,
                (value, failure) -> {
                    if (failure == null) {
                        done.accept(value);
                    } else {
                        counters.lostWrites.increment();
                        log(Futures.cause(failure));
                    }
                },
                this::log);
    }

    /** Returns whether the failure was logged. An outage ends after a minute without a failure of the same kind. */
    boolean log(Throwable failure) {
        String what = failure instanceof MemcachedDecodingException
                ? "an entry cannot be decoded, and the lookup counts as failed."
                : failure instanceof MemcachedValueTooLargeException
                        ? "a value is too large, and its key has no entry in the cache."
                        : "calls to memcached fail. Until they succeed, a failed lookup is a miss and a failed write is"
                                + " lost. The statistics count both. First failure:";
        long now = nanoTime.getAsLong();
        Long last = lastNanos.put(what, now);
        boolean isFirst = last == null || now - last >= QUIET_NANOS;
        if (isFirst) {
            LOG.warn("cache \"{}\": {} {}", cache, what, failure.toString());
        }
        return isFirst;
    }
}
