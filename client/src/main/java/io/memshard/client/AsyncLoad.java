package io.memshard.client;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link AsyncMemcachedClient#getOrLoad}.
 *
 * <p>Threading: runs on the threads that complete its futures, one after the other; waits on none.
 */
record AsyncLoad<V>(
        AsyncMetaClient<V> client,
        String key,
        LoadPlan<V> plan,
        Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {

    CompletableFuture<@Nullable V> run() {
        return attempt(0, System.nanoTime() + plan.maxWaitNanos());
    }

    private CompletableFuture<@Nullable V> attempt(int attempt, long deadlineNanos) {
        return client.get(plan.request()).thenCompose(found -> {
            LoadPlan.Step step = plan.next(found);
            if (step == LoadPlan.Step.RETURN && found != null) {
                return CompletableFuture.completedFuture(found.value());
            }
            long left = deadlineNanos - System.nanoTime();
            if (step == LoadPlan.Step.LOAD) {
                return load(found);
            }
            if (left <= 0) {
                plan.endWait();
                return load(found);
            }
            Executor later =
                    CompletableFuture.delayedExecutor(Math.min(left, plan.pauseNanos(attempt)), TimeUnit.NANOSECONDS);
            return CompletableFuture.runAsync(() -> {}, later)
                    .thenCompose(ignored -> attempt(attempt + 1, deadlineNanos));
        });
    }

    private CompletableFuture<@Nullable V> load(@Nullable MetaItem<V> found) {
        return loading()
                .thenCompose(value -> value == null ? discarded(found) : stored(found, value))
                .exceptionallyCompose(failure -> released(found, failure));
    }

    private CompletableFuture<@Nullable V> loading() {
        try {
            return CompletableFuture.<@Nullable V>completedFuture(null)
                    .thenCombine(loader.apply(key), (nothing, value) -> value);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<@Nullable V> stored(@Nullable MetaItem<V> found, V value) {
        return client.set(plan.store(found, value)).thenApply(result -> value);
    }

    private CompletableFuture<@Nullable V> discarded(@Nullable MetaItem<V> found) {
        return deleted(plan.discard(found)).thenApply(ignored -> null);
    }

    private CompletableFuture<@Nullable V> released(@Nullable MetaItem<V> found, Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? Objects.requireNonNull(failure.getCause())
                : failure;
        return deleted(plan.release(found)).handle((ignored, second) -> {
            if (second != null) {
                cause.addSuppressed(second);
            }
            throw new CompletionException(cause);
        });
    }

    private CompletableFuture<?> deleted(@Nullable DeleteRequest request) {
        return request == null ? CompletableFuture.completedFuture(null) : client.delete(request);
    }
}
