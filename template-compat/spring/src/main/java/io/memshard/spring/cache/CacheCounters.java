// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.util.concurrent.atomic.LongAdder;

final class CacheCounters {

    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder puts = new LongAdder();
    final LongAdder removals = new LongAdder();
    final LongAdder clears = new LongAdder();
    final LongAdder lostLookups = new LongAdder();
    final LongAdder lostWrites = new LongAdder();

    MemcachedCacheStatistics snapshot() {
        return new MemcachedCacheStatistics(
                hits.sum(),
                misses.sum(),
                puts.sum(),
                removals.sum(),
                clears.sum(),
                lostLookups.sum(),
                lostWrites.sum());
    }
}
