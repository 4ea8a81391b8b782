package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link AsyncMemcachedClient#getOrLoad}.
 *
 * <p>Threading: runs on the threads that complete its futures, one after the other; waits on none.
 */
record AsyncLoad<V>(
        AsyncAttempts<AsyncMetaClient<V>> attempts,
        String key,
        LoadPlan<V> plan,
        Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader) {

    AsyncLoad {
        Objects.requireNonNull(loader, "loader is null");
    }

    CompletableFuture<@Nullable V> run() {
        return attempt(0, System.nanoTime() + plan.maxWaitNanos());
    }

    private CompletableFuture<@Nullable V> attempt(int attempt, long deadlineNanos) {
        return attempts.read(client -> client.get(plan.request())).thenCompose(found -> {
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
        return orRelease(found, this::loaded)
                .thenCompose(value -> kept(found, value).handle((ignored, failure) -> {
                    if (failure != null && !isMiss(failure)) {
                        throw new CompletionException(Futures.cause(failure));
                    }
                    return value;
                }));
    }

    private CompletableFuture<@Nullable V> loaded() {
        return CompletableFuture.<@Nullable V>completedFuture(null)
                .thenCombine(loader.apply(key), (nothing, value) -> value);
    }

    private CompletableFuture<?> kept(@Nullable MetaItem<V> found, @Nullable V value) {
        return value == null
                ? deleted(plan.discard(found))
                : orRelease(found, () -> attempts.write(client -> client.set(plan.store(found, value))));
    }

    private boolean isMiss(Throwable failure) {
        return Futures.cause(failure) instanceof MemcachedException known
                && attempts.policy().isMiss(known);
    }

    /** Runs a step; if it fails, gives the win back. */
    private <T extends @Nullable Object> CompletableFuture<T> orRelease(
            @Nullable MetaItem<V> found, Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> running;
        try {
            running = step.get();
        } catch (Throwable e) {
            running = CompletableFuture.failedFuture(e);
        }
        return running.exceptionallyCompose(failure -> released(found).handle((ignored, second) -> {
            Throwable cause = Futures.cause(failure);
            if (second != null) {
                Futures.suppress(Futures.cause(second), cause);
            }
            throw new CompletionException(cause);
        }));
    }

    private CompletableFuture<?> released(@Nullable MetaItem<V> found) {
        try {
            return deleted(plan.release(found));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<?> deleted(@Nullable DeleteRequest request) {
        return request == null
                ? CompletableFuture.completedFuture(null)
                : attempts.write(client -> client.delete(request));
    }
}
