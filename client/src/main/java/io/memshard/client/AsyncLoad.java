package io.memshard.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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
            long leftNanos = deadlineNanos - System.nanoTime();
            return switch (plan.next(found, leftNanos)) {
                case RETURN -> CompletableFuture.completedFuture(plan.value(found));
                case LOAD -> load(found);
                case WAIT ->
                    paused(plan.pauseNanos(attempt, leftNanos))
                            .thenCompose(ignored -> attempt(attempt + 1, deadlineNanos));
            };
        });
    }

    private static CompletableFuture<?> paused(long nanos) {
        return CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS));
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
        Throwable cause = Futures.cause(failure);
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
