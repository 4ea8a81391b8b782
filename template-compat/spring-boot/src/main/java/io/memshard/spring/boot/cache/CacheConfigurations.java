// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.cache;

import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.boot.MemcachedProperties.Serializer;
import io.memshard.spring.boot.MemcachedPropertyException;
import io.memshard.spring.boot.SerializerType;
import io.memshard.spring.boot.ValueTranscoders;
import io.memshard.spring.boot.cache.MemcachedCacheProperties.OneCache;
import io.memshard.spring.cache.MemcachedCacheConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

record CacheConfigurations(MemcachedCacheProperties properties, ValueTranscoders transcoders) {

    private static final String PREFIX = "memcached.cache";

    MemcachedCacheConfiguration defaults() {
        MemcachedCacheConfiguration configuration = MemcachedCacheConfiguration.defaultCacheConfig();
        if (properties.keyPrefix() != null) {
            configuration = configuration.prefixCacheNameWith(properties.keyPrefix());
        }
        OneCache all = new OneCache(
                properties.timeToLive(),
                properties.timeToIdle(),
                properties.cacheNullValues(),
                properties.propagateFailures(),
                properties.serializer());
        return changed(configuration, PREFIX, all);
    }

    MemcachedCacheConfiguration changed(MemcachedCacheConfiguration from, String prefix, OneCache own) {
        Duration timeToLive = own.timeToLive();
        if (timeToLive != null && (timeToLive.isZero() || timeToLive.isNegative())) {
            throw new MemcachedPropertyException(
                    prefix + ".time-to-live",
                    "is " + timeToLive + ", but must be more than zero: remove this property if entries never expire",
                    null);
        }
        MemcachedCacheConfiguration timed = timeToLive == null ? from : from.entryTtl(timeToLive);
        MemcachedCacheConfiguration changed = timed.withCachedNullValues(
                        Objects.requireNonNullElse(own.cacheNullValues(), from.cachesNullValues()))
                .withTimeToIdle(Objects.requireNonNullElse(own.timeToIdle(), from.isTimeToIdleEnabled()))
                .withPropagatedFailures(Objects.requireNonNullElse(own.propagateFailures(), from.propagatesFailures()));
        return own.serializer() == null ? changed : storing(changed, prefix + ".serializer", own.serializer());
    }

    private MemcachedCacheConfiguration storing(
            MemcachedCacheConfiguration from, String prefix, Serializer serializer) {
        MemcachedCacheConfiguration keepingClasses = MemcachedCacheConfiguration.defaultCacheConfig();
        if (isByMethod(serializer)) {
            return from.serializeValuesWith(compressed(keepingClasses.values()))
                    .serializeValuesByType(type -> compressed(transcoders.json(type)));
        }
        List<String> allowed = serializer.allowedClasses();
        if (serializer.type() != null || serializer.jsonType() != null) {
            return from.serializeValuesWith(compressed(transcoders.of(prefix, serializer, true)));
        }
        return from.serializeValuesWith(compressed(
                (allowed == null ? keepingClasses : keepingClasses.allowSerializable(allowed.toArray(String[]::new)))
                        .values()));
    }

    private boolean isByMethod(Serializer serializer) {
        boolean isChosen = serializer.type() == SerializerType.JSON
                || (serializer.type() == null && serializer.allowedClasses() == null);
        return isChosen && serializer.jsonType() == null && transcoders.hasJson();
    }

    private Transcoder<Object> compressed(Transcoder<Object> values) {
        return transcoders.compressed(PREFIX + ".compression", properties.compression(), values);
    }
}
