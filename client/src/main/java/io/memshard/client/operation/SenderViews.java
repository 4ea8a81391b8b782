// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

abstract class SenderViews<V, C> {

    private final Class<?> type;
    final Calls calls;
    final ClientCommands<V> commands;

    SenderViews(Class<?> type, Calls calls, ClientCommands<V> commands) {
        this.type = type;
        this.calls = calls;
        this.commands = commands;
    }

    final CasLoop<V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change, boolean isBlocking) {
        return new CasLoop<>(
                key,
                commands.coder.hidesKeys(),
                change,
                isBlocking,
                () -> send(commands.gets(key), isBlocking),
                (read, changed) -> read == null
                        ? send(commands.add(key, changed, ttl), isBlocking)
                                .thenCompose(isAdded -> isAdded
                                        ? CompletableFuture.completedFuture(true)
                                        : replacePlaceholder(key, changed, ttl, isBlocking))
                        : send(commands.cas(key, changed, read.casUnique(), ttl), isBlocking)
                                .thenApply(WriteStatus.DONE::equals));
    }

    /** Stores a value after a failed add, if the item is the placeholder of a running {@code getOrLoad}. */
    private CompletableFuture<Boolean> replacePlaceholder(String key, V changed, Duration ttl, boolean isBlocking) {
        return send(commands.placeholder("meta.get", key), isBlocking)
                .exceptionally(CasLoop::nullIfUnsupported)
                .thenCompose(casUnique -> casUnique == null
                        ? CompletableFuture.completedFuture(false)
                        : send(commands.cas(key, changed, casUnique, ttl), isBlocking)
                                .thenApply(WriteStatus.DONE::equals));
    }

    /** Appends or prepends, unless the item is the placeholder of a running {@code getOrLoad}. */
    final CompletableFuture<Boolean> join(String key, Command<Boolean> join, boolean isBlocking) {
        long nanos = calls.nanos();
        long deadlineNanos = System.nanoTime() + nanos;
        return calls.sendPart(commands.placeholder(join.operation(), key), nanos, isBlocking)
                .exceptionally(CasLoop::nullIfUnsupported)
                .thenCompose(casUnique -> casUnique != null
                        ? CompletableFuture.completedFuture(false)
                        : calls.send(join, deadlineNanos - System.nanoTime(), isBlocking));
    }

    /** Deletes an item whose new value is too large, and then fails with {@code failure}. */
    final <T extends @Nullable Object> CompletableFuture<T> deleteAfter(
            MemcachedValueTooLargeException failure, String key, long deadlineNanos, boolean isBlocking) {
        long nanos = deadlineNanos - System.nanoTime();
        return Futures.compose(calls.sendPart(commands.delete(key), nanos, isBlocking), (deleted, second) -> {
            if (second != null) {
                Futures.suppress(Futures.cause(second), failure);
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    private <T> CompletableFuture<T> send(Command<T> command, boolean isBlocking) {
        return calls.send(command, calls.nanos(), isBlocking);
    }

    @Override
    public String toString() {
        String own = commands.keys.prefix();
        String prefix = own.isEmpty() || commands.coder.hidesKeys() ? "" : ", keyPrefix=" + own;
        return type.getSimpleName() + '[' + calls.sender + ", requestTimeout=" + calls.timeout + prefix + ']';
    }

    abstract C view(Calls otherCalls, ClientCommands<V> otherCommands);

    public C withTimeout(Duration timeout) {
        return view(calls.withTimeout(timeout), commands);
    }

    public C withFailurePolicy(FailurePolicy policy) {
        return view(calls.withFailurePolicy(policy), commands);
    }

    public C withServerDown(ServerDownPolicy policy) {
        return view(calls.withServerDown(policy), commands);
    }

    public C withRoutingKey(String routingKey) {
        String key = commands.get(routingKey).key();
        return view(calls.withRoutingKey(Objects.requireNonNull(key, "key is null")), commands);
    }

    public C withKeyPrefix(String prefix) {
        return view(calls, new ClientCommands<>(commands.coder, commands.keys.withPrefix(prefix)));
    }

    public C withHashedKeys() {
        return view(calls, new ClientCommands<>(commands.coder, commands.keys.hashing()));
    }
}
