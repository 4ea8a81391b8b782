// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.migration;

/**
 * How much still comes from the old fleet: numbers since the migration was made. Reads of many keys count each key.
 *
 * <p>Threading: immutable.
 *
 * @param newHits how many reads found a value in the new fleet
 * @param oldHits how many found it only in the old one
 * @param misses how many found it in neither
 * @param copied how many items were copied from the old fleet
 * @param refused how many copies came too late: the item was stored or deleted meanwhile
 * @param failed how many steps in either fleet have failed: reads, copies and deletes
 */
public record MigrationStats(long newHits, long oldHits, long misses, long copied, long refused, long failed) {

    /** The share of the hits that came from the old fleet, 0 to 1; 0 without any. */
    public double oldShare() {
        long hits = newHits + oldHits;
        return hits == 0 ? 0 : (double) oldHits / hits;
    }
}
