// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.meta.GetRequest;
import io.memshard.client.meta.ItemField;
import io.memshard.client.options.FailurePolicy;
import io.memshard.client.options.ServerDownPolicy;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Methods that blocking and asynchronous clients share; {@code C} is the type of the client. */
abstract class SenderViews<V, C> {

    final Calls calls;
    final ClientCommands<V> commands;

    SenderViews(Calls calls, ClientCommands<V> commands) {
        this.calls = calls;
        this.commands = commands;
    }

    final CasLoop<V> update(
            String key, Duration ttl, Function<? super @Nullable V, ? extends @Nullable V> change, boolean isBlocking) {
        return new CasLoop<>(
                key,
                commands.coder().hidesKeys(),
                change,
                isBlocking,
                () -> send(commands.gets(key), isBlocking),
                (read, changed) -> read == null
                        ? send(commands.add(key, changed, ttl), isBlocking)
                                .thenCompose(isAdded -> isAdded
                                        ? CompletableFuture.completedFuture(true)
                                        : replacePlaceholder(key, changed, ttl, isBlocking))
                        : send(commands.cas(key, changed, read.casUnique(), ttl), isBlocking)
                                .thenApply(CasLoop::isStored));
    }

    /** Stores a value after a failed add, if only the empty placeholder of a running load has prevented the add. */
    private CompletableFuture<Boolean> replacePlaceholder(String key, V changed, Duration ttl, boolean isBlocking) {
        GetRequest request = GetRequest.of(key).returning(ItemField.VALUE, ItemField.CAS);
        return CompletableFuture.<@Nullable Void>completedFuture(null)
                .thenCompose(nothing -> send(commands.meta().get(request), isBlocking))
                .exceptionally(CasLoop::nullIfUnsupported)
                .thenCompose(found -> found == null || !found.isPlaceholder()
                        ? CompletableFuture.completedFuture(false)
                        : send(commands.cas(key, changed, found.casUnique(), ttl), isBlocking)
                                .thenApply(CasLoop::isStored));
    }

    private <T> CompletableFuture<T> send(Command<T> command, boolean isBlocking) {
        return isBlocking ? CompletableFuture.completedFuture(calls.call(command)) : calls.send(command);
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
        return view(calls.withRoutingKey(commands.routingKey(routingKey)), commands);
    }

    public C withKeyPrefix(String prefix) {
        return view(calls, commands.withKeys(commands.keys().withPrefix(prefix)));
    }

    public C withHashedKeys() {
        return view(calls, commands.withKeys(commands.keys().hashing()));
    }
}
