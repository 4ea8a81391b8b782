package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.FailurePolicy;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How often a failure policy tries the calls of an asynchronous client, and over what.
 *
 * <p>Threading: as the clients.
 *
 * @param first sends the first attempts
 * @param second sends the second ones
 * @param policy what is done about failures
 */
record AsyncAttempts<C>(C first, C second, FailurePolicy policy) {

    AsyncAttempts {
        Objects.requireNonNull(policy, "policy is null");
    }

    /** The attempts of a client that fails fast. */
    static <C> AsyncAttempts<C> single(C client) {
        return new AsyncAttempts<>(client, client, FailurePolicy.FAIL_FAST);
    }

    /** Calls for what can be read twice. */
    <T> CompletableFuture<@Nullable T> read(Function<C, CompletableFuture<@Nullable T>> call) {
        return answered(call, true, true);
    }

    /** Calls for what can be missed, and what the server may hand out only once. */
    <T> CompletableFuture<@Nullable T> claim(Function<C, CompletableFuture<@Nullable T>> call) {
        return answered(call, true, false);
    }

    <T> CompletableFuture<T> write(Function<C, CompletableFuture<T>> call) {
        return answered(call, false, false);
    }

    @SuppressWarnings("NullAway") // A miss is null, and only what may be null can be missed.
    private <T extends @Nullable Object> CompletableFuture<T> answered(
            Function<C, CompletableFuture<T>> call, boolean canBeMissed, boolean isRepeatable) {
        return call.apply(first).exceptionallyCompose(thrown -> {
            Throwable cause = Futures.cause(thrown);
            if (cause instanceof MemcachedException failure) {
                if (canBeMissed && policy.isMiss(failure)) {
                    return CompletableFuture.completedFuture(null);
                }
                if (policy.isRetried(failure, isRepeatable)) {
                    return call.apply(second);
                }
            }
            return CompletableFuture.failedFuture(cause);
        });
    }

    /** Calls for many keys, and once more for those of them that are to be tried again. */
    <R> CompletableFuture<R> many(
            MultiResults<R> results,
            Collection<String> keys,
            BiFunction<C, Collection<String>, CompletableFuture<R>> call) {
        return call.apply(first, keys).thenCompose(result -> {
            List<String> retried = results.retried(result, policy);
            return retried.isEmpty()
                    ? CompletableFuture.completedFuture(result)
                    : call.apply(second, retried).thenApply(again -> results.joined(result, again));
        });
    }

    /** The same attempts over a part of each client. */
    <D> AsyncAttempts<D> map(Function<C, D> part) {
        return new AsyncAttempts<>(part.apply(first), part.apply(second), policy);
    }
}
