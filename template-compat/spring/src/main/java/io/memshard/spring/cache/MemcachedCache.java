// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.ClientThread;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.spring.cache.Entries.Found;
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
 * <p>A lookup takes one round trip, a write takes one, and loading a value takes two. One caller among all processes
 * runs a loader. {@link #clear} takes one round trip, regardless of the number of entries; {@code docs/spring-cache.md}
 * describes its guarantee.
 *
 * <p>Threading: thread-safe. The methods {@link #put}, {@link #evict} and {@link #clear} do not wait on a thread of the
 * client. Such a thread may run the dependent stages of the future from {@link #retrieve}, and must not call the other
 * blocking methods.
 *
 * <p>Failure: if memcached fails, a lookup is a miss, and a write is lost. Such lookups and writes are counted, and
 * logged once per outage. {@link PropagatedFailures} selects the calls that throw a {@link MemcachedException} instead.
 */
public final class MemcachedCache extends AbstractValueAdaptingCache {

    private static final LoadOptions WITHOUT_WAITING =
            LoadOptions.DEFAULTS.withRecacheBelow(Duration.ZERO).withMaxWait(Duration.ZERO);

    private final String name;
    private final MemcachedCacheConfiguration configuration;
    final Partitions partitions;
    private final CacheKeys keys;
    private final StoredValues values;
    private final CacheCounters counters;
    private final FailedCalls failures;

    /** Key of the thread's latest lookup if that lookup failed; otherwise null. */
    private final ThreadLocal<@Nullable String> failedLookup = new ThreadLocal<>();

    MemcachedCache(
            String name,
            MemcachedCacheConfiguration configuration,
            MemcachedClient<?> blocking,
            AsyncMemcachedClient<?> async,
            boolean hasStatistics,
            Supplier<? extends Collection<Type>> declared) {
        super(configuration.cachesNullValues());
        this.name = name;
        this.configuration = configuration;
        this.partitions = new Partitions(name, configuration.keyPrefix().apply(name), blocking, async);
        this.keys = new CacheKeys(configuration.conversionService());
        this.values = new StoredValues(configuration.newValues(declared));
        this.counters = new CacheCounters(hasStatistics);
        this.failures = new FailedCalls(name, counters, configuration.propagatedFailures(), System::nanoTime);
    }

    private MemcachedCache(MemcachedCache base, Transcoder<Object> values) {
        super(base.isAllowNullValues());
        name = base.name;
        configuration = base.configuration;
        partitions = base.partitions;
        keys = base.keys;
        counters = base.counters;
        failures = base.failures;
        this.values = new StoredValues(values);
    }

    MemcachedCache withType(Type type) {
        return values.values() instanceof ValuesByType byType ? new MemcachedCache(this, byType.of(type)) : this;
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

    /** {@inheritDoc} If values are stored by type, {@code type} may be a type that no cached method declares. */
    @Override
    public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
        if (type != null && ValueTypes.isSaid(type) && values.values() instanceof ValuesByType byType) {
            CheckedValues unused = byType.of(type);
        }
        return super.get(key, type);
    }

    @Override
    protected @Nullable Object lookup(Object key) {
        failedLookup.remove();
        return Way.await(found(key, keys.text(key), Way.BLOCKING));
    }

    private CompletableFuture<@Nullable Object> found(Object key, String text, Way way) {
        CompletableFuture<@Nullable EncodedValue> read = configuration.isTimeToIdleEnabled()
                ? way.arrival(partitions.of(text).getAndTouch(text, ttl(key, null)))
                : partitions.of(text).get(text, way);
        return read.<@Nullable Object>handle((item, thrown) -> {
            Object found = null;
            try {
                found = decoded(orThrow(item, thrown));
            } catch (MemcachedException e) {
                failures.lost(e, false);
                if (way == Way.BLOCKING) {
                    failedLookup.set(text);
                }
            }
            countLookup(found != null);
            return found;
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>One caller among all processes calls its loader. The other callers wait, or get the value that is about to
     * expire, as {@link MemcachedCacheConfiguration#withLoadOptions} determines. A server without the meta protocol
     * cannot choose one caller, so each caller loads. If the server has cas, the loader's value never overwrites a put
     * or an eviction that happens during the load.
     */
    @Override
    public <T> @Nullable T get(Object key, Callable<T> valueLoader) {
        Load load = new Load(values, this::toStoreValue, counters);
        try {
            return Way.await(this.<T>loaded(key, load, load.here(valueLoader), Way.BLOCKING));
        } catch (Throwable e) {
            // Only this exception contains the key. Observers of a client that hides keys do not receive the exception.
            Throwable failure = load.failure();
            throw failure == null ? Way.unchecked(e) : new ValueRetrievalException(key, valueLoader, failure);
        }
    }

    private record Loading(
            Object key, String text, Load load, Supplier<CompletableFuture<EncodedValue>> loader, Way way) {}

    private <T> CompletableFuture<T> loaded(
            Object key, Load load, Supplier<CompletableFuture<EncodedValue>> loader, Way way) {
        Loading call = new Loading(key, keys.text(key), load, loader, way);
        return Futures.compose(attempt(call), (value, thrown) -> {
            if (thrown != null
                    && Futures.cause(thrown) instanceof MemcachedDecodingException failed
                    && load.loaded() == null
                    && !load.isLoaderFailure(failed)) {
                failures.lost(failed, false);
                CompletableFuture<Boolean> removed = partitions.of(call.text).remove(call.text, this::isUndecodable);
                CompletableFuture<@Nullable Object> second =
                        way.arrival(removed).thenCompose(isRemoved -> attempt(call));
                return Futures.compose(second, (found, failure) -> ended(call, found, failure));
            }
            return ended(call, value, thrown);
        });
    }

    private CompletableFuture<@Nullable Object> attempt(Loading call) {
        Duration ttl = ttl(call.key, null);
        return partitions
                .of(call.text)
                .load(call.text, ttl, call.loader, configuration.loadOptions(), call.way)
                .thenApply(item -> {
                    Object loaded = call.load.loaded();
                    if (loaded == null) {
                        Object found = decoded(item);
                        afterHit(call.text, ttl);
                        return found;
                    }
                    afterLoad(call.key, call.text, ttl, loaded, item);
                    return loaded;
                });
    }

    /** Returns the value. If memcached failed, returns the loaded value, or loads the value for this caller alone. */
    private <T> CompletableFuture<T> ended(Loading call, @Nullable Object value, @Nullable Throwable thrown) {
        if (thrown == null) {
            return completed(value);
        }
        Object loaded = call.load.loaded();
        if (!(Futures.cause(thrown) instanceof MemcachedException failure) || call.load.isLoaderFailure(failure)) {
            return CompletableFuture.failedFuture(Futures.cause(thrown));
        }
        if (failure instanceof MemcachedUnsupportedException) {
            return found(call.key, call.text, call.way)
                    .thenCompose(found -> found == null ? loadedAlone(call) : completed(found));
        }
        failures.lost(failure, loaded != null);
        if (loaded != null) {
            return completed(loaded);
        }
        countLookup(false);
        return call.loader.get().thenCompose(encoded -> completed(call.load.loaded()));
    }

    /** Loads and stores the value for this caller, because the server cannot choose a loader. */
    private <T> CompletableFuture<T> loadedAlone(Loading call) {
        Entries entries = partitions.of(call.text);
        CompletableFuture<@Nullable Found> reserved =
                call.way.arrival(entries.findOrReserve(call.text, placeholderTtl()));
        return Futures.compose(reserved, (found, thrown) -> {
            if (thrown != null && Futures.cause(thrown) instanceof MemcachedException failure) {
                failures.lost(failure, false);
            }
            return call.loader.get().thenCompose(encoded -> {
                Object loaded = Objects.requireNonNull(call.load.loaded(), "the loader was not called");
                if (found == null) {
                    return completed(loaded);
                }
                CompletableFuture<Boolean> stored =
                        entries.store(found, encoded, ttl(call.key, fromStoreValue(loaded)));
                if (call.way == Way.BLOCKING) {
                    failures.write(stored, isStored -> countIf(isStored, counters.puts));
                    return completed(loaded);
                }
                failures.later(stored, isStored -> countIf(isStored, counters.puts));
                return Futures.compose(stored, (isStored, failure) -> completed(loaded));
            });
        });
    }

    private Duration placeholderTtl() {
        return configuration
                .loadOptions()
                .maxLoad()
                .plus(configuration.loadOptions().claimTtl());
    }

    private boolean isUndecodable(EncodedValue item) {
        try {
            decoded(item);
            return false;
        } catch (MemcachedDecodingException e) {
            return true;
        }
    }

    private void afterHit(String text, Duration ttl) {
        countLookup(true);
        if (configuration.isTimeToIdleEnabled()) {
            failures.later(partitions.of(text).touch(text, ttl), touched -> {});
        }
    }

    private void afterLoad(Object key, String text, Duration ttl, Object loaded, @Nullable EncodedValue item) {
        countLookup(false);
        counters.puts.increment();
        Duration actual = ttl(key, fromStoreValue(loaded));
        if (item != null && !actual.equals(ttl)) {
            failures.later(partitions.of(text).updateTtl(text, item, actual), stored -> {});
        }
    }

    /**
     * {@inheritDoc}
     *
     * @return a future of a {@link ValueWrapper}, or of null on a miss. After a miss, the future completes on a thread
     *     that may block, because the cached method may run there and block
     */
    @Override
    public CompletableFuture<?> retrieve(Object key) {
        CompletableFuture<@Nullable ValueWrapper> result = new CompletableFuture<>();
        Futures.atEnd(
                found(key, keys.text(key), Way.ASYNC),
                (stored, thrown) -> {
                    if (thrown != null) {
                        result.completeExceptionally(Futures.cause(thrown));
                    } else if (stored == null && ClientThread.isCurrent()) {
                        MethodThreads.EXECUTOR.execute(() -> result.complete(null));
                    } else {
                        result.complete(toValueWrapper(stored));
                    }
                },
                thrown -> result.completeExceptionally(Futures.cause(thrown)));
        return result;
    }

    /** {@inheritDoc} Like {@link #get(Object, Callable)}, but the loader runs on a thread that may block. */
    @Override
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> valueLoader) {
        Load load = new Load(values, this::toStoreValue, counters);
        return loaded(key, load, load.on(MethodThreads.EXECUTOR, valueLoader), Way.ASYNC);
    }

    @SuppressWarnings("unchecked") // The caller declares the type of the cache's values.
    private <T> CompletableFuture<T> completed(@Nullable Object stored) {
        return (CompletableFuture<T>) CompletableFuture.<@Nullable Object>completedFuture(fromStoreValue(stored));
    }

    /**
     * {@inheritDoc} If this thread's latest lookup was for {@code key} and failed, the write of {@code value} is not
     * awaited, and its failure is not thrown. No update is lost then, because {@code value} is a loaded value, not a
     * change by the caller.
     */
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
        CompletableFuture<@Nullable Void> sent = partitions.of(text).set(text, encoded, ttl(key, value));
        if (text.equals(failedLookup.get())) {
            failures.later(sent, nothing -> counters.puts.increment());
        } else {
            failures.write(sent, nothing -> counters.puts.increment());
        }
        failedLookup.remove();
    }

    /** {@inheritDoc} Uses {@code add}. A value that another caller is loading now does not replace {@code value}. */
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

    /** Returns the entry that prevented the add; null if it was a load's placeholder that the value has replaced. */
    private @Nullable EncodedValue present(String text, EncodedValue encoded, Duration ttl) {
        AtomicBoolean isStored = new AtomicBoolean();
        Supplier<CompletableFuture<EncodedValue>> loader = () -> {
            isStored.set(true);
            return CompletableFuture.completedFuture(encoded);
        };
        Entries entries = partitions.of(text);
        try {
            EncodedValue item = Way.await(entries.load(text, ttl, loader, WITHOUT_WAITING, Way.BLOCKING));
            return isStored.get() ? null : item;
        } catch (MemcachedUnsupportedException e) {
            Found found = Way.await(partitions.of(text).findOrReserve(text, placeholderTtl()));
            boolean isOurs = found != null
                    && !isValue(found.item())
                    && Way.await(partitions.of(text).store(found, encoded, ttl));
            return isOurs ? null : Way.await(entries.get(text, Way.BLOCKING));
        }
    }

    private static boolean isValue(EncodedValue item) {
        return !MetaReply.isHeldPlace(item.data(), item.flags());
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

    /** {@inheritDoc} Takes effect at once: a lookup that begins afterwards, in any process, finds no old entry. */
    @Override
    public void clear() {
        failures.write(partitions.clear(), nothing -> counters.clears.increment());
    }

    private void countLookup(boolean isHit) {
        (isHit ? counters.hits : counters.misses).increment();
    }

    private static void countIf(boolean isDone, LongAdder counter) {
        if (isDone) {
            counter.increment();
        }
    }

    private Duration ttl(Object key, @Nullable Object value) {
        return configuration.ttlFunction().getTimeToLive(key, value);
    }

    private Object stored(@Nullable Object value) {
        return Objects.requireNonNull(toStoreValue(value), "the stored value must not be null");
    }

    private @Nullable Object decoded(@Nullable EncodedValue item) {
        return item == null || !isValue(item) ? null : item.decodeWith(values, name, true);
    }

    private static <T extends @Nullable Object> T orThrow(T value, @Nullable Throwable thrown) {
        if (thrown == null) {
            return value;
        }
        throw Way.unchecked(Futures.cause(thrown));
    }

    @Override
    public String toString() {
        return "MemcachedCache[" + name + ']';
    }
}
