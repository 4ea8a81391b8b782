// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.transcoder.EncodedValue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;

/**
 * One call that may run the application's loader. Keeps the loader's result, so the value is not loaded again if
 * memcached fails afterwards.
 *
 * <p>Threading: one thread at a time.
 */
final class Load {

    private final StoredValues values;
    private final UnaryOperator<@Nullable Object> toStoreValue;
    private final CacheCounters counters;

    /** Result of the loader in stored form; null until loaded. The loading thread writes this field. */
    private volatile @Nullable Object loaded;

    /** Exception of the loader or the transcoder, or null. The loading thread writes this field. */
    private volatile @Nullable Throwable failure;

    /**
     * Creates a call that has not loaded yet.
     *
     * @param toStoreValue maps the loader's result to a value that is not null, or rejects the result
     */
    Load(StoredValues values, UnaryOperator<@Nullable Object> toStoreValue, CacheCounters counters) {
        this.values = values;
        this.toStoreValue = toStoreValue;
        this.counters = counters;
    }

    /** Returns the loader's result in stored form; null if the loader was not called. */
    @Nullable
    Object loaded() {
        return loaded;
    }

    boolean isLoaderFailure(Throwable thrown) {
        return thrown == failure;
    }

    /**
     * Runs {@code call} with a loader that it may call once. An exception of the loader or the transcoder becomes the
     * cause of a {@link Cache.ValueRetrievalException}, whose message has the key. So it is thrown only after the call,
     * which a client that hides keys may observe.
     */
    @Nullable
    Object call(Object key, Callable<?> loader, ValueLoader<ValueLoader<String, EncodedValue>, Object> call) {
        try {
            return call.load(of(loader));
        } catch (Throwable e) {
            Throwable thrown = failure;
            throw thrown == null ? Entries.unchecked(e) : new Cache.ValueRetrievalException(key, loader, thrown);
        }
    }

    /**
     * Returns a loader that calls {@code loader} once. Exceptions of memcached are wrapped, except for a value that is
     * too large to be stored, because the cache takes them for its own.
     */
    private ValueLoader<String, EncodedValue> of(Callable<?> loader) {
        return ignored -> {
            long startNanos = System.nanoTime();
            boolean hasLoaded = false;
            try {
                Object value = loader.call();
                hasLoaded = true;
                return encoded(value, startNanos);
            } catch (Throwable e) {
                if (hasLoaded && e instanceof MemcachedValueTooLargeException) {
                    throw e;
                }
                failure = e;
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                if (e instanceof MemcachedException) {
                    throw new CompletionException(e);
                }
                throw e;
            }
        };
    }

    /** Returns a supplier that calls the loader once, on a thread that may block. */
    <T> Supplier<CompletableFuture<EncodedValue>> of(Supplier<CompletableFuture<T>> loader) {
        return () -> {
            long startNanos = System.nanoTime();
            return Futures.compose(
                    CompletableFuture.<@Nullable Void>completedFuture(null)
                            .thenComposeAsync(nothing -> loader.get(), MethodThreads.EXECUTOR),
                    (value, thrown) -> {
                        if (thrown == null) {
                            return CompletableFuture.completedFuture(encoded(value, startNanos));
                        }
                        failure = Futures.cause(thrown);
                        return CompletableFuture.failedFuture(Futures.cause(thrown));
                    });
        };
    }

    private EncodedValue encoded(@Nullable Object value, long startNanos) {
        counters.loaded(System.nanoTime() - startNanos);
        Object stored = toStoreValue.apply(value);
        loaded = stored;
        return values.encode(stored);
    }
}
