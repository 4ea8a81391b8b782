// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous commands that every client supports, even a client that runs on another memcached library. The subtype
 * {@link AsyncMemcachedClient} adds commands that other libraries do not support.
 *
 * <p>Threading and failure: same as {@link AsyncMemcachedClient}.
 */
public interface AsyncItemOperations<V> {

    /** Same as {@link MemcachedClient#get}. */
    CompletableFuture<@Nullable V> get(String key);

    /** Same as {@link MemcachedClient#gets}. */
    CompletableFuture<@Nullable CasValue<V>> gets(String key);

    /** Same as {@link MemcachedClient#getAndTouch}. */
    CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl);

    /** Same as {@link MemcachedClient#multiGet}. */
    CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys);

    /** Same as {@link MemcachedClient#multiSet}. */
    CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Duration ttl);

    /** Same as {@link MemcachedClient#multiDelete}. */
    CompletableFuture<MultiDeleteResult> multiDelete(Collection<String> keys);

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
    CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl);

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

    /** Same as {@link MemcachedClient#withTranscoder}. */
    <W> AsyncItemOperations<W> withTranscoder(Transcoder<W> transcoder);

    /** Same as {@link MemcachedClient#withTimeout}. */
    AsyncItemOperations<V> withTimeout(Duration timeout);
}
