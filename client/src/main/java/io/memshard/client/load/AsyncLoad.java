// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.load;

import io.memshard.client.connection.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.meta.AsyncSenderMetaClient;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaItem;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous call of {@code AsyncMemcachedClient.getOrLoad}.
 *
 * <p>Threading: runs on the threads that complete its futures, one after the other; blocks none of them.
 *
 * @param waiting is called each time that the value has to come from another caller
 */
public record AsyncLoad<V>(
        AsyncSenderMetaClient<V> client,
        LoadPlan<V> plan,
        Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
        Runnable waiting) {

    /** Checks the loader. */
    public AsyncLoad {
        Objects.requireNonNull(loader, "loader is null");
    }

    /** The value, loaded by this caller or another. */
    public CompletableFuture<@Nullable V> run() {
        return attempt(0, System.nanoTime() + plan.maxWaitNanos());
    }

    private CompletableFuture<@Nullable V> attempt(int attempt, long deadlineNanos) {
        return client.load(plan.request(), plan.servesStale()).thenCompose(found -> {
            long leftNanos = deadlineNanos - System.nanoTime();
            return switch (plan.next(found, leftNanos)) {
                case RETURN -> CompletableFuture.completedFuture(plan.value(found));
                case LOAD -> load(found);
                case WAIT -> {
                    waiting.run();
                    yield client.sender()
                            .pause(plan.pauseNanos(attempt, leftNanos))
                            .thenCompose(ignored -> attempt(attempt + 1, deadlineNanos));
                }
            };
        });
    }

    private CompletableFuture<@Nullable V> load(@Nullable MetaItem<V> found) {
        return orRelease(found, this::loaded)
                .thenCompose(value -> keep(found, value).handle((ignored, failure) -> {
                    if (failure != null && !isMiss(failure)) {
                        throw new CompletionException(Futures.cause(failure));
                    }
                    return value;
                }));
    }

    private CompletableFuture<@Nullable V> loaded() {
        return CompletableFuture.<@Nullable V>completedFuture(null)
                .thenCombine(loader.apply(plan.key()), (nothing, value) -> value);
    }

    private CompletableFuture<?> keep(@Nullable MetaItem<V> found, @Nullable V value) {
        return value == null
                ? delete(plan.discard(found))
                : orRelease(found, () -> client.set(plan.store(found, value)));
    }

    private boolean isMiss(Throwable failure) {
        return Futures.cause(failure) instanceof MemcachedException known
                && client.sender().failurePolicy().isMiss(known);
    }

    /** Runs a step; if it fails, gives the claim back. */
    private <T extends @Nullable Object> CompletableFuture<T> orRelease(
            @Nullable MetaItem<V> found, Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> running;
        try {
            running = step.get();
        } catch (Throwable e) {
            running = CompletableFuture.failedFuture(e);
        }
        return running.exceptionallyCompose(failure -> release(found).handle((ignored, second) -> {
            Throwable cause = Futures.cause(failure);
            if (second != null) {
                Futures.suppress(Futures.cause(second), cause);
            }
            throw new CompletionException(cause);
        }));
    }

    private CompletableFuture<?> release(@Nullable MetaItem<V> found) {
        try {
            return delete(plan.release(found));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<?> delete(@Nullable DeleteRequest request) {
        return request == null ? CompletableFuture.completedFuture(null) : client.delete(request);
    }
}
