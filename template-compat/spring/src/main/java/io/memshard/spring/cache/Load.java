// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.transcoder.EncodedValue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Call of the application's loader. Keeps the loader's result, so the value is not loaded again if memcached fails
 * afterwards.
 *
 * <p>Threading: used by one thread at a time.
 */
final class Load {

    private final StoredValues values;
    private final UnaryOperator<@Nullable Object> toStoreValue;
    private final CacheCounters counters;

    /** Result of the loader in stored form; null until loaded. The loading thread writes this field. */
    private volatile @Nullable Object loaded;

    private volatile @Nullable Throwable failure;

    Load(StoredValues values, UnaryOperator<@Nullable Object> toStoreValue, CacheCounters counters) {
        this.values = values;
        this.toStoreValue = toStoreValue;
        this.counters = counters;
    }

    @Nullable
    Object loaded() {
        return loaded;
    }

    boolean isLoaderFailure(Throwable thrown) {
        return thrown == failure;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    Supplier<CompletableFuture<EncodedValue>> here(Callable<?> loader) {
        Supplier<CompletableFuture<Object>> called = () -> {
            try {
                return CompletableFuture.completedFuture(loader.call());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CompletableFuture.failedFuture(e);
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        };
        return on(Runnable::run, called);
    }

    <T extends @Nullable Object> Supplier<CompletableFuture<EncodedValue>> on(
            Executor executor, Supplier<CompletableFuture<T>> loader) {
        return () -> {
            long startNanos = System.nanoTime();
            CompletableFuture<T> called = CompletableFuture.<@Nullable Void>completedFuture(null)
                    .thenComposeAsync(nothing -> loader.get(), executor);
            return Futures.compose(called, (value, thrown) -> {
                if (thrown != null) {
                    failure = Futures.cause(thrown);
                    return CompletableFuture.failedFuture(Futures.cause(thrown));
                }
                try {
                    return CompletableFuture.completedFuture(encoded(value, startNanos));
                } catch (MemcachedValueTooLargeException e) {
                    return CompletableFuture.failedFuture(e);
                } catch (Throwable e) {
                    failure = e;
                    throw e;
                }
            });
        };
    }

    private EncodedValue encoded(@Nullable Object value, long startNanos) {
        counters.loads.increment();
        counters.loadNanos.add(System.nanoTime() - startNanos);
        Object stored = toStoreValue.apply(value);
        loaded = stored;
        return values.encode(stored);
    }
}
