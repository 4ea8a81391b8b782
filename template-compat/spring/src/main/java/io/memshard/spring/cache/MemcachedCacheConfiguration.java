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
 * Configuration of how a {@link MemcachedCache} stores its entries. The names follow Spring Data Redis.
 *
 * <p>Threading: immutable; each method returns a new configuration.
 *
 * @param ttlFunction determines the time to live of entries
 * @param cachesNullValues whether null values can be stored
 * @param keyPrefix maps a cache's name to the prefix of its keys
 * @param values converts values to bytes and back
 * @param isTimeToIdleEnabled whether a read restarts an entry's time to live
 * @param conversionService converts keys to strings that are neither strings, numbers nor enums
 * @param loadOptions how callers share the loading of a value
 * @param propagatesFailures whether a failure of memcached is thrown instead of counted as a miss
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

    /** Checks that no component is null. */
    public MemcachedCacheConfiguration {
        Objects.requireNonNull(ttlFunction, "ttlFunction is null");
        Objects.requireNonNull(keyPrefix, "keyPrefix is null");
        Objects.requireNonNull(values, "values is null");
        Objects.requireNonNull(conversionService, "conversionService is null");
        Objects.requireNonNull(loadOptions, "loadOptions is null");
    }

    /**
     * Returns a configuration with entries that never expire, stored null values, and keys behind {@code <cache
     * name>::}. Strings, numbers, dates, bytes and the JDK's collections of these can be stored. {@link
     * #allowSerializable} permits other classes.
     */
    public static MemcachedCacheConfiguration defaultCacheConfig() {
        return DEFAULTS;
    }

    /**
     * Uses the same time to live for each entry.
     *
     * @param ttl more than zero, or {@link TimeToLive#NEVER}
     */
    public MemcachedCacheConfiguration entryTtl(Duration ttl) {
        Exptime.of(ttl, Clock.systemUTC());
        return entryTtl(TtlFunction.just(ttl));
    }

    /** Computes the time to live of each entry. */
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

    /** Rejects null values with an {@link IllegalArgumentException}. */
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

    /** Prefixes keys with {@code prefix}, the name of the cache and {@code ::}. */
    public MemcachedCacheConfiguration prefixCacheNameWith(String prefix) {
        Objects.requireNonNull(prefix, "prefix is null");
        return computePrefixWith(name -> prefix + name + SEPARATOR);
    }

    /**
     * Prefixes keys with a prefix computed from the cache's name. Caches with the same prefix share their entries, and
     * are cleared together.
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

    /** Uses keys without a prefix: all such caches share their entries, and are cleared together. */
    public MemcachedCacheConfiguration disableKeyPrefix() {
        return computePrefixWith(name -> "");
    }

    /**
     * Uses another transcoder for values.
     *
     * @param transcoder for all values of the cache, such as {@code Jackson3Transcoder.of(Book.class)}. The transcoder
     *     never gets a null
     */
    @SuppressWarnings("unchecked") // The transcoder rejects a value of another type.
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
     * Stores values of these classes by Java serialization, in addition to the JDK's data classes. No other class is
     * read or written, because anyone who can write to memcached chooses the data that is read.
     *
     * @param names classes ({@code com.example.Book}), packages ({@code com.example.*}), or packages with their
     *     subpackages ({@code com.example.**})
     * @see io.memshard.client.transcoder.JavaSerialization
     */
    public MemcachedCacheConfiguration allowSerializable(String... names) {
        return serializeValuesWith(SerializedValues.allowing(names));
    }

    /** Restarts an entry's time to live at each read. */
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

    /** Converts keys to strings that are neither strings, numbers nor enums. */
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

    /** Sets how callers share the loading of a value, for {@code @Cacheable} with {@code sync = true}. */
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
     * Throws the failures of memcached, for Spring's {@code CacheErrorHandler}. By default, a failed lookup is a miss,
     * and a failed write is lost.
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
