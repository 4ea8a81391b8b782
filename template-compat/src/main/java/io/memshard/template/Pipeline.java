// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Client for the calls of one {@link MemcachedOperations#executePipelined}, which keeps the future of each call.
 *
 * <p>Threading: thread-safe; created and awaited by the calling thread.
 */
final class Pipeline<V> extends AsyncCalls<V> {

    /** Maximum number of calls in flight. A connection has its own limit, which other callers share. */
    private static final int WINDOW = 256;

    private static final int MAX_SUPPRESSED = 10;

    private final AsyncMemcachedClient<V> client;
    private final Sent sent;

    private Pipeline(AsyncMemcachedClient<V> client, Sent sent) {
        this.client = client;
        this.sent = sent;
    }

    /** Futures of the calls, in order. */
    private static final class Sent {

        private final Thread caller = Thread.currentThread();
        private final List<CompletableFuture<?>> futures = Collections.synchronizedList(new ArrayList<>());

        /** Number of futures that the caller has awaited. Only the caller reads and writes this field. */
        private int completed;

        /** Blocks the caller while the window is full. A thread that completes futures never blocks here. */
        void awaitWindow() {
            while (Thread.currentThread() == caller && futures.size() - completed >= WINDOW) {
                await(futures.get(completed++));
            }
        }

        /** Waits until a call has succeeded or failed. */
        static void await(CompletableFuture<?> future) {
            try {
                future.get();
            } catch (ExecutionException e) {
                // Rethrown once all calls have completed.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MemcachedInterruptedException("interrupted while waiting for a pipeline", null, e);
            }
        }
    }

    /** Runs {@code calls} on {@code client}, waits for all, and returns their results in the order of the calls. */
    static <V> List<@Nullable Object> run(
            AsyncMemcachedClient<V> client, Consumer<? super AsyncMemcachedClient<V>> calls) {
        Sent sent = new Sent();
        calls.accept(new Pipeline<>(client, sent));
        CompletableFuture<?>[] all = sent.futures.toArray(CompletableFuture<?>[]::new);
        for (CompletableFuture<?> each : all) {
            Sent.await(each);
        }
        throwFirstFailure(all);
        List<@Nullable Object> results = new ArrayList<>(all.length);
        for (CompletableFuture<?> each : all) {
            results.add(each.join());
        }
        return Collections.unmodifiableList(results);
    }

    /**
     * Throws the failure of the first call that failed. Up to 10 failures of later calls are attached to it as
     * suppressed exceptions.
     */
    private static void throwFirstFailure(CompletableFuture<?>[] all) {
        RuntimeException first = null;
        for (CompletableFuture<?> each : all) {
            try {
                Futures.result(each);
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else if (first.getSuppressed().length < MAX_SUPPRESSED) {
                    Futures.suppress(e, first);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    <T extends @Nullable Object> CompletableFuture<T> call(
            Function<AsyncMemcachedClient<V>, CompletableFuture<T>> command) {
        sent.awaitWindow();
        CompletableFuture<T> future = command.apply(client);
        sent.futures.add(future);
        return future;
    }

    @Override
    <W> AsyncMemcachedClient<W> view(Function<AsyncMemcachedClient<V>, AsyncMemcachedClient<W>> other) {
        return new Pipeline<>(other.apply(client), sent);
    }

    @Override
    public AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        return view(other -> other.withFailurePolicy(policy));
    }

    @Override
    public AsyncMemcachedClient<V> withServerDown(ServerDownPolicy policy) {
        return view(other -> other.withServerDown(policy));
    }

    @Override
    public AsyncMemcachedClient<V> withRoutingKey(String routingKey) {
        return view(other -> other.withRoutingKey(routingKey));
    }

    @Override
    public AsyncMemcachedClient<V> withKeyPrefix(String prefix) {
        return view(other -> other.withKeyPrefix(prefix));
    }

    @Override
    public AsyncMemcachedClient<V> withHashedKeys() {
        return view(AsyncMemcachedClient::withHashedKeys);
    }

    @Override
    public AsyncMetaClient<V> meta() {
        throw new MemcachedUnsupportedException(
                "a pipeline does not collect meta commands: send them by async().meta()");
    }
}
