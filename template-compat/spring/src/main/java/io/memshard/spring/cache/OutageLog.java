// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once per outage that a cache's calls fail. An outage is over when no call has failed for a minute.
 *
 * <p>Threading: thread-safe.
 */
final class OutageLog {

    private static final Logger LOG = LoggerFactory.getLogger(MemcachedCache.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final String cache;
    private final LongSupplier nanoTime;
    private final AtomicLong lastFailure;

    OutageLog(String cache, LongSupplier nanoTime) {
        this.cache = cache;
        this.nanoTime = nanoTime;
        this.lastFailure = new AtomicLong(nanoTime.getAsLong() - QUIET_NANOS);
    }

    /**
     * A call has failed.
     *
     * @return whether this says so
     */
    boolean failed(Throwable failure) {
        long now = nanoTime.getAsLong();
        boolean isFirst = now - lastFailure.getAndSet(now) >= QUIET_NANOS;
        if (isFirst) {
            LOG.warn(
                    "cache \"{}\": calls of memcached fail. Until they succeed, such a lookup is a miss and such a write is"
                            + " lost. The statistics count them. The first: {}",
                    cache,
                    failure.toString());
        }
        return isFirst;
    }
}
