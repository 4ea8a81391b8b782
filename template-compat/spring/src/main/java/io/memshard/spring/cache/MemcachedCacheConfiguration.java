// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.TimeToLive;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.options.Exptime;
import io.memshard.client.transcoder.Transcoder;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;

/**
 * How a {@link MemcachedCache} stores its entries. The names are those of Spring Data Redis.
 *
 * <p>Threading: immutable; each method returns a new configuration.
 *
 * @param ttlFunction how long entries live
 * @param cachesNullValues whether null is a value that can be stored
 * @param keyPrefix makes the prefix of a cache's keys of its name
 * @param values turns values into bytes and back
 * @param isTimeToIdleEnabled whether a read starts an entry's time to live anew
 * @param conversionService turns keys into strings that are neither strings, numbers nor enums
 * @param loadOptions how callers share the loading of a value
 * @param propagatesFailures whether a failure of memcached is thrown, and not a miss
 */
public record MemcachedCacheConfiguration(
        TtlFunction ttlFunction,
        boolean cachesNullValues,
        UnaryOperator<String> keyPrefix,
        Transcoder<Object> values,
        boolean isTimeToIdleEnabled,
        ConversionService conversionService,
        LoadOptions loadOptions,
        boolean propagatesFailures) {

    private static final String SEPARATOR = "::";

    private static final MemcachedCacheConfiguration DEFAULTS = new MemcachedCacheConfiguration(
            TtlFunction.persistent(),
            true,
            name -> name + SEPARATOR,
            SerializedValues.allowing(),
            false,
            DefaultConversionService.getSharedInstance(),
            LoadOptions.DEFAULTS,
            false);

    /** Checks that nothing is missing. */
    public MemcachedCacheConfiguration {
        Objects.requireNonNull(ttlFunction, "ttlFunction is null");
        Objects.requireNonNull(keyPrefix, "keyPrefix is null");
        Objects.requireNonNull(values, "values is null");
        Objects.requireNonNull(conversionService, "conversionService is null");
        Objects.requireNonNull(loadOptions, "loadOptions is null");
    }

    /**
     * Entries that never expire, null values stored, keys behind {@code <cache name>::}. Strings, numbers, dates, bytes
     * and the JDK's collections of these can be stored. {@link #allowSerializable} lets other classes be stored too.
     */
    public static MemcachedCacheConfiguration defaultCacheConfig() {
        return DEFAULTS;
    }

    /**
     * The same time to live for each entry.
     *
     * @param ttl more than zero, or {@link TimeToLive#NEVER}
     */
    public MemcachedCacheConfiguration entryTtl(Duration ttl) {
        Exptime.of(ttl, Clock.systemUTC());
        return entryTtl(TtlFunction.just(ttl));
    }

    /** A time to live of its own for each entry. */
    public MemcachedCacheConfiguration entryTtl(TtlFunction ttl) {
        return new MemcachedCacheConfiguration(
                ttl,
                cachesNullValues,
                keyPrefix,
                values,
                isTimeToIdleEnabled,
                conversionService,
                loadOptions,
                propagatesFailures);
    }

    /** Refuses null values with an {@link IllegalArgumentException}. */
    public MemcachedCacheConfiguration disableCachingNullValues() {
        return new MemcachedCacheConfiguration(
                ttlFunction,
                false,
                keyPrefix,
                values,
                isTimeToIdleEnabled,
                conversionService,
                loadOptions,
                propagatesFailures);
    }

    /** Keys behind {@code prefix}, the name of the cache and {@code ::}. */
    public MemcachedCacheConfiguration prefixCacheNameWith(String prefix) {
        Objects.requireNonNull(prefix, "prefix is null");
        return computePrefixWith(name -> prefix + name + SEPARATOR);
    }

    /**
     * Keys behind a prefix that is made of the cache's name. Caches with the same prefix share their entries, and are
     * cleared together.
     */
    public MemcachedCacheConfiguration computePrefixWith(UnaryOperator<String> prefix) {
        return new MemcachedCacheConfiguration(
                ttlFunction,
                cachesNullValues,
                prefix,
                values,
                isTimeToIdleEnabled,
                conversionService,
                loadOptions,
                propagatesFailures);
    }

    /** Keys without a prefix: all such caches share their entries, and are cleared together. */
    public MemcachedCacheConfiguration disableKeyPrefix() {
        return computePrefixWith(name -> "");
    }

    /**
     * Another way to store values.
     *
     * @param transcoder for all values of the cache, such as {@code Jackson3Transcoder.of(Book.class)}. It never gets a
     *     null
     */
    @SuppressWarnings("unchecked") // A value of another type is refused by the transcoder itself.
    public MemcachedCacheConfiguration serializeValuesWith(Transcoder<?> transcoder) {
        return new MemcachedCacheConfiguration(
                ttlFunction,
                cachesNullValues,
                keyPrefix,
                (Transcoder<Object>) transcoder,
                isTimeToIdleEnabled,
                conversionService,
                loadOptions,
                propagatesFailures);
    }

    /**
     * Stores values of these classes by Java serialization, next to data of the JDK. No other class is read or written,
     * because whoever can write to memcached chooses what is read.
     *
     * @param names classes ({@code com.example.Book}), packages ({@code com.example.*}), or packages with their
     *     subpackages ({@code com.example.**})
     * @see io.memshard.client.transcoder.JavaSerialization
     */
    public MemcachedCacheConfiguration allowSerializable(String... names) {
        return serializeValuesWith(SerializedValues.allowing(names));
    }

    /** Starts an entry's time to live anew each time that it is read. */
    public MemcachedCacheConfiguration enableTimeToIdle() {
        return new MemcachedCacheConfiguration(
                ttlFunction,
                cachesNullValues,
                keyPrefix,
                values,
                true,
                conversionService,
                loadOptions,
                propagatesFailures);
    }

    /** Turns keys into strings that are neither strings, numbers nor enums. */
    public MemcachedCacheConfiguration withConversionService(ConversionService service) {
        return new MemcachedCacheConfiguration(
                ttlFunction,
                cachesNullValues,
                keyPrefix,
                values,
                isTimeToIdleEnabled,
                service,
                loadOptions,
                propagatesFailures);
    }

    /** How callers share the loading of a value, where {@code @Cacheable} has {@code sync = true}. */
    public MemcachedCacheConfiguration withLoadOptions(LoadOptions options) {
        return new MemcachedCacheConfiguration(
                ttlFunction,
                cachesNullValues,
                keyPrefix,
                values,
                isTimeToIdleEnabled,
                conversionService,
                options,
                propagatesFailures);
    }

    /**
     * Throws the failures of memcached, to Spring's {@code CacheErrorHandler}. By default a lookup that fails is a
     * miss, and a write that fails is lost.
     */
    public MemcachedCacheConfiguration propagateFailures() {
        return new MemcachedCacheConfiguration(
                ttlFunction,
                cachesNullValues,
                keyPrefix,
                values,
                isTimeToIdleEnabled,
                conversionService,
                loadOptions,
                true);
    }
}
