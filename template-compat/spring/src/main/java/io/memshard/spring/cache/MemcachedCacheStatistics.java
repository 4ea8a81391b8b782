// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import java.time.Duration;

/**
 * What a cache of this process has done since it was made. Other processes have their own.
 *
 * <p>Without {@code enableStatistics()} all but the failures are zero.
 *
 * <p>Threading: immutable. Its numbers were read one after the other, while calls may have gone on.
 *
 * @param hits lookups that found an entry, null values included
 * @param misses lookups that found none, failed ones included
 * @param puts entries stored, loaded ones included
 * @param removals entries deleted one by one; nobody knows how many a removal of all entries removes
 * @param clears how often the cache was cleared from here
 * @param loads values that loaders in this process returned
 * @param loadTime how long these loaders took together
 * @param lostLookups lookups that failed, and so were misses
 * @param lostWrites puts, removals and clears that failed
 */
public record MemcachedCacheStatistics(
        long hits,
        long misses,
        long puts,
        long removals,
        long clears,
        long loads,
        Duration loadTime,
        long lostLookups,
        long lostWrites) {}
