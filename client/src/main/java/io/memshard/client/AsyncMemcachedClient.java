// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memcached for asynchronous callers: each call sends one command and returns at once.
 *
 * <p>The methods, their arguments and their results are those of {@link MemcachedClient}.
 *
 * <p>Threading: thread-safe. A thread of the client (an event loop or a {@code memshard-complete-*}) or the {@code
 * completionExecutor} completes each future. A future whose reply has already arrived is returned complete. Dependent
 * stages without an executor run on the completing thread and must not block. The server executes commands of one
 * thread on one connection in order. A multi-get, multi-set or multi-delete is ordered only before commands sent after
 * its future completes. The thread that completes the future decodes the values.
 *
 * <p>Failure: the call itself throws on illegal arguments, but an illegal key among many is reported in the result.
 * Every other failure completes the future with a {@link io.memshard.client.exception.MemcachedException}. Each future
 * completes at most one timer tick after the request timeout, or half a second later if dependent stages block.
 * Cancelling a future does not cancel the command.
 */
public interface AsyncMemcachedClient<V> {

    /** Same as {@link MemcachedClient#get}. */
    CompletableFuture<@Nullable V> get(String key);

    /** Same as {@link MemcachedClient#gets}. */
    CompletableFuture<@Nullable CasValue<V>> gets(String key);

    /** Same as {@link MemcachedClient#getAndTouch}. */
    CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl);

    /** Same as {@link #getAndTouch(String, Duration)}, but with an expiry instant, which may be in the past. */
    default CompletableFuture<@Nullable V> getAndTouch(String key, Instant expiry) {
        return getAndTouch(key, TimeToLive.until(expiry));
    }

    /** Same as {@link MemcachedClient#multiGet}; failures of keys are in the result. */
    CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys);

    /** Same as {@link MemcachedClient#multiGets}; failures of keys are in the result. */
    CompletableFuture<MultiGetResult<CasValue<V>>> multiGets(Collection<String> keys);

    /** Same as {@link MemcachedClient#multiGetAndTouch(Collection, Duration)}; failures of keys are in the result. */
    CompletableFuture<MultiGetResult<V>> multiGetAndTouch(Collection<String> keys, Duration ttl);

    /**
     * Same as {@link #multiGetAndTouch(Collection, Duration)}, but with an expiry instant, which may be in the past.
     */
    default CompletableFuture<MultiGetResult<V>> multiGetAndTouch(Collection<String> keys, Instant expiry) {
        return multiGetAndTouch(keys, TimeToLive.until(expiry));
    }

    /** Same as {@link MemcachedClient#multiSet}; failures of keys are in the result. */
    CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Duration ttl);

    /** Same as {@link #multiSet(Map, Duration)}, but with an expiry instant, which may be in the past. */
    default CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Instant expiry) {
        return multiSet(values, TimeToLive.until(expiry));
    }

    /** Same as {@link MemcachedClient#multiDelete}; failures of keys are in the result. */
    CompletableFuture<MultiDeleteResult> multiDelete(Collection<String> keys);

    /** Same as {@link MemcachedClient#set}. */
    CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl);

    /** Same as {@link #set(String, Object, Duration)}, but with an expiry instant, which may be in the past. */
    default CompletableFuture<@Nullable Void> set(String key, V value, Instant expiry) {
        return set(key, value, TimeToLive.until(expiry));
    }

    /** Same as {@link MemcachedClient#add}. */
    CompletableFuture<Boolean> add(String key, V value, Duration ttl);

    /** Same as {@link #add(String, Object, Duration)}, but with an expiry instant, which may be in the past. */
    default CompletableFuture<Boolean> add(String key, V value, Instant expiry) {
        return add(key, value, TimeToLive.until(expiry));
    }

    /** Same as {@link MemcachedClient#replace}. */
    CompletableFuture<Boolean> replace(String key, V value, Duration ttl);

    /** Same as {@link #replace(String, Object, Duration)}, but with an expiry instant, which may be in the past. */
    default CompletableFuture<Boolean> replace(String key, V value, Instant expiry) {
        return replace(key, value, TimeToLive.until(expiry));
    }

    /** Same as {@link MemcachedClient#append}. */
    CompletableFuture<Boolean> append(String key, V value);

    /** Same as {@link MemcachedClient#prepend}. */
    CompletableFuture<Boolean> prepend(String key, V value);

    /** Same as {@link MemcachedClient#cas}. */
    CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl);

    /** Same as {@link #cas(String, Object, long, Duration)}, but with an expiry instant, which may be in the past. */
    default CompletableFuture<CasResult> cas(String key, V value, long casUnique, Instant expiry) {
        return cas(key, value, casUnique, TimeToLive.until(expiry));
    }

    /**
     * Same as {@link MemcachedClient#update(String, Duration, Function)}, without pauses. The change runs on the
     * calling thread or on a thread that completes futures, and must not block.
     */
    default CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        throw new MemcachedUnsupportedException("this client has no update: use gets, and cas or add");
    }

    /** Same as {@link MemcachedClient#delete}. */
    CompletableFuture<Boolean> delete(String key);

    /** Same as {@link MemcachedClient#invalidate}. */
    CompletableFuture<Boolean> invalidate(String key, Duration staleFor);

    /** Same as {@link MemcachedClient#incr(String, long)}. */
    CompletableFuture<OptionalLong> incr(String key, long delta);

    /** Same as {@link MemcachedClient#incrUnsigned}. */
    CompletableFuture<OptionalLong> incrUnsigned(String key, long delta);

    /** Same as {@link MemcachedClient#incr(String, long, long, Duration)}. */
    CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl);

    /** Same as {@link MemcachedClient#decr(String, long)}. */
    CompletableFuture<OptionalLong> decr(String key, long delta);

    /** Same as {@link MemcachedClient#decrUnsigned}. */
    CompletableFuture<OptionalLong> decrUnsigned(String key, long delta);

    /** Same as {@link MemcachedClient#decr(String, long, long, Duration)}. */
    CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl);

    /** Same as {@link MemcachedClient#touch}. */
    CompletableFuture<Boolean> touch(String key, Duration ttl);

    /** Same as {@link #touch(String, Duration)}, but with an expiry instant, which may be in the past. */
    default CompletableFuture<Boolean> touch(String key, Instant expiry) {
        return touch(key, TimeToLive.until(expiry));
    }

    /** Same as {@link MemcachedClient#version}. */
    CompletableFuture<String> version();

    /** Same as {@link MemcachedClient#getOrLoad(String, Duration, ValueLoader)}. */
    default CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {
        return getOrLoad(key, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * Same as {@link MemcachedClient#getOrLoad(String, Duration, ValueLoader, LoadOptions)}. The loader runs on the
     * calling thread or on a thread that completes futures, and must not block. The stage that the loader returns may
     * complete later.
     */
    default CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        throw new MemcachedUnsupportedException(
                "this client does not speak the meta protocol: use get, load on a miss, and set");
    }

    /**
     * Same as {@link MemcachedClient#getOrLoad(String, Function, ValueLoader, LoadOptions)}. {@code ttl} and the loader
     * run on the same threads as the loader of {@link #getOrLoad(String, Duration, Function, LoadOptions)}.
     */
    default CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        throw new MemcachedUnsupportedException(
                "this client does not speak the meta protocol: use get, load on a miss, and set");
    }

    /** Same as {@link MemcachedClient#multiGetOrLoad(Collection, Duration, ValueLoader)}. */
    default CompletableFuture<MultiGetResult<V>> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader) {
        return multiGetOrLoad(keys, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * Same as {@link MemcachedClient#multiGetOrLoad(Collection, Duration, ValueLoader, LoadOptions)}. The loader runs
     * on the same threads as the loader of {@link #getOrLoad(String, Duration, Function, LoadOptions)}.
     */
    default CompletableFuture<MultiGetResult<V>> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader,
            LoadOptions options) {
        throw new MemcachedUnsupportedException(
                "this client does not speak the meta protocol: use multiGet, load the misses, and multiSet them");
    }

    /** Same as {@link MemcachedClient#meta}. */
    default AsyncMetaClient<V> meta() {
        throw new MemcachedUnsupportedException(
                "this client does not speak the meta protocol: use a client of Memshard");
    }

    /** Same as {@link MemcachedClient#withTranscoder}. */
    <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder);

    /** Same as {@link MemcachedClient#withTimeout}. */
    default AsyncMemcachedClient<V> withTimeout(Duration timeout) {
        throw new MemcachedUnsupportedException("this client's timeout is fixed: set requestTimeout where it is built");
    }

    /** Same as {@link MemcachedClient#withFailurePolicy}. */
    default AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        throw new MemcachedUnsupportedException("this client has no failure policies: handle its futures' failures");
    }

    /** Same as {@link MemcachedClient#withServerDown}. */
    default AsyncMemcachedClient<V> withServerDown(ServerDownPolicy policy) {
        throw new MemcachedUnsupportedException(
                "this client has no policies for servers that are down: handle its futures' failures");
    }

    /** Same as {@link MemcachedClient#withRoutingKey}. */
    default AsyncMemcachedClient<V> withRoutingKey(String routingKey) {
        throw new MemcachedUnsupportedException(
                "this client has no routing keys: the key of each command chooses its server");
    }

    /** Same as {@link MemcachedClient#withKeyPrefix}. */
    default AsyncMemcachedClient<V> withKeyPrefix(String prefix) {
        throw new MemcachedUnsupportedException("this client has no key prefix: write whole keys");
    }

    /** Same as {@link MemcachedClient#withHashedKeys}. */
    default AsyncMemcachedClient<V> withHashedKeys() {
        throw new MemcachedUnsupportedException("this client does not hash keys: shorten them");
    }
}
