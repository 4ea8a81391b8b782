// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiWriteResult;
import io.memshard.client.protocol.Version;
import io.memshard.client.transcoder.Transcoder;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class AsyncSenderClient<V> extends SenderViews<V, AsyncMemcachedClient<V>> implements AsyncMemcachedClient<V> {

    AsyncSenderClient(Calls calls, ClientCommands<V> commands) {
        super(AsyncMemcachedClient.class, calls, commands);
    }

    @Override
    AsyncMemcachedClient<V> view(Calls otherCalls, ClientCommands<V> otherCommands) {
        return new AsyncSenderClient<>(otherCalls, otherCommands);
    }

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        return calls.send(commands.get(key));
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return calls.send(commands.gets(key));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        return calls.send(commands.getAndTouch(key, ttl));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys) {
        return commands.multiGet(calls, keys).start();
    }

    @Override
    public CompletableFuture<MultiGetResult<CasValue<V>>> multiGets(Collection<String> keys) {
        return commands.multiGets(calls, keys).start();
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return commands.multiGetAndTouch(calls, keys, ttl).start();
    }

    @Override
    public CompletableFuture<MultiWriteResult> multiSet(Map<String, ? extends V> values, Duration ttl) {
        return commands.multiSet(calls, values, ttl).start();
    }

    @Override
    public CompletableFuture<MultiWriteResult> multiDelete(Collection<String> keys) {
        return commands.multiDelete(calls, keys).start();
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        long deadlineNanos = System.nanoTime() + calls.nanos();
        try {
            CompletableFuture<@Nullable Void> stored = calls.send(commands.set(key, value, ttl));
            // The delete is sent even if the caller has completed the result.
            return Futures.compose(
                    stored,
                    (nothing, thrown) ->
                            thrown != null && Futures.cause(thrown) instanceof MemcachedValueTooLargeException failure
                                    ? deleteAfter(failure, key, deadlineNanos, false)
                                    : stored);
        } catch (MemcachedValueTooLargeException e) {
            return deleteAfter(e, key, deadlineNanos, false);
        }
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return calls.send(commands.add(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return calls.send(commands.replace(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return Futures.bare(join(key, commands.append(key, value), false));
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return Futures.bare(join(key, commands.prepend(key, value), false));
    }

    @Override
    public CompletableFuture<WriteStatus> cas(String key, V value, long casUnique, Duration ttl) {
        return calls.send(commands.cas(key, value, casUnique, ttl));
    }

    @Override
    public CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return Futures.bare(update(key, ttl, change, false).start());
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return calls.send(commands.delete(key));
    }

    @Override
    public CompletableFuture<Boolean> invalidate(String key, Duration staleFor) {
        return Futures.bare(
                calls.send(commands.invalidate(key, staleFor)).thenApply(status -> status == WriteStatus.DONE));
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return calls.send(commands.incr(key, delta));
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        return calls.send(commands.incr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return calls.send(commands.decr(key, delta));
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        return calls.send(commands.decr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        return Futures.bare(calls.send(commands.touch(key, ttl)).thenApply(Objects::nonNull));
    }

    @Override
    public CompletableFuture<String> version() {
        return calls.send(new Version());
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        return getOrLoad(key, value -> ttl, loader, Load.Plan.recachingEarly(ttl, options));
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        Load.Plan<V> plan = new Load.Plan<>(calls, commands.partsOf(Load.OPERATION), ttl, options);
        Load<V> load = new Load<>(plan, key, commands.keys.stored(key), false);
        Objects.requireNonNull(loader, "loader is null");
        return calls.<@Nullable V>start(Load.OPERATION, load.stored, 1, () -> load.start(loader));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader,
            LoadOptions options) {
        MultiLoad<V> load = commands.multiLoad(calls, keys, ttl, options);
        Objects.requireNonNull(loader, "loader is null");
        return calls.start(MultiLoad.OPERATION, null, load.keys.outcomes.size(), () -> load.start(loader));
    }

    @Override
    public SenderMetaClient.Async<V> meta() {
        return new SenderMetaClient.Async<>(calls, commands.meta());
    }

    @Override
    public <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        ClientCommands<W> others = new ClientCommands<>(commands.coder.withTranscoder(transcoder), commands.keys);
        return new AsyncSenderClient<>(calls, others);
    }
}
