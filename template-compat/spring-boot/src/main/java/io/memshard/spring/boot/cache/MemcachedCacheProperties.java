// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.client.load.LoadOptions;
import io.memshard.spring.boot.MemcachedProperties.Compression;
import io.memshard.spring.boot.MemcachedProperties.Serializer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Spring's caches in memcached.
 *
 * <p>Threading: immutable.
 *
 * @param enabled Whether Spring's caches are kept in memcached, if nothing else is asked for.
 * @param names Caches that are there from the start, besides those of spring.cache.cache-names. Meters need them.
 * @param createMissing Whether a cache is made when it is first asked for.
 * @param disabledNames Caches that store nothing.
 * @param timeToLive How long entries live. By default for ever.
 * @param timeToIdle Whether a read starts an entry's time to live anew.
 * @param cacheNullValues Whether null is stored.
 * @param keyPrefix Text before the name of the cache in each key.
 * @param useKeyPrefix Whether keys begin with the name of the cache. Without, caches share their entries.
 * @param enableStatistics Whether hits and misses are counted.
 * @param transactionAware Whether puts and evictions wait for the commit of the transaction that they are part of.
 * @param propagateFailures Whether a failure of memcached is thrown. By default a read is a miss, and a write is lost.
 * @param serializer Values of the caches.
 * @param compression Compression of values of the caches.
 * @param loading How callers share the loading of a value, where sync is true.
 * @param caches Caches with settings of their own, by their names. They are there from the start.
 */
@ConfigurationProperties("memcached.cache")
public record MemcachedCacheProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> names,
        @DefaultValue("true") boolean createMissing,
        @DefaultValue Set<String> disabledNames,
        @Nullable Duration timeToLive,
        @DefaultValue("false") boolean timeToIdle,
        @DefaultValue("true") boolean cacheNullValues,
        @Nullable String keyPrefix,
        @DefaultValue("true") boolean useKeyPrefix,
        @DefaultValue("false") boolean enableStatistics,
        @DefaultValue("false") boolean transactionAware,
        @DefaultValue("false") boolean propagateFailures,
        @NestedConfigurationProperty @DefaultValue Serializer serializer,
        @NestedConfigurationProperty @DefaultValue Compression compression,
        @DefaultValue Loading loading,
        @DefaultValue Map<String, OneCache> caches) {

    /**
     * How callers share the loading of a value.
     *
     * @param claimTtl How long others wait for a process that died while it was loading. By default 5 s.
     * @param maxLoad How long a claim to load is renewed while its loader runs. By default 1 min.
     * @param recacheBelow A value with less than this to live is loaded anew. By default a tenth of its time to live.
     * @param servesStale Whether others get the value of an invalidated item meanwhile. By default true.
     * @param maxWait How long a caller waits for another process to load. By default 1 min.
     * @param afterWait What it does then. By default it loads.
     */
    public record Loading(
            @Nullable Duration claimTtl,
            @Nullable Duration maxLoad,
            @Nullable Duration recacheBelow,
            @Nullable Boolean servesStale,
            @Nullable Duration maxWait,
            LoadOptions.@Nullable AfterWait afterWait) {}

    /**
     * What a cache has of its own; the rest is as for all.
     *
     * @param timeToLive how long its entries live; zero for ever
     * @param timeToIdle whether a read starts an entry's time to live anew
     * @param cacheNullValues whether null is stored
     * @param propagateFailures whether a failure of memcached is thrown
     * @param serializer its values
     */
    public record OneCache(
            @Nullable Duration timeToLive,
            @Nullable Boolean timeToIdle,
            @Nullable Boolean cacheNullValues,
            @Nullable Boolean propagateFailures,
            @Nullable Serializer serializer) {}
}
