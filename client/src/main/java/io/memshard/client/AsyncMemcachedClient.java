// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memcached client for asynchronous callers: each call returns a future at once.
 *
 * <p>The methods, their arguments and their results are those of {@link MemcachedClient}.
 *
 * <p>Threading: thread-safe. A thread of the client (an event loop, or a thread named {@code memshard-complete-*}) or
 * the {@code completionExecutor} completes each future. The completing thread decodes the value. A future whose reply
 * has already arrived is returned complete. Dependent stages without an executor run on the completing thread and must
 * not block.
 *
 * <p>Order: the server executes commands of one thread on one connection in order. An operation on many keys has
 * several parts. Later commands may overtake some of these parts until the operation's future completes.
 *
 * <p>Failure: the call itself throws on illegal arguments, but the result reports an illegal key among many. Every
 * other failure completes the future with a {@link io.memshard.client.exception.MemcachedException}. Each future
 * completes at most 50 ms after the request timeout, or about half a second after the timeout if dependent stages
 * block. Cancelling a future does not cancel the command.
 */
public interface AsyncMemcachedClient<V> extends AsyncItemOperations<V> {

    /** Same as {@link MemcachedClient#multiGets}; the result reports failures of keys. */
    CompletableFuture<MultiGetResult<CasValue<V>>> multiGets(Collection<String> keys);

    /** Same as {@link MemcachedClient#multiGetAndTouch(Collection, Duration)}; the result reports failures of keys. */
    CompletableFuture<MultiGetResult<V>> multiGetAndTouch(Collection<String> keys, Duration ttl);

    /** Same as {@link MemcachedClient#invalidate}. */
    CompletableFuture<Boolean> invalidate(String key, Duration staleFor);

    /** Same as {@link MemcachedClient#getOrLoad(String, Duration, ValueLoader)}. */
    default CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {
        return getOrLoad(key, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * Same as {@link MemcachedClient#getOrLoad(String, Duration, ValueLoader, LoadOptions)}. The loader runs on the
     * calling thread or on a thread that completes futures, and must not block. The loader's stage may complete later.
     */
    CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options);

    /**
     * Same as {@link MemcachedClient#getOrLoad(String, Function, ValueLoader, LoadOptions)}. The function {@code ttl}
     * and the loader run on the calling thread or on a thread that completes futures, and must not block.
     */
    CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options);

    /** Same as {@link MemcachedClient#multiGetOrLoad(Collection, Duration, ValueLoader)}. */
    default CompletableFuture<MultiGetResult<V>> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        return multiGetOrLoad(keys, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * Same as {@link MemcachedClient#multiGetOrLoad(Collection, Duration, ValueLoader, LoadOptions)}. The loader runs
     * on the calling thread or on a thread that completes futures, and must not block.
     */
    CompletableFuture<MultiGetResult<V>> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader,
            LoadOptions options);

    /** Same as {@link MemcachedClient#meta}. */
    AsyncMetaClient<V> meta();

    /** Same as {@link MemcachedClient#withFailurePolicy}. */
    AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy policy);

    /** Same as {@link MemcachedClient#withServerDown}. */
    AsyncMemcachedClient<V> withServerDown(ServerDownPolicy policy);

    /** Same as {@link MemcachedClient#withRoutingKey}. */
    AsyncMemcachedClient<V> withRoutingKey(String routingKey);

    /** Same as {@link MemcachedClient#withKeyPrefix}. */
    AsyncMemcachedClient<V> withKeyPrefix(String prefix);

    /** Same as {@link MemcachedClient#withHashedKeys}. */
    AsyncMemcachedClient<V> withHashedKeys();

    @Override
    <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder);

    @Override
    AsyncMemcachedClient<V> withTimeout(Duration timeout);
}
