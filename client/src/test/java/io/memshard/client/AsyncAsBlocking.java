// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.meta.ArithmeticRequest;
import io.memshard.client.meta.AsyncMetaClient;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemDebug;
import io.memshard.client.meta.ItemKey;
import io.memshard.client.meta.MetaClient;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An asynchronous client behind the blocking face, so that one contract serves both. */
public record AsyncAsBlocking<V>(AsyncMemcachedClient<V> async) implements MemcachedClient<V> {

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MemcachedException || e.getCause() instanceof IllegalStateException) {
                throw (RuntimeException) e.getCause();
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the future hangs", e);
        }
    }

    @Override
    public @Nullable V get(String key) {
        return joined(async.get(key));
    }

    @Override
    public @Nullable CasValue<V> gets(String key) {
        return joined(async.gets(key));
    }

    @Override
    public @Nullable V getAndTouch(String key, Duration ttl) {
        return joined(async.getAndTouch(key, ttl));
    }

    @Override
    public @Nullable V getAndTouch(String key, Instant expiry) {
        return joined(async.getAndTouch(key, expiry));
    }

    @Override
    public MultiGetResult<V> multiGet(Collection<String> keys) {
        return joined(async.multiGet(keys));
    }

    @Override
    public MultiGetResult<CasValue<V>> multiGets(Collection<String> keys) {
        return joined(async.multiGets(keys));
    }

    @Override
    public MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return joined(async.multiGetAndTouch(keys, ttl));
    }

    @Override
    public MultiGetResult<V> multiGetAndTouch(Collection<String> keys, Instant expiry) {
        return joined(async.multiGetAndTouch(keys, expiry));
    }

    @Override
    public MultiSetResult multiSet(Map<String, ? extends V> values, Duration ttl) {
        return joined(async.multiSet(values, ttl));
    }

    @Override
    public MultiSetResult multiSet(Map<String, ? extends V> values, Instant expiry) {
        return joined(async.multiSet(values, expiry));
    }

    @Override
    public MultiDeleteResult multiDelete(Collection<String> keys) {
        return joined(async.multiDelete(keys));
    }

    @Override
    public void set(String key, V value, Duration ttl) {
        joined(async.set(key, value, ttl));
    }

    @Override
    public void set(String key, V value, Instant expiry) {
        joined(async.set(key, value, expiry));
    }

    @Override
    public boolean add(String key, V value, Duration ttl) {
        return joined(async.add(key, value, ttl));
    }

    @Override
    public boolean add(String key, V value, Instant expiry) {
        return joined(async.add(key, value, expiry));
    }

    @Override
    public boolean replace(String key, V value, Duration ttl) {
        return joined(async.replace(key, value, ttl));
    }

    @Override
    public boolean replace(String key, V value, Instant expiry) {
        return joined(async.replace(key, value, expiry));
    }

    @Override
    public boolean append(String key, V value) {
        return joined(async.append(key, value));
    }

    @Override
    public boolean prepend(String key, V value) {
        return joined(async.prepend(key, value));
    }

    @Override
    public CasResult cas(String key, V value, long casUnique, Duration ttl) {
        return joined(async.cas(key, value, casUnique, ttl));
    }

    @Override
    public CasResult cas(String key, V value, long casUnique, Instant expiry) {
        return joined(async.cas(key, value, casUnique, expiry));
    }

    @Override
    public @Nullable V update(
            String key, Duration ttl, int maxTries, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return joined(async.update(key, ttl, change));
    }

    @Override
    public boolean delete(String key) {
        return joined(async.delete(key));
    }

    @Override
    public OptionalLong incrUnsigned(String key, long delta) {
        return joined(async.incrUnsigned(key, delta));
    }

    @Override
    public OptionalLong incr(String key, long delta) {
        return joined(async.incr(key, delta));
    }

    @Override
    public long incr(String key, long delta, long initial, Duration ttl) {
        return joined(async.incr(key, delta, initial, ttl));
    }

    @Override
    public OptionalLong decrUnsigned(String key, long delta) {
        return joined(async.decrUnsigned(key, delta));
    }

    @Override
    public OptionalLong decr(String key, long delta) {
        return joined(async.decr(key, delta));
    }

    @Override
    public long decr(String key, long delta, long initial, Duration ttl) {
        return joined(async.decr(key, delta, initial, ttl));
    }

    @Override
    public boolean invalidate(String key, Duration staleFor) {
        return joined(async.invalidate(key, staleFor));
    }

    @Override
    public boolean touch(String key, Duration ttl) {
        return joined(async.touch(key, ttl));
    }

    @Override
    public boolean touch(String key, Instant expiry) {
        return joined(async.touch(key, expiry));
    }

    @Override
    public String version() {
        return joined(async.version());
    }

    @Override
    public @Nullable V getOrLoad(
            String key, Duration ttl, ValueLoader<? super String, ? extends V> loader, LoadOptions options) {
        return joined(async.getOrLoad(key, ttl, k -> loading(k, loader), options));
    }

    @Override
    public @Nullable V getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            ValueLoader<? super String, ? extends V> loader,
            LoadOptions options) {
        return joined(async.getOrLoad(key, ttl, k -> loading(k, loader), options));
    }

    @Override
    public MultiGetResult<V> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            ValueLoader<? super Set<String>, ? extends Map<String, V>> loader,
            LoadOptions options) {
        return joined(async.multiGetOrLoad(keys, ttl, missing -> loading(missing, loader), options));
    }

    /** A loader that blocks has a thread of its own. */
    private static <K, T> CompletableFuture<T> loading(K key, ValueLoader<? super K, ? extends T> loader) {
        CompletableFuture<T> loading = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        loading.complete(loader.load(key));
                    } catch (Throwable e) {
                        loading.completeExceptionally(e);
                    }
                })
                .start();
        return loading;
    }

    @Override
    public MetaClient<V> meta() {
        AsyncMetaClient<V> meta = async.meta();
        return new MetaClient<>() {
            @Override
            public @Nullable MetaItem<V> get(GetRequest request) {
                return joined(meta.get(request));
            }

            @Override
            public WriteResult set(SetRequest<? extends V> request) {
                return joined(meta.set(request));
            }

            @Override
            public WriteStatus delete(DeleteRequest request) {
                return joined(meta.delete(request));
            }

            @Override
            public WriteResult arithmetic(ArithmeticRequest request) {
                return joined(meta.arithmetic(request));
            }

            @Override
            public @Nullable ItemDebug debug(ItemKey key) {
                return joined(meta.debug(key));
            }

            @Override
            public void noop() {
                joined(meta.noop());
            }
        };
    }

    @Override
    public <W> MemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new AsyncAsBlocking<>(async.withTranscoder(transcoder));
    }

    @Override
    public MemcachedClient<V> withTimeout(Duration timeout) {
        return new AsyncAsBlocking<>(async.withTimeout(timeout));
    }

    @Override
    public MemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        return new AsyncAsBlocking<>(async.withFailurePolicy(policy));
    }

    @Override
    public MemcachedClient<V> withServerDown(ServerDownPolicy policy) {
        return new AsyncAsBlocking<>(async.withServerDown(policy));
    }

    @Override
    public MemcachedClient<V> withRoutingKey(String routingKey) {
        return new AsyncAsBlocking<>(async.withRoutingKey(routingKey));
    }

    @Override
    public MemcachedClient<V> withKeyPrefix(String prefix) {
        return new AsyncAsBlocking<>(async.withKeyPrefix(prefix));
    }

    @Override
    public MemcachedClient<V> withHashedKeys() {
        return new AsyncAsBlocking<>(async.withHashedKeys());
    }
}
