package io.memshard.client;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.FailurePolicy;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How often a failure policy tries the calls of a blocking client, and over what.
 *
 * <p>Threading: as the clients.
 *
 * @param first sends the first attempts
 * @param second sends the second ones
 * @param policy what is done about failures
 */
record Attempts<C>(C first, C second, FailurePolicy policy) {

    Attempts {
        Objects.requireNonNull(policy, "policy is null");
    }

    /** The attempts of a client that fails fast. */
    static <C> Attempts<C> single(C client) {
        return new Attempts<>(client, client, FailurePolicy.FAIL_FAST);
    }

    /** Calls for what can be read twice. */
    <T> @Nullable T read(Function<C, @Nullable T> call) {
        return read(call, true);
    }

    /** Calls for what can be missed, and what the server may hand out only once. */
    <T> @Nullable T claim(Function<C, @Nullable T> call) {
        return read(call, false);
    }

    private <T> @Nullable T read(Function<C, @Nullable T> call, boolean isRepeatable) {
        try {
            return call.apply(first);
        } catch (MemcachedException e) {
            if (policy.isMiss(e)) {
                return null;
            }
            return secondAttempt(e, isRepeatable, call);
        }
    }

    <T> T write(Function<C, T> call) {
        try {
            return call.apply(first);
        } catch (MemcachedException e) {
            return secondAttempt(e, false, call);
        }
    }

    private <T> T secondAttempt(MemcachedException failure, boolean isRepeatable, Function<C, T> call) {
        if (!policy.isRetried(failure, isRepeatable)) {
            throw failure;
        }
        try {
            return call.apply(second);
        } catch (MemcachedException e) {
            e.addSuppressed(failure);
            throw e;
        }
    }

    /** Calls for many keys, and once more for those of them that are to be tried again. */
    <R> R many(MultiResults<R> results, Collection<String> keys, BiFunction<C, Collection<String>, R> call) {
        R result = call.apply(first, keys);
        List<String> retried = results.retried(result, policy);
        return retried.isEmpty() ? result : results.joined(result, call.apply(second, retried));
    }

    /** The same attempts over a part of each client. */
    <D> Attempts<D> map(Function<C, D> part) {
        return new Attempts<>(part.apply(first), part.apply(second), policy);
    }
}
