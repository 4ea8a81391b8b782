// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counters behind {@link MemcachedCacheStatistics}; thread-safe. */
final class CacheCounters {

    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder puts = new LongAdder();
    final LongAdder removals = new LongAdder();
    final LongAdder clears = new LongAdder();
    final LongAdder loads = new LongAdder();
    final LongAdder loadNanos = new LongAdder();
    final LongAdder lostLookups = new LongAdder();
    final LongAdder lostWrites = new LongAdder();
    private final boolean isEnabled;

    /** Creates counters. If {@code isEnabled} is false, a snapshot has only the counts of failures. */
    CacheCounters(boolean isEnabled) {
        this.isEnabled = isEnabled;
    }

    MemcachedCacheStatistics snapshot() {
        return new MemcachedCacheStatistics(
                shown(hits),
                shown(misses),
                shown(puts),
                shown(removals),
                shown(clears),
                shown(loads),
                Duration.ofNanos(shown(loadNanos)),
                lostLookups.sum(),
                lostWrites.sum());
    }

    private long shown(LongAdder counter) {
        return isEnabled ? counter.sum() : 0;
    }
}
