// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.operation.RunningLoad.Outcome;
import io.memshard.client.protocol.Command;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous call of {@code AsyncMemcachedClient.getOrLoad}.
 *
 * <p>Threading: runs on the calling thread, then on the threads that complete its futures, one at a time. Never blocks.
 */
final class AsyncLoad<V> extends Load<V> {

    private final AsyncSenderMetaClient<V> client;
    private final Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader;
    private final Runnable waiting;

    /** Creates a call; {@code waiting} runs each time the call starts to wait for another caller's value. */
    AsyncLoad(
            AsyncSenderMetaClient<V> client,
            LoadPlan<V> plan,
            Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
            Runnable waiting) {
        super(client.calls(), client.commands(), plan);
        this.client = client;
        this.loader = Objects.requireNonNull(loader, "loader is null");
        this.waiting = waiting;
    }

    CompletableFuture<@Nullable V> run() {
        boolean isOwn = RunningLoad.isOwn(place());
        return Futures.compose(client.send(read()), (found, thrown) -> {
            CompletableFuture<@Nullable V> result = take(found, thrown == null ? null : Futures.cause(thrown), isOwn);
            return result == null ? await() : result;
        });
    }

    private CompletableFuture<@Nullable V> await() {
        waiting.run();
        CompletableFuture<@Nullable Void> pause = calls.sender().pause(pauseNanos());
        RunningLoad load = shared();
        CompletableFuture<?> end = load == null ? pause : CompletableFuture.anyOf(load.outcome(), pause);
        return end.thenCompose(ignored -> {
            Outcome loaded = sharedOutcome();
            return loaded == null ? run() : CompletableFuture.completedFuture(plan.value(loaded.value(), commands));
        });
    }

    @Override
    <T> CompletableFuture<T> write(Command<T> command) {
        return client.send(command);
    }

    @Override
    CompletableFuture<Long> stop(RunningLoad load) {
        return load.stop();
    }

    @Override
    CompletableFuture<@Nullable V> loaded() {
        return CompletableFuture.<@Nullable V>completedFuture(null)
                .thenCombine(
                        RunningLoad.during(Set.of(place()), () -> loader.apply(plan.key())), (nothing, value) -> value);
    }

    @Override
    AsyncSenderMetaClient<V> renewing() {
        return client;
    }
}
