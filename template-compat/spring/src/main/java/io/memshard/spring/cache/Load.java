// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.transcoder.EncodedValue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;

/**
 * One call that may load a value by the application's loader. It keeps what the loader returned, so that nobody loads
 * it again where memcached fails after that.
 *
 * <p>Threading: one thread after the other.
 */
final class Load {

    private final StoredValues values;
    private final UnaryOperator<@Nullable Object> toStoreValue;
    private final CacheCounters counters;

    /** What the loader returned, as it is stored; null until then. Written by the loading thread. */
    private volatile @Nullable Object loaded;

    /** What the loader threw. Written by the loading thread. */
    private volatile @Nullable Throwable failure;

    /**
     * A call that has not loaded.
     *
     * @param toStoreValue makes a value that is not null of what the loader returned, or refuses it
     */
    Load(StoredValues values, UnaryOperator<@Nullable Object> toStoreValue, CacheCounters counters) {
        this.values = values;
        this.toStoreValue = toStoreValue;
        this.counters = counters;
    }

    /** What the loader returned, as it is stored; null if it was not called. */
    @Nullable
    Object loaded() {
        return loaded;
    }

    /** Whether this is what the loader threw. */
    boolean isOfLoader(Throwable thrown) {
        return thrown == failure;
    }

    /** Calls the loader once. What it throws is the cause of a {@link Cache.ValueRetrievalException}. */
    Supplier<EncodedValue> of(Object key, Callable<?> loader) {
        return () -> {
            long startNanos = System.nanoTime();
            try {
                return encoded(loader.call(), startNanos);
            } catch (Throwable e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                throw new Cache.ValueRetrievalException(key, loader, e);
            }
        };
    }

    /** Calls the loader once, on a thread that may block. */
    <T> Supplier<CompletableFuture<EncodedValue>> of(Supplier<CompletableFuture<T>> loader) {
        return () -> {
            long startNanos = System.nanoTime();
            return Futures.compose(
                    CompletableFuture.<@Nullable Void>completedFuture(null).thenComposeAsync(nothing -> loader.get()),
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
