// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Way to call memcached. Lets the blocking and the asynchronous cache operations share code. */
enum Way {
    BLOCKING,
    ASYNC;

    /** Maximum wait for a command, in case the client's own timeouts are longer. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);

    <T extends @Nullable Object> CompletableFuture<T> arrival(CompletableFuture<T> sent) {
        return call(() -> await(sent), () -> sent);
    }

    <T extends @Nullable Object> CompletableFuture<T> call(Supplier<T> blocking, Supplier<CompletableFuture<T>> async) {
        try {
            return this == ASYNC ? async.get() : CompletableFuture.completedFuture(blocking.get());
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the result, or throws the failure. An interrupt does not end the wait, so that no eviction is lost. */
    static <T extends @Nullable Object> T await(CompletableFuture<T> sent) {
        long deadlineNanos = System.nanoTime() + LONGEST_WAIT_NANOS;
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return sent.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw unchecked(e.getCause() == null ? e : Futures.cause(e.getCause()));
        } catch (TimeoutException e) {
            throw new MemcachedTimeoutException("a command of the cache did not complete within 1 minute", null, e);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static RuntimeException unchecked(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException e ? e : new CompletionException(cause);
    }
}
