// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.ClientThread;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.cache.Entries.Loading;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

/**
 * Spring cache in memcached.
 *
 * <p>A lookup or a write takes one round trip, and a lookup that loads the value takes two round trips. If several
 * callers miss an entry, even in different processes, only one of them calls the loader. {@link #clear} takes one round
 * trip, regardless of the number of entries; {@code docs/spring-cache.md} describes its guarantee.
 *
 * <p>Threading: thread-safe. The methods {@link #put}, {@link #evict} and {@link #clear} do not wait on a thread of the
 * client. A thread of the client may run a function that is attached to a future from {@link #retrieve}. The function
 * must not call {@code get}, {@code putIfAbsent} or {@code evictIfPresent}, which block.
 *
 * <p>Failure: if memcached fails, a lookup is a miss, and a write is lost. The statistics count these lookups and
 * writes, and the log reports each outage once. {@link MemcachedCacheConfiguration#withPropagatedFailures} makes all
 * calls throw a {@link MemcachedException} instead.
 */
public final class MemcachedCache extends AbstractValueAdaptingCache {

    private static final LoadOptions WITHOUT_WAITING =
            LoadOptions.DEFAULTS.withRecacheBelow(Duration.ZERO).withMaxWait(Duration.ZERO);

    private final String name;
    private final MemcachedCacheConfiguration configuration;
    final Partitions partitions;
    final CacheKeys keys;
    final Transcoder<Object> values;
    final CacheCounters counters;
    final FailedCalls failures;

    MemcachedCache(
            String name,
            MemcachedCacheConfiguration configuration,
            MemcachedClient<?> client,
            Supplier<? extends Collection<Type>> declared) {
        super(configuration.cachesNullValues());
        this.name = name;
        this.configuration = configuration;
        this.partitions = new Partitions(name, configuration.keyPrefix().apply(name), client);
        this.keys = new CacheKeys(configuration.conversionService);
        this.values = configuration.newValues(declared);
        this.counters = new CacheCounters();
        this.failures = new FailedCalls(name, counters, configuration.propagatesFailures(), System::nanoTime);
    }

    private MemcachedCache(MemcachedCache base, Transcoder<Object> values) {
        super(base.isAllowNullValues());
        name = base.name;
        configuration = base.configuration;
        partitions = base.partitions;
        keys = base.keys;
        counters = base.counters;
        failures = base.failures;
        this.values = values;
    }

    MemcachedCache withType(Type type) {
        return values instanceof ValuesByType byType ? new MemcachedCache(this, byType.of(type)) : this;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public MemcachedCache getNativeCache() {
        return this;
    }

    /** Returns the configuration of this cache. */
    public MemcachedCacheConfiguration getCacheConfiguration() {
        return configuration;
    }

    /** Returns the statistics of this cache in this process. */
    public MemcachedCacheStatistics getStatistics() {
        return counters.snapshot();
    }

    /** {@inheritDoc} {@code type} may be a type that no cached method declares. */
    @Override
    public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
        if (type != null && ValueTypes.isSaid(type) && values instanceof ValuesByType byType) {
            CacheValues unused = byType.of(type);
        }
        return super.get(key, type);
    }

    @Override
    protected @Nullable Object lookup(Object key) {
        String text = keys.text(key);
        Entries entries = partitions.of(text);
        return found(() -> configuration.isTimeToIdleEnabled()
                ? Way.await(entries.getAndTouch(text, ttl(key, null)))
                : entries.get(text));
    }

    private @Nullable Object found(Supplier<@Nullable EncodedValue> read) {
        Object found = null;
        try {
            found = decoded(read.get());
        } catch (MemcachedException e) {
            failures.lost(e, false);
        }
        countLookup(found != null);
        return found;
    }

    /**
     * {@inheritDoc}
     *
     * <p>If callers in several threads and processes miss the entry, only one caller runs its loader. {@link
     * MemcachedCacheConfiguration#withLoadOptions} determines whether the other callers wait or get a value that is
     * about to expire. The loaded value is not stored if the entry is put or evicted during the load.
     *
     * <p>If the server lacks the meta protocol or cas, each caller runs its loader. A loaded value is then not stored
     * after a put during the load, but may be stored after an eviction.
     */
    @Override
    @SuppressWarnings("unchecked") // The caller declares the type of the cache's values.
    public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
        Load load = new Load(this, key, Way.BLOCKING, () -> called(valueLoader));
        try {
            return (T) fromStoreValue(Way.await(load.start()));
        } catch (Throwable e) {
            // Only this exception contains the key. Observers of a client that hides keys do not receive the exception.
            Throwable failure = load.failure();
            throw failure == null ? Way.unchecked(e) : new ValueRetrievalException(key, valueLoader, failure);
        }
    }

    private static CompletableFuture<@Nullable Object> called(Callable<?> loader) {
        try {
            return CompletableFuture.completedFuture(loader.call());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(e);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @return a future of a {@link ValueWrapper}, or of null on a miss. After a miss, no thread of the client completes
     *     the future, because Spring may run the cached method on the completing thread
     */
    @Override
    public CompletableFuture<?> retrieve(Object key) {
        String text = keys.text(key);
        Entries entries = partitions.of(text);
        CompletableFuture<@Nullable EncodedValue> read = configuration.isTimeToIdleEnabled()
                ? entries.getAndTouch(text, ttl(key, null))
                : entries.getAsync(text);
        CompletableFuture<@Nullable ValueWrapper> result = new CompletableFuture<>();
        Futures.atEnd(
                read,
                (item, thrown) -> {
                    Object stored = found(() -> Futures.result(read));
                    if (stored == null && ClientThread.isCurrent()) {
                        MethodThreads.EXECUTOR.execute(() -> result.complete(null));
                    } else {
                        result.complete(toValueWrapper(stored));
                    }
                },
                thrown -> result.completeExceptionally(Futures.cause(thrown)));
        return result;
    }

    /** {@inheritDoc} Like {@link #get(Object, Callable)}, but the loader never runs on a thread of the client. */
    @Override
    @SuppressWarnings("unchecked") // The caller declares the type of the cache's values.
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
        Supplier<CompletableFuture<@Nullable Object>> loader =
                () -> valueLoader.get().thenApply(value -> value);
        Load load = new Load(this, key, Way.ASYNC, loader);
        return load.start().thenApply(stored -> (T) fromStoreValue(stored));
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        Object stored = stored(value);
        String text = keys.text(key);
        EncodedValue encoded;
        try {
            encoded = values.encode(stored);
        } catch (MemcachedValueTooLargeException e) {
            // The old entry is obsolete, even if the new value cannot be stored.
            evict(key);
            failures.lost(e, true);
            return;
        }
        failures.write(partitions.of(text).set(text, encoded, ttl(key, value)), nothing -> counters.puts.increment());
    }

    /** {@inheritDoc} If another caller is loading a value, the loaded value does not replace {@code value}. */
    @Override
    public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
        String text = keys.text(key);
        Object stored = stored(value);
        Duration ttl = ttl(key, value);
        try {
            EncodedValue encoded = values.encode(stored);
            if (Way.await(partitions.of(text).add(text, encoded, ttl))) {
                counters.puts.increment();
                return null;
            }
            EncodedValue present = present(text, encoded, ttl);
            countIf(present == null, counters.puts);
            return toValueWrapper(decoded(present));
        } catch (MemcachedException e) {
            failures.lost(e, true);
            return null;
        }
    }

    /** Returns the existing entry, or stores {@code encoded} in the placeholder of a load and returns null. */
    private @Nullable EncodedValue present(String text, EncodedValue encoded, Duration ttl) {
        AtomicBoolean isStored = new AtomicBoolean();
        Supplier<CompletableFuture<EncodedValue>> loader = () -> {
            isStored.set(true);
            return CompletableFuture.completedFuture(encoded);
        };
        Entries entries = partitions.of(text);
        try {
            Loading loading = new Loading(loader, () -> ttl, WITHOUT_WAITING);
            EncodedValue item = Way.await(entries.load(text, loading, Way.BLOCKING));
            return isStored.get() ? null : item;
        } catch (MemcachedUnsupportedException e) {
            return entries.get(text);
        }
    }

    @Override
    public void evict(Object key) {
        failures.write(partitions.delete(keys.text(key)), isRemoved -> countIf(isRemoved, counters.removals));
    }

    @Override
    public boolean evictIfPresent(Object key) {
        try {
            boolean isRemoved = Way.await(partitions.delete(keys.text(key)));
            countIf(isRemoved, counters.removals);
            return isRemoved;
        } catch (MemcachedException e) {
            failures.lost(e, true);
            return false;
        }
    }

    /** {@inheritDoc} A lookup that begins after a successful clear, in any process, finds no older entry. */
    @Override
    public void clear() {
        failures.write(partitions.clear(), nothing -> counters.clears.increment());
    }

    void countLookup(boolean isHit) {
        (isHit ? counters.hits : counters.misses).increment();
    }

    private static void countIf(boolean isDone, LongAdder counter) {
        if (isDone) {
            counter.increment();
        }
    }

    Duration ttl(Object key, @Nullable Object value) {
        return configuration.ttlFunction().getTimeToLive(key, value);
    }

    Object stored(@Nullable Object value) {
        return Objects.requireNonNull(toStoreValue(value), "the stored value must not be null");
    }

    @Nullable
    Object fromStored(@Nullable Object stored) {
        return fromStoreValue(stored);
    }

    /** Returns whether {@code item} is an entry. The placeholder of a load is empty, which no entry is. */
    static boolean isEntry(@Nullable EncodedValue item) {
        return item != null && item.data().length > 0;
    }

    @Nullable
    Object decoded(@Nullable EncodedValue item) {
        return isEntry(item) ? Objects.requireNonNull(item).decodeWith(values, name, true) : null;
    }

    @Override
    public String toString() {
        return "MemcachedCache[" + name + ']';
    }
}
