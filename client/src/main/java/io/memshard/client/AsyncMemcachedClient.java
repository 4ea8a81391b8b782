package io.memshard.client;

import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memcached for asynchronous callers: each call sends one command and returns at once.
 *
 * <p>The methods, their arguments and their results are those of {@link MemcachedClient}.
 *
 * <p>Threading: thread-safe. A future is completed by a thread of the client, or by a caller that reads replies for
 * others too. Dependent stages without an executor run there and must not block. Commands of one thread on one
 * connection are executed in order. A multi-get, multi-set or multi-delete is in order only with commands that are sent
 * after its future completed. The thread that completes the future decodes the values.
 *
 * <p>Failure: illegal arguments are thrown by the call; everything else completes the future with a
 * {@link io.memshard.client.exception.MemcachedException}. Each future completes, at the latest a
 * timer tick after the request timeout. Cancelling a future does not take back the command.
 */
public interface AsyncMemcachedClient<V> {

    /** As {@link MemcachedClient#get}. */
    CompletableFuture<@Nullable V> get(String key);

    /** As {@link MemcachedClient#gets}. */
    CompletableFuture<@Nullable CasValue<V>> gets(String key);

    /** As {@link MemcachedClient#getAndTouch}. */
    CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl);

    /** As {@link MemcachedClient#multiGet}; failures of keys are in the result. */
    CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys);

    /** As {@link MemcachedClient#multiSet}; failures of keys are in the result. */
    CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Duration ttl);

    /** As {@link MemcachedClient#multiDelete}; failures of keys are in the result. */
    CompletableFuture<MultiDeleteResult> multiDelete(Collection<String> keys);

    /** As {@link MemcachedClient#set}. */
    CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl);

    /** As {@link MemcachedClient#add}. */
    CompletableFuture<Boolean> add(String key, V value, Duration ttl);

    /** As {@link MemcachedClient#replace}. */
    CompletableFuture<Boolean> replace(String key, V value, Duration ttl);

    /** As {@link MemcachedClient#append}. */
    CompletableFuture<Boolean> append(String key, V value);

    /** As {@link MemcachedClient#prepend}. */
    CompletableFuture<Boolean> prepend(String key, V value);

    /** As {@link MemcachedClient#cas}. */
    CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl);

    /** As {@link MemcachedClient#delete}. */
    CompletableFuture<Boolean> delete(String key);

    /** As {@link MemcachedClient#incr(String, long)}. */
    CompletableFuture<OptionalLong> incr(String key, long delta);

    /** As {@link MemcachedClient#incr(String, long, long, Duration)}. */
    CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl);

    /** As {@link MemcachedClient#decr(String, long)}. */
    CompletableFuture<OptionalLong> decr(String key, long delta);

    /** As {@link MemcachedClient#decr(String, long, long, Duration)}. */
    CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl);

    /** As {@link MemcachedClient#touch}. */
    CompletableFuture<Boolean> touch(String key, Duration ttl);

    /** As {@link MemcachedClient#version}. */
    CompletableFuture<String> version();

    /** As {@link MemcachedClient#getOrLoad(String, Duration, Function)}. */
    default CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {
        return getOrLoad(key, ttl, loader, LoadOptions.DEFAULTS);
    }

    /**
     * As {@link MemcachedClient#getOrLoad(String, Duration, Function, LoadOptions)}. The loader runs on a thread that
     * completes futures or on the common pool, and must not block. The stage that it returns may complete later.
     */
    default CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        throw new UnsupportedOperationException("this client does not speak the meta protocol");
    }

    /** As {@link MemcachedClient#meta}. */
    default AsyncMetaClient<V> meta() {
        throw new UnsupportedOperationException("this client does not speak the meta protocol");
    }

    /** As {@link MemcachedClient#withTranscoder}. */
    <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder);

    /** As {@link MemcachedClient#withTimeout}. */
    default AsyncMemcachedClient<V> withTimeout(Duration timeout) {
        throw new UnsupportedOperationException("this client's timeout is fixed: set requestTimeout where it is built");
    }

    /** As {@link MemcachedClient#withFailurePolicy}. */
    default AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        throw new UnsupportedOperationException("this client has no failure policies: handle its futures' failures");
    }
}
