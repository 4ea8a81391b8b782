// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
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

/** Asynchronous client that forwards each call to another client. Subclasses add work around the call. */
abstract class AsyncCalls<V> implements AsyncMemcachedClient<V> {

    /** Runs {@code command} on the underlying client and returns its future. */
    abstract <T extends @Nullable Object> CompletableFuture<T> call(
            Function<AsyncMemcachedClient<V>, CompletableFuture<T>> command);

    /** Returns a client of this kind over the client that {@code other} makes of the underlying client. */
    abstract <W> AsyncMemcachedClient<W> view(Function<AsyncMemcachedClient<V>, AsyncMemcachedClient<W>> other);

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        return this.<@Nullable V>call(client -> client.get(key));
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return this.<@Nullable CasValue<V>>call(client -> client.gets(key));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        return this.<@Nullable V>call(client -> client.getAndTouch(key, ttl));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys) {
        return call(client -> client.multiGet(keys));
    }

    @Override
    public CompletableFuture<MultiGetResult<CasValue<V>>> multiGets(Collection<String> keys) {
        return call(client -> client.multiGets(keys));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return call(client -> client.multiGetAndTouch(keys, ttl));
    }

    @Override
    public CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Duration ttl) {
        return call(client -> client.multiSet(values, ttl));
    }

    @Override
    public CompletableFuture<MultiDeleteResult> multiDelete(Collection<String> keys) {
        return call(client -> client.multiDelete(keys));
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        return this.<@Nullable Void>call(client -> client.set(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return call(client -> client.add(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return call(client -> client.replace(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return call(client -> client.append(key, value));
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return call(client -> client.prepend(key, value));
    }

    @Override
    public CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        return call(client -> client.cas(key, value, casUnique, ttl));
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return call(client -> client.delete(key));
    }

    @Override
    public CompletableFuture<Boolean> invalidate(String key, Duration staleFor) {
        return call(client -> client.invalidate(key, staleFor));
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return call(client -> client.incr(key, delta));
    }

    @Override
    public CompletableFuture<OptionalLong> incrUnsigned(String key, long delta) {
        return call(client -> client.incrUnsigned(key, delta));
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        return call(client -> client.incr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return call(client -> client.decr(key, delta));
    }

    @Override
    public CompletableFuture<OptionalLong> decrUnsigned(String key, long delta) {
        return call(client -> client.decrUnsigned(key, delta));
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        return call(client -> client.decr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        return call(client -> client.touch(key, ttl));
    }

    @Override
    public CompletableFuture<String> version() {
        return call(AsyncMemcachedClient::version);
    }

    @Override
    public CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return this.<@Nullable V>call(client -> client.update(key, ttl, change));
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        return this.<@Nullable V>call(client -> client.getOrLoad(key, ttl, loader, options));
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        return this.<@Nullable V>call(client -> client.getOrLoad(key, ttl, loader, options));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader,
            LoadOptions options) {
        return call(client -> client.multiGetOrLoad(keys, ttl, loader, options));
    }

    @Override
    public <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return view(client -> client.withTranscoder(transcoder));
    }

    @Override
    public AsyncMemcachedClient<V> withTimeout(Duration timeout) {
        return view(client -> client.withTimeout(timeout));
    }
}
