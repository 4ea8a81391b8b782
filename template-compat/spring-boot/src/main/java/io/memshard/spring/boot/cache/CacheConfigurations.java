// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.boot.MemcachedProperties.Serializer;
import io.memshard.spring.boot.MemcachedPropertyException;
import io.memshard.spring.boot.SerializerType;
import io.memshard.spring.boot.ValueTranscoders;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import io.memshard.spring.cache.PropagatedFailures;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Factory of cache configurations from properties. */
record CacheConfigurations(MemcachedCacheProperties properties, ValueTranscoders transcoders) {

    private static final String PREFIX = "memcached.cache";

    MemcachedCacheConfiguration defaults() {
        MemcachedCacheConfiguration configuration =
                storing(MemcachedCacheConfiguration.defaultCacheConfig(), PREFIX, properties.serializer());
        if (properties.keyPrefix() != null) {
            configuration = configuration.prefixCacheNameWith(properties.keyPrefix());
        }
        return changed(
                configuration,
                PREFIX,
                properties.timeToLive(),
                properties.timeToIdle(),
                properties.cacheNullValues(),
                properties.propagateFailures());
    }

    /** Returns the configuration of one cache, whose own properties override the defaults. */
    MemcachedCacheConfiguration of(
            String name, MemcachedCacheProperties.OneCache own, MemcachedCacheConfiguration defaults) {
        String prefix = PREFIX + ".caches." + name;
        Serializer serializer = own.serializer();
        MemcachedCacheConfiguration configuration =
                serializer == null ? defaults : storing(defaults, prefix, serializer);
        return changed(
                configuration,
                prefix,
                own.timeToLive(),
                own.timeToIdle(),
                own.cacheNullValues(),
                own.propagateFailures());
    }

    private MemcachedCacheConfiguration storing(
            MemcachedCacheConfiguration from, String prefix, Serializer serializer) {
        List<String> allowed = serializer.allowedClasses();
        Transcoder<Object> keepingClasses =
                MemcachedCacheConfiguration.defaultCacheConfig().values();
        if (isByMethod(serializer)) {
            return compressed(from, keepingClasses).serializeValuesByType(type -> compressed(transcoders.json(type)));
        }
        if (serializer.type() != null || serializer.jsonType() != null) {
            return compressed(from, transcoders.cached(prefix + ".serializer", serializer));
        }
        return compressed(
                from,
                allowed == null
                        ? keepingClasses
                        : from.allowSerializable(allowed.toArray(String[]::new)).values());
    }

    /**
     * Returns whether the cached methods determine the types of the values. They do if JSON is available, no type for
     * JSON is set, and either JSON or no format at all is chosen.
     */
    private boolean isByMethod(Serializer serializer) {
        boolean isChosen = serializer.type() == SerializerType.JSON
                || (serializer.type() == null && serializer.allowedClasses() == null);
        return isChosen && serializer.jsonType() == null && transcoders.hasJson();
    }

    private MemcachedCacheConfiguration compressed(MemcachedCacheConfiguration from, Transcoder<Object> values) {
        return from.serializeValuesWith(compressed(values));
    }

    private Transcoder<Object> compressed(Transcoder<Object> values) {
        return transcoders.compressed(PREFIX + ".compression", properties.compression(), values);
    }

    private static MemcachedCacheConfiguration changed(
            MemcachedCacheConfiguration from,
            String prefix,
            @Nullable Duration timeToLive,
            @Nullable Boolean timeToIdle,
            @Nullable Boolean cacheNullValues,
            @Nullable PropagatedFailures propagateFailures) {
        if (timeToLive != null && (timeToLive.isZero() || timeToLive.isNegative())) {
            throw new MemcachedPropertyException(
                    prefix + ".time-to-live",
                    "is " + timeToLive + ", but must be more than zero: remove it for entries that never" + " expire",
                    null);
        }
        MemcachedCacheConfiguration timed = timeToLive == null ? from : from.entryTtl(timeToLive);
        return timed.withCachedNullValues(Objects.requireNonNullElse(cacheNullValues, timed.cachesNullValues()))
                .withTimeToIdle(Objects.requireNonNullElse(timeToIdle, timed.isTimeToIdleEnabled()))
                .withPropagatedFailures(Objects.requireNonNullElse(propagateFailures, timed.propagatedFailures()));
    }
}
