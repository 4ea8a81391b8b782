// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Log of a cache's failed calls, one message per outage. An outage ends once no call has failed for a minute.
 *
 * <p>Threading: thread-safe.
 */
final class OutageLog {

    private static final ClientLog LOG = ClientLog.of(MemcachedCache.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final String cache;
    private final LongSupplier nanoTime;
    private final AtomicLong lastFailure;
    private final AtomicLong lastUnreadable;
    private final AtomicLong lastTooLarge;

    OutageLog(String cache, LongSupplier nanoTime) {
        this.cache = cache;
        this.nanoTime = nanoTime;
        this.lastFailure = new AtomicLong(nanoTime.getAsLong() - QUIET_NANOS);
        this.lastUnreadable = new AtomicLong(nanoTime.getAsLong() - QUIET_NANOS);
        this.lastTooLarge = new AtomicLong(nanoTime.getAsLong() - QUIET_NANOS);
    }

    /**
     * Records a failed call.
     *
     * @return whether this failure was logged
     */
    boolean failed(Throwable failure) {
        long now = nanoTime.getAsLong();
        if (failure instanceof MemcachedDecodingException) {
            return log(lastUnreadable, "an entry cannot be read, and counts as a failed lookup", failure, now);
        }
        if (failure instanceof MemcachedValueTooLargeException) {
            return log(lastTooLarge, "a value is too large to be stored, and its key has no entry", failure, now);
        }
        boolean isFirst = now - lastFailure.getAndSet(now) >= QUIET_NANOS;
        if (isFirst) {
            LOG.warn(
                    "cache \"{}\": calls to memcached fail. Until they succeed, a failed lookup is a miss and a failed write is"
                            + " lost. The statistics count both. First failure: {}",
                    cache,
                    failure.toString());
        }
        return isFirst;
    }

    /** Logs a failure that memcached did not cause, at most once a minute. */
    private boolean log(AtomicLong last, String what, Throwable failure, long now) {
        boolean isFirst = now - last.get() >= QUIET_NANOS;
        if (isFirst) {
            last.set(now);
            LOG.warn("cache \"{}\": {}. {}", cache, what, failure.toString());
        }
        return isFirst;
    }
}
