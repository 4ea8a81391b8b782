// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

/**
 * Counts of reads and copies since the {@code MemshardMigration} was created. The counts show how many reads still need
 * the source fleet. A read of many keys counts once for each key.
 *
 * <p>Threading: immutable.
 *
 * @param targetHits number of reads that found a value in the target fleet
 * @param sourceHits number of reads that found a value only in the source fleet
 * @param misses number of reads that found no value in either fleet
 * @param copied number of items copied from the source fleet
 * @param refused number of copies that the target fleet rejected, because another command changed the item meanwhile
 * @param failed number of reads, copies and deletes that failed in one of the fleets
 */
public record MigrationStats(long targetHits, long sourceHits, long misses, long copied, long refused, long failed) {

    /** Returns {@link #sourceHits()} as a fraction of all hits, 0 to 1; 0 if no hits exist. */
    public double sourceShare() {
        long hits = targetHits + sourceHits;
        return hits == 0 ? 0 : (double) sourceHits / hits;
    }
}
