// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.TimeToLive;
import io.memshard.client.argument.Exptime;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.transcoder.Transcoder;
import java.lang.reflect.Type;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;

/**
 * Configuration of a {@link MemcachedCache}. The names of the methods follow Spring Data Redis.
 *
 * <p>Threading: immutable; each method returns a new configuration.
 */
public final class MemcachedCacheConfiguration implements Cloneable {

    private static final String SEPARATOR = "::";
    private static final MemcachedCacheConfiguration DEFAULTS = new MemcachedCacheConfiguration();

    // Written only before the instance is returned. Caches hold the instance in a final field.

    private TtlFunction ttlFunction = (key, value) -> TimeToLive.NEVER;
    private boolean cachesNullValues = true;
    private UnaryOperator<String> keyPrefix = name -> name + SEPARATOR;
    private Transcoder<Object> values = SerializedValues.allowing();
    private @Nullable Function<? super Type, ? extends Transcoder<?>> valuesByType;
    private boolean isTimeToIdleEnabled;
    ConversionService conversionService = DefaultConversionService.getSharedInstance();
    LoadOptions loadOptions = LoadOptions.DEFAULTS;
    private boolean propagatesFailures;

    private MemcachedCacheConfiguration() {}

    private MemcachedCacheConfiguration with(Consumer<MemcachedCacheConfiguration> change) {
        try {
            MemcachedCacheConfiguration copy = (MemcachedCacheConfiguration) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Returns the default configuration: entries never expire, null values are stored, and keys have the prefix {@code
     * <cache name>::}. Strings, numbers, dates, bytes and the JDK's collections of these types can be stored. {@link
     * #allowSerializable} permits other classes.
     */
    public static MemcachedCacheConfiguration defaultCacheConfig() {
        return DEFAULTS;
    }

    /**
     * Uses the same time to live for each entry.
     *
     * @param ttl time to live, more than zero, or {@link TimeToLive#NEVER}
     */
    public MemcachedCacheConfiguration entryTtl(Duration ttl) {
        Exptime.of(ttl, Clock.systemUTC());
        return entryTtl((key, value) -> ttl);
    }

    /** Sets the function that determines the time to live of each entry. */
    public MemcachedCacheConfiguration entryTtl(TtlFunction ttl) {
        return with(copy -> copy.ttlFunction = Objects.requireNonNull(ttl, "ttlFunction is null"));
    }

    /** Makes the cache throw an {@link IllegalArgumentException} for a null value. */
    public MemcachedCacheConfiguration disableCachingNullValues() {
        return withCachedNullValues(false);
    }

    /** Makes keys begin with {@code prefix}, followed by the name of the cache and {@code ::}. */
    public MemcachedCacheConfiguration prefixCacheNameWith(String prefix) {
        Objects.requireNonNull(prefix, "prefix is null");
        return computePrefixWith(name -> prefix + name + SEPARATOR);
    }

    /**
     * Sets the function from a cache's name to the prefix of its keys. Caches with the same prefix share their entries.
     * Clearing one of these caches clears all of them.
     */
    public MemcachedCacheConfiguration computePrefixWith(UnaryOperator<String> prefix) {
        return with(copy -> copy.keyPrefix = Objects.requireNonNull(prefix, "keyPrefix is null"));
    }

    /** Uses keys without a prefix. All caches without a prefix share entries: clearing one cache clears all. */
    public MemcachedCacheConfiguration disableKeyPrefix() {
        return computePrefixWith(name -> "");
    }

    /**
     * Sets the transcoder of values.
     *
     * @param transcoder transcoder, which need not support null, such as {@code Jackson3Transcoder.of(Book.class)}
     */
    @SuppressWarnings("unchecked") // The transcoder rejects a value of another type.
    public MemcachedCacheConfiguration serializeValuesWith(Transcoder<?> transcoder) {
        Objects.requireNonNull(transcoder, "transcoder is null");
        return with(copy -> {
            copy.values = (Transcoder<Object>) transcoder;
            copy.valuesByType = null;
        });
    }

    /**
     * Stores the values of each cached method as the type that the method declares, such as {@code List<Book>}. In a
     * Spring context, {@link MemcachedCacheManager} finds these methods. A lookup that finds an entry of another type
     * fails. The transcoder that was configured before this call stores values of a type that no method declares. By
     * default, this transcoder uses Java serialization.
     *
     * @param transcoders function from a type to its transcoder, such as {@code type -> Jackson3Transcoder.of(mapper,
     *     type)}
     */
    public MemcachedCacheConfiguration serializeValuesByType(
            Function<? super Type, ? extends Transcoder<?>> transcoders) {
        return with(copy -> copy.valuesByType = Objects.requireNonNull(transcoders, "transcoders is null"));
    }

    /**
     * Sets a transcoder that stores values of these classes by Java serialization, in addition to the classes that
     * {@link #defaultCacheConfig} allows. Other classes are neither stored nor read, because an attacker with access to
     * memcached could make the application deserialize any class.
     *
     * @param names classes ({@code com.example.Book}), packages ({@code com.example.*}), or packages with their
     *     subpackages ({@code com.example.**})
     * @see io.memshard.client.transcoder.JavaSerialization
     */
    public MemcachedCacheConfiguration allowSerializable(String... names) {
        return serializeValuesWith(SerializedValues.allowing(names));
    }

    /** Makes each read of an entry restart the entry's time to live. */
    public MemcachedCacheConfiguration enableTimeToIdle() {
        return withTimeToIdle(true);
    }

    /** Sets the service that converts keys, and the parts of composite keys, to strings. */
    public MemcachedCacheConfiguration withConversionService(ConversionService service) {
        return with(copy -> copy.conversionService = Objects.requireNonNull(service, "conversionService is null"));
    }

    /** Sets how concurrent callers share one load of a value, for {@code @Cacheable(sync = true)}. */
    public MemcachedCacheConfiguration withLoadOptions(LoadOptions options) {
        return with(copy -> copy.loadOptions = Objects.requireNonNull(options, "loadOptions is null"));
    }

    /** Sets whether null values can be stored; true by default. */
    public MemcachedCacheConfiguration withCachedNullValues(boolean cached) {
        return with(copy -> copy.cachesNullValues = cached);
    }

    /** Sets whether a read restarts an entry's time to live; false by default. */
    public MemcachedCacheConfiguration withTimeToIdle(boolean enabled) {
        return with(copy -> copy.isTimeToIdleEnabled = enabled);
    }

    /**
     * Sets whether calls throw an exception if memcached fails. Spring passes the exception to its {@code
     * CacheErrorHandler}. By default, a failed lookup is a miss, and a failed write is lost.
     */
    public MemcachedCacheConfiguration withPropagatedFailures(boolean propagated) {
        return with(copy -> copy.propagatesFailures = propagated);
    }

    /** Returns the function that determines the time to live of entries. */
    public TtlFunction ttlFunction() {
        return ttlFunction;
    }

    /** Returns whether null values can be stored. */
    public boolean cachesNullValues() {
        return cachesNullValues;
    }

    /** Returns the function from a cache's name to the prefix of its keys. */
    public UnaryOperator<String> keyPrefix() {
        return keyPrefix;
    }

    Transcoder<Object> newValues(Supplier<? extends Collection<Type>> declared) {
        CacheValues checked = new CacheValues(values);
        return valuesByType == null ? checked : new ValuesByType(checked, valuesByType, declared);
    }

    /** Returns the transcoder of values. */
    public Transcoder<Object> values() {
        return values;
    }

    /** Returns whether a read restarts an entry's time to live. */
    public boolean isTimeToIdleEnabled() {
        return isTimeToIdleEnabled;
    }

    /** Returns whether calls throw an exception if memcached fails. */
    public boolean propagatesFailures() {
        return propagatesFailures;
    }
}
