// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

/**
 * Statistics of a cache in this process, since the cache was created.
 *
 * <p>Threading: immutable. The counts are not a consistent snapshot, because calls may continue while they are read.
 *
 * @param hits lookups that found an entry, including null values
 * @param misses lookups that found no entry, including lookups that failed without an exception
 * @param puts entries stored, including loaded values
 * @param removals entries deleted one by one; entries removed by a clear are not counted
 * @param clears number of times that this process cleared the cache
 * @param lostLookups lookups that failed, with an exception or as a miss
 * @param lostWrites puts, removals and clears that failed
 */
public record MemcachedCacheStatistics(
        long hits, long misses, long puts, long removals, long clears, long lostLookups, long lostWrites) {}
