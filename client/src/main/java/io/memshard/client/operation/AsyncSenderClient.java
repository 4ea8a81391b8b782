// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasResult;
import io.memshard.client.CasValue;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiDeleteResult;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.multi.MultiSetResult;
import io.memshard.client.options.ConnectionOptions;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
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

final class AsyncSenderClient<V> implements AsyncMemcachedClient<V> {

    private final Calls calls;
    private final ClientCommands<V> commands;
    private final Duration timeout;

    AsyncSenderClient(Calls calls, ClientCommands<V> commands, Duration timeout) {
        this.calls = calls;
        this.commands = commands.copying();
        this.timeout = timeout;
    }

    private <T> CompletableFuture<T> send(Command<T> command) {
        return calls.send(command, timeout);
    }

    @Override
    public CompletableFuture<@Nullable V> get(String key) {
        return send(commands.get(key));
    }

    @Override
    public CompletableFuture<@Nullable CasValue<V>> gets(String key) {
        return send(commands.gets(key));
    }

    @Override
    public CompletableFuture<@Nullable V> getAndTouch(String key, Duration ttl) {
        return send(commands.getAndTouch(key, ttl));
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGet(Collection<String> keys) {
        return commands.multiGet(keys, calls.failurePolicy()).start(calls, timeout);
    }

    @Override
    public CompletableFuture<MultiGetResult<CasValue<V>>> multiGets(Collection<String> keys) {
        return commands.multiGets(keys, calls.failurePolicy()).start(calls, timeout);
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGetAndTouch(Collection<String> keys, Duration ttl) {
        return commands.multiGetAndTouch(keys, ttl, calls.failurePolicy()).start(calls, timeout);
    }

    @Override
    public CompletableFuture<MultiSetResult> multiSet(Map<String, ? extends V> values, Duration ttl) {
        return commands.multiSet(values, ttl).start(calls, timeout);
    }

    @Override
    public CompletableFuture<MultiDeleteResult> multiDelete(Collection<String> keys) {
        return commands.multiDelete(keys).start(calls, timeout);
    }

    @Override
    public CompletableFuture<@Nullable Void> set(String key, V value, Duration ttl) {
        long deadlineNanos = System.nanoTime() + calls.nanos(timeout.toNanos());
        CompletableFuture<?> stored;
        try {
            stored = send(commands.set(key, value, ttl));
        } catch (MemcachedValueTooLargeException e) {
            CompletableFuture<Boolean> deleted = delete(key, deadlineNanos);
            CompletableFuture<@Nullable Void> result = deleted.newIncompleteFuture();
            failAfter(deleted, result, e);
            return result;
        }
        CompletableFuture<@Nullable Void> result = stored.newIncompleteFuture();
        Futures.atEnd(
                stored,
                (nothing, thrown) -> {
                    if (thrown == null) {
                        result.complete(null);
                    } else if (Futures.cause(thrown) instanceof MemcachedValueTooLargeException failure) {
                        failAfter(delete(key, deadlineNanos), result, failure);
                    } else {
                        result.completeExceptionally(Futures.cause(thrown));
                    }
                },
                result::completeExceptionally);
        return result;
    }

    private CompletableFuture<Boolean> delete(String key, long deadlineNanos) {
        return calls.sender().send(commands.delete(key)).toFuture(until(deadlineNanos));
    }

    private static void failAfter(
            CompletableFuture<Boolean> deleting,
            CompletableFuture<@Nullable Void> result,
            MemcachedValueTooLargeException failure) {
        Futures.atEnd(
                deleting,
                (deleted, thrown) -> {
                    if (thrown != null) {
                        failure.addSuppressed(Futures.cause(thrown));
                    }
                    result.completeExceptionally(failure);
                },
                result::completeExceptionally);
    }

    private static Duration until(long deadlineNanos) {
        return Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
    }

    @Override
    public CompletableFuture<Boolean> add(String key, V value, Duration ttl) {
        return send(commands.add(key, value, ttl));
    }

    @Override
    public CompletableFuture<Boolean> replace(String key, V value, Duration ttl) {
        return send(commands.replace(key, value, ttl));
    }

    /** Appends or prepends to the item's value, unless the item is only the placeholder of a running load. */
    private CompletableFuture<Boolean> join(String key, Command<Boolean> join) {
        Duration time = calls.time(timeout);
        long deadlineNanos = System.nanoTime() + time.toNanos();
        return calls.sender()
                .send(commands.isPlaceholder(key, join))
                .toFuture(time)
                .exceptionally(CasLoop::nullIfUnsupported)
                .thenCompose(isPlaceholder -> Boolean.TRUE.equals(isPlaceholder)
                        ? CompletableFuture.completedFuture(false)
                        : calls.send(join, until(deadlineNanos)));
    }

    @Override
    public CompletableFuture<Boolean> append(String key, V value) {
        return join(key, commands.append(key, value));
    }

    @Override
    public CompletableFuture<Boolean> prepend(String key, V value) {
        return join(key, commands.prepend(key, value));
    }

    @Override
    public CompletableFuture<CasResult> cas(String key, V value, long casUnique, Duration ttl) {
        return send(commands.cas(key, value, casUnique, ttl));
    }

    @Override
    public CompletableFuture<@Nullable V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change) {
        return new CasLoop<V>(key, ttl, change, commands.coder().hidesKeys()).start(this);
    }

    @Override
    public CompletableFuture<Boolean> delete(String key) {
        return send(commands.delete(key));
    }

    @Override
    public CompletableFuture<Boolean> invalidate(String key, Duration staleFor) {
        return send(commands.invalidate(key, staleFor)).thenApply(status -> status == WriteStatus.DONE);
    }

    @Override
    public CompletableFuture<OptionalLong> incr(String key, long delta) {
        return send(commands.incr(key, delta));
    }

    @Override
    public CompletableFuture<Long> incr(String key, long delta, long initial, Duration ttl) {
        return send(commands.incr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<OptionalLong> decr(String key, long delta) {
        return send(commands.decr(key, delta));
    }

    @Override
    public CompletableFuture<Long> decr(String key, long delta, long initial, Duration ttl) {
        return send(commands.decr(key, delta, initial, ttl));
    }

    @Override
    public CompletableFuture<Boolean> touch(String key, Duration ttl) {
        return send(commands.touch(key, ttl)).thenApply(Objects::nonNull);
    }

    @Override
    public CompletableFuture<String> version() {
        return send(new Version());
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Duration ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        return load(commands.loadPlan(calls.sender(), key, ttl, options), loader);
    }

    @Override
    public CompletableFuture<@Nullable V> getOrLoad(
            String key,
            Function<? super V, Duration> ttl,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            LoadOptions options) {
        return load(commands.loadPlan(calls.sender(), key, ttl, options), loader);
    }

    private CompletableFuture<@Nullable V> load(
            LoadPlan<V> plan, Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {
        AsyncLoad<V> load = new AsyncLoad<>(loadClient(LoadPlan.OPERATION), plan, loader, () -> {});
        return calls.<@Nullable V>start(LoadPlan.OPERATION, plan.stored(), 1, load::run);
    }

    private AsyncSenderMetaClient<V> loadClient(String operation) {
        return new AsyncSenderMetaClient<>(calls, commands.partsOf(operation), timeout);
    }

    @Override
    public CompletableFuture<MultiGetResult<V>> multiGetOrLoad(
            Collection<String> keys,
            Duration ttl,
            Function<? super Set<String>, ? extends CompletionStage<? extends Map<String, V>>> loader,
            LoadOptions options) {
        return MultiLoad.start(
                loadClient(MultiLoad.OPERATION), commands.loadPlans(calls.sender(), keys, ttl, options), loader);
    }

    @Override
    public AsyncSenderMetaClient<V> meta() {
        return new AsyncSenderMetaClient<>(calls, new MetaCommands<>(commands.coder(), commands.keys()), timeout);
    }

    @Override
    public <W> AsyncMemcachedClient<W> withTranscoder(Transcoder<W> transcoder) {
        return new AsyncSenderClient<>(calls, commands.withTranscoder(transcoder), timeout);
    }

    @Override
    public AsyncMemcachedClient<V> withTimeout(Duration newTimeout) {
        return new AsyncSenderClient<>(calls, commands, ConnectionOptions.checkTimeout("timeout", newTimeout));
    }

    @Override
    public AsyncMemcachedClient<V> withFailurePolicy(FailurePolicy policy) {
        return new AsyncSenderClient<>(calls.withFailurePolicy(policy), commands, timeout);
    }

    @Override
    public AsyncMemcachedClient<V> withServerDown(ServerDownPolicy policy) {
        return new AsyncSenderClient<>(calls.withServerDown(policy), commands, timeout);
    }

    @Override
    public AsyncMemcachedClient<V> withRoutingKey(String routingKey) {
        return new AsyncSenderClient<>(calls.withRoutingKey(commands.routingKey(routingKey)), commands, timeout);
    }

    @Override
    public AsyncMemcachedClient<V> withKeyPrefix(String prefix) {
        return new AsyncSenderClient<>(calls, commands.withKeys(commands.keys().withPrefix(prefix)), timeout);
    }

    @Override
    public AsyncMemcachedClient<V> withHashedKeys() {
        return new AsyncSenderClient<>(calls, commands.withKeys(commands.keys().hashing()), timeout);
    }

    @Override
    public String toString() {
        return commands.shown("AsyncMemcachedClient", calls.sender(), timeout);
    }
}
