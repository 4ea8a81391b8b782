// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

/**
 * Statistics of a cache in this process, since the cache was created.
 *
 * <p>Threading: immutable. The counts are not a consistent snapshot, because calls continue meanwhile.
 *
 * @param hits lookups that found an entry, including entries with a null value
 * @param misses lookups that found no entry, including failed lookups that threw no exception
 * @param puts entries stored, including loaded values
 * @param removals entries that evictions deleted; entries that a clear removed are not counted
 * @param clears number of times that this process cleared the cache
 * @param lostLookups lookups that failed, whether they threw an exception or counted as a miss
 * @param lostWrites puts, evictions and clears that failed
 */
public record MemcachedCacheStatistics(
        long hits, long misses, long puts, long removals, long clears, long lostLookups, long lostWrites) {}
