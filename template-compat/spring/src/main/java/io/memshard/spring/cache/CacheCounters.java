// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters behind {@link MemcachedCacheStatistics}.
 *
 * <p>Threading: thread-safe.
 */
final class CacheCounters {

    private final boolean isEnabled;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder clears = new LongAdder();
    private final LongAdder loads = new LongAdder();
    private final LongAdder loadNanos = new LongAdder();
    private final LongAdder lostLookups = new LongAdder();
    private final LongAdder lostWrites = new LongAdder();

    /** Creates counters of all calls, or of failures only if {@code isEnabled} is false. */
    CacheCounters(boolean isEnabled) {
        this.isEnabled = isEnabled;
    }

    void lookedUp(boolean isHit) {
        count(isHit ? hits : misses);
    }

    void put() {
        count(puts);
    }

    void putIf(boolean isStored) {
        if (isStored) {
            put();
        }
    }

    void removedIf(boolean isRemoved) {
        if (isRemoved) {
            count(removals);
        }
    }

    void cleared() {
        count(clears);
    }

    void loaded(long nanos) {
        count(loads);
        if (isEnabled) {
            loadNanos.add(nanos);
        }
    }

    void lostLookup() {
        lostLookups.increment();
    }

    void lostWrite() {
        lostWrites.increment();
    }

    private void count(LongAdder counter) {
        if (isEnabled) {
            counter.increment();
        }
    }

    MemcachedCacheStatistics snapshot() {
        return new MemcachedCacheStatistics(
                hits.sum(),
                misses.sum(),
                puts.sum(),
                removals.sum(),
                clears.sum(),
                loads.sum(),
                Duration.ofNanos(loadNanos.sum()),
                lostLookups.sum(),
                lostWrites.sum());
    }
}
