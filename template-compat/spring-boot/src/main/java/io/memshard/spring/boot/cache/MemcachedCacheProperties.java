// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.boot.MemcachedProperties.Compression;
import io.memshard.spring.boot.MemcachedProperties.Serializer;
import io.memshard.spring.cache.PropagatedFailures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of Spring's caches in memcached.
 *
 * <p>Threading: immutable.
 *
 * @param enabled Whether Spring's caches are kept in memcached, unless another type is selected.
 * @param names Initial caches, in addition to spring.cache.cache-names. Meters exist only for initial caches.
 * @param createMissing Whether a cache is created on its first request.
 * @param disabledNames Caches that store nothing.
 * @param timeToLive Time to live of entries. By default unlimited.
 * @param timeToIdle Whether a read restarts an entry's time to live.
 * @param cacheNullValues Whether null is stored.
 * @param keyPrefix Text before the name of the cache in each key.
 * @param useKeyPrefix Whether keys begin with the name of the cache. Otherwise caches share their entries.
 * @param enableStatistics Whether hits and misses are counted.
 * @param transactionAware Whether puts and evictions wait until the surrounding transaction commits.
 * @param propagateFailures Calls whose failures are thrown. Another failure is a miss, or loses the write.
 * @param serializer Values of the caches.
 * @param compression Compression of values of the caches.
 * @param loading Rules by which callers share the loading of a value, if sync is true.
 * @param caches Initial caches with their own settings, by name.
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
        @DefaultValue("none") PropagatedFailures propagateFailures,
        @NestedConfigurationProperty @DefaultValue Serializer serializer,
        @NestedConfigurationProperty @DefaultValue Compression compression,
        @DefaultValue Loading loading,
        @DefaultValue Map<String, OneCache> caches) {

    /**
     * Rules by which callers share the loading of a value.
     *
     * @param claimTtl Time for which callers wait for a process that died while loading. By default 5 s.
     * @param maxLoad Time for which a claim to load is renewed while its loader runs. By default 1 min.
     * @param recacheBelow Remaining time to live below which a value is reloaded. By default a tenth of its time to
     *     live.
     * @param servesStale Whether callers get the value of an invalidated item while another loads. By default true.
     * @param maxWait Maximum wait for a load of another process. By default 1 min.
     * @param failsAfterWait Whether a caller fails after the maximum wait. By default false: it loads too.
     */
    public record Loading(
            @Nullable Duration claimTtl,
            @Nullable Duration maxLoad,
            @Nullable Duration recacheBelow,
            @Nullable Boolean servesStale,
            @Nullable Duration maxWait,
            @Nullable Boolean failsAfterWait) {}

    /**
     * Settings of one cache. If a setting is null, the setting of all caches applies.
     *
     * @param timeToLive time to live of the entries, more than zero
     * @param timeToIdle whether a read restarts an entry's time to live
     * @param cacheNullValues whether null is stored
     * @param propagateFailures calls whose failures are thrown
     * @param serializer format of the cache's values
     */
    public record OneCache(
            @Nullable Duration timeToLive,
            @Nullable Boolean timeToIdle,
            @Nullable Boolean cacheNullValues,
            @Nullable PropagatedFailures propagateFailures,
            @Nullable Serializer serializer) {}
}
