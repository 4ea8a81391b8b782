// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.copies.migration;

import io.memshard.sharding.migration.MigrationStats;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of reads and copies, by fleet and outcome.
 *
 * <p>Threading: thread-safe.
 */
final class MigrationCounters {

    final LongAdder targetHits = new LongAdder();
    final LongAdder sourceHits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder copied = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder failed = new LongAdder();

    MigrationStats stats() {
        return new MigrationStats(
                targetHits.sum(), sourceHits.sum(), misses.sum(), copied.sum(), refused.sum(), failed.sum());
    }
}
