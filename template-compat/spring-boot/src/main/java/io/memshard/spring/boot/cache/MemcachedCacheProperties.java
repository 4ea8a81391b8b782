// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.spring.boot.MemcachedProperties.Compression;
import io.memshard.spring.boot.MemcachedProperties.Serializer;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of Spring's caches in memcached.
 *
 * <p>Threading: immutable.
 *
 * @param timeToLive Time to live of entries. By default unlimited.
 * @param timeToIdle Whether a read restarts an entry's time to live.
 * @param cacheNullValues Whether null is stored.
 * @param keyPrefix Prefix of each key. The name of the cache follows this prefix.
 * @param transactionAware Whether puts and evictions wait until the surrounding transaction commits.
 * @param propagateFailures Whether a failed call to memcached throws an exception. If false, a failed lookup is a
 *     miss, and a failed write is lost.
 * @param serializer Format of the caches' values.
 * @param compression Compression of the caches' values.
 * @param caches Caches with their own settings, by name. These caches are created at start.
 */
@ConfigurationProperties(value = "memcached.cache", ignoreUnknownFields = false)
public record MemcachedCacheProperties(
        @Nullable Duration timeToLive,
        @DefaultValue("false") boolean timeToIdle,
        @DefaultValue("true") boolean cacheNullValues,
        @Nullable String keyPrefix,
        @DefaultValue("false") boolean transactionAware,
        @DefaultValue("false") boolean propagateFailures,
        @NestedConfigurationProperty @DefaultValue Serializer serializer,
        @NestedConfigurationProperty @DefaultValue Compression compression,
        @DefaultValue Map<String, OneCache> caches) {

    /**
     * Settings of one cache. If a setting is null, the setting for all caches applies.
     *
     * @param timeToLive time to live of the entries, more than zero
     * @param timeToIdle whether a read restarts an entry's time to live
     * @param cacheNullValues whether null is stored
     * @param propagateFailures whether a failed call to memcached throws an exception
     * @param serializer format of the cache's values
     */
    public record OneCache(
            @Nullable Duration timeToLive,
            @Nullable Boolean timeToIdle,
            @Nullable Boolean cacheNullValues,
            @Nullable Boolean propagateFailures,
            @Nullable Serializer serializer) {}
}
