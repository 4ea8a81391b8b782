// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.transcoder.EncodedValue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
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

    /** Exception of the asynchronous loader, or null. The loading thread writes this field. */
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

    /** Returns whether the loader threw this exception. */
    boolean isLoaderFailure(Throwable thrown) {
        return thrown == failure;
    }

    /**
     * Returns a supplier that calls the loader once. An exception of the loader or the transcoder becomes the cause of
     * a {@link Cache.ValueRetrievalException}. Only the transcoder's exception for a value that is too large to be
     * stored is thrown unchanged.
     */
    Supplier<EncodedValue> of(Object key, Callable<?> loader) {
        return () -> {
            long startNanos = System.nanoTime();
            boolean hasLoaded = false;
            try {
                Object value = loader.call();
                hasLoaded = true;
                return encoded(value, startNanos);
            } catch (Throwable e) {
                if (hasLoaded && e instanceof MemcachedValueTooLargeException tooLarge) {
                    throw tooLarge;
                }
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                throw new Cache.ValueRetrievalException(key, loader, e);
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
