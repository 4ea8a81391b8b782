// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memcached client for asynchronous callers: each call returns a future at once.
 *
 * <p>Each method has the same arguments as the method of the same name in {@link MemcachedClient}, and returns a future
 * of its result.
 *
 * <p>Threading: thread-safe. Each future is completed by an event loop of the client, by a thread named
 * {@code memshard-complete-*}, or by the {@code completionExecutor}. The thread that completes a future also decodes
 * the value, and runs functions that were attached without an executor, for example by {@code thenApply}. Functions
 * passed to a method, such as loaders, run on one of these threads or on the calling thread. None of these functions
 * may block. If the reply arrives before a method returns, the returned future is already complete.
 *
 * <p>Order: if one thread sends several commands on one connection, the server executes them in the order of the calls.
 * An operation on many keys may send several commands. A command that must be executed after all of these commands must
 * be sent after the operation's future has completed.
 *
 * <p>Failure: a method throws an exception for an illegal argument. The result of an operation on many keys contains
 * the failures of single keys. Every other failure completes the future with a
 * {@link io.memshard.client.exception.MemcachedException}. Each future completes at most 50 ms after the request
 * timeout. If attached functions block, this delay may be about half a second. Cancelling a future does not cancel the
 * command.
 */
public interface AsyncMemcachedClient<V> {

    /** Same as {@link MemcachedClient#get}. */
    CompletableFuture<@Nullable V> get(String key);

    /** Same as {@link MemcachedClient#gets}. */
    CompletableFuture<@Nullable CasValue<V>> gets(String key);

    /** Same as {@link MemcachedClient#getAndTouch}. */
    CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl);

    /** Same as {@link MemcachedClient#multiGet}. */
    CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys);

    /** Same as {@link MemcachedClient#multiSet}. */
    CompletableFuture<MultiWriteResult> multiSet(Map<String, ? extends V> values, Duration ttl);

    /** Same as {@link MemcachedClient#multiDelete}. */
    CompletableFuture<MultiWriteResult> multiDelete(Collection<String> keys);

    /** Same as {@link MemcachedClient#set}. */
    CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl);

    /** Same as {@link MemcachedClient#add}. */
    CompletableFuture<Boolean> add(String key, V value, Duration ttl);

    /** Same as {@link MemcachedClient#replace}. */
    CompletableFuture<Boolean> replace(String key, V value, Duration ttl);

    /** Same as {@link MemcachedClient#append}. */
    CompletableFuture<Boolean> append(String key, V value);

    /** Same as {@link MemcachedClient#prepend}. */
    CompletableFuture<Boolean> prepend(String key, V value);

    /** Same as {@link MemcachedClient#cas}. */
    CompletableFuture<WriteStatus> cas(String key, V value, long casUnique, Duration ttl);

    /** Same as {@link MemcachedClient#update}, but without pauses between tries. */
    CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change);

    /** Same as {@link MemcachedClient#delete}. */
    CompletableFuture<Boolean> delete(String key);

    /** Same as {@link MemcachedClient#incr(String, long)}. */
    CompletableFuture<OptionalLong> incr(String key, long delta);

    /** Same as {@link MemcachedClient#incr(String, long, long, Duration)}. */
    CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl);

    /** Same as {@link MemcachedClient#decr(String, long)}. */
    CompletableFuture<OptionalLong> decr(String key, long delta);

    /** Same as {@link MemcachedClient#decr(String, long, long, Duration)}. */
    CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl);

    /** Same as {@link MemcachedClient#touch}. */
    CompletableFuture<Boolean> touch(String key, Duration ttl);

    /** Same as {@link MemcachedClient#version}. */
    CompletableFuture<String> version();

    /** Same as {@link MemcachedClient#multiGets}. */
    CompletableFuture<MultiGetResult<CasValue<V>>> multiGets(Collection<String> keys);

    /** Same as {@link MemcachedClient#multiGetAndTouch(Collection, Duration)}. */
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
     * Same as {@link MemcachedClient#getOrLoad(String, Duration, ValueLoader, LoadOptions)}. The loader may return a
     * stage that completes later.
     */
    CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options);

    /** Same as {@link MemcachedClient#getOrLoad(String, Function, ValueLoader, LoadOptions)}. */
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

    /** Same as {@link MemcachedClient#multiGetOrLoad(Collection, Duration, ValueLoader, LoadOptions)}. */
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

    /** Same as {@link MemcachedClient#withTranscoder}. */
    <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder);

    /** Same as {@link MemcachedClient#withTimeout}. */
    AsyncMemcachedClient<V> withTimeout(Duration timeout);
}
