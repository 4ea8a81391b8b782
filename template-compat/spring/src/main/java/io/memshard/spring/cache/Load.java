// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.TimeToLive;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.spring.cache.Entries.Loading;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lookup with a loader. Keeps the loaded value, and returns this value even if memcached then fails. */
final class Load {

    /** By default, a value is loaded again in the last tenth of its time to live. */
    private static final int RECACHED_PART = 10;

    private final MemcachedCache cache;
    private final Object key;
    private final String text;
    private final Entries entries;
    private final Way way;
    private final Supplier<CompletableFuture<@Nullable Object>> loader;

    /** Loaded value in the form that is stored; null until it is loaded. Written by the loading thread. */
    private volatile @Nullable Object loaded;

    private volatile @Nullable Throwable failure;

    Load(MemcachedCache cache, Object key, Way way, Supplier<CompletableFuture<@Nullable Object>> loader) {
        this.cache = cache;
        this.key = key;
        this.text = cache.keys.text(key);
        this.entries = cache.partitions.of(text);
        this.way = way;
        this.loader = loader;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    CompletableFuture<@Nullable Object> start() {
        return Futures.compose(attempt(), (value, thrown) -> {
            if (thrown != null
                    && Futures.cause(thrown) instanceof MemcachedDecodingException unreadable
                    && loaded == null
                    && unreadable != failure) {
                cache.failures.lost(unreadable, false);
                CompletableFuture<@Nullable Object> second =
                        way.arrival(entries.delete(text)).thenCompose(isDeleted -> attempt());
                return Futures.compose(second, this::ended);
            }
            return ended(value, thrown);
        });
    }

    private CompletableFuture<@Nullable Object> attempt() {
        Loading loading = new Loading(this::load, this::ttl, options());
        CompletableFuture<@Nullable EncodedValue> item = entries.load(text, loading, way)
                .exceptionallyCompose(thrown -> {
                    Throwable cause = Futures.cause(thrown);
                    return cause instanceof MemcachedUnsupportedException && loaded == null && cause != failure
                            ? foundOrAdded()
                            : CompletableFuture.<@Nullable EncodedValue>failedFuture(cause);
                });
        return item.thenApply(stored -> {
            Object result = loaded == null ? cache.decoded(stored) : loaded;
            cache.countLookup(loaded == null);
            if (loaded != null) {
                cache.counters.puts.increment();
            } else if (cache.getCacheConfiguration().isTimeToIdleEnabled()) {
                cache.failures.later(entries.touch(text, ttl()), touched -> {});
            }
            return result;
        });
    }

    /** Loads a missing entry, even if other callers also load it: the server cannot choose one caller. */
    private CompletableFuture<@Nullable EncodedValue> foundOrAdded() {
        return way.<@Nullable EncodedValue>call(() -> entries.get(text), () -> entries.getAsync(text))
                .thenCompose(item -> MemcachedCache.isEntry(item)
                        ? CompletableFuture.<@Nullable EncodedValue>completedFuture(item)
                        : load().thenCompose(encoded -> way.arrival(entries.add(text, encoded, ttl()))
                                .<@Nullable EncodedValue>thenApply(isAdded -> encoded)));
    }

    private LoadOptions options() {
        LoadOptions options = cache.getCacheConfiguration().loadOptions;
        Duration ttl = ttl();
        boolean hasDefault =
                options.recacheBelow() == null && !ttl.equals(TimeToLive.NEVER) && ttl.toSeconds() >= RECACHED_PART;
        return hasDefault ? options.withRecacheBelow(ttl.dividedBy(RECACHED_PART)) : options;
    }

    private Duration ttl() {
        return cache.ttl(key, cache.fromStored(loaded));
    }

    private CompletableFuture<@Nullable Object> ended(@Nullable Object value, @Nullable Throwable thrown) {
        if (thrown == null) {
            return CompletableFuture.completedFuture(value);
        }
        if (!(Futures.cause(thrown) instanceof MemcachedException e) || e == failure) {
            return CompletableFuture.failedFuture(Futures.cause(thrown));
        }
        cache.failures.lost(e, loaded != null);
        if (loaded != null) {
            return CompletableFuture.completedFuture(loaded);
        }
        cache.countLookup(false);
        return load().thenApply(encoded -> loaded);
    }

    private CompletableFuture<EncodedValue> load() {
        Executor executor = way == Way.ASYNC ? MethodThreads.EXECUTOR : Runnable::run;
        CompletableFuture<@Nullable Object> called = CompletableFuture.<@Nullable Void>completedFuture(null)
                .thenComposeAsync(nothing -> loader.get(), executor);
        return Futures.compose(called, (value, thrown) -> {
            if (thrown != null) {
                failure = Futures.cause(thrown);
                return CompletableFuture.failedFuture(Futures.cause(thrown));
            }
            try {
                Object stored = cache.stored(value);
                loaded = stored;
                return CompletableFuture.completedFuture(cache.values.encode(stored));
            } catch (MemcachedValueTooLargeException e) {
                return CompletableFuture.failedFuture(e);
            } catch (Throwable e) {
                failure = e;
                throw e;
            }
        });
    }
}
