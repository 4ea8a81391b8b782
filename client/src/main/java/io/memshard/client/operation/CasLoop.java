// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.CasValue;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedUnsupportedException;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Update of one item by compare and set, tried again if another writer changed the item. */
public record CasLoop<V>(
        String key,
        boolean hidesKey,
        Function<? super @Nullable V, ? extends @Nullable V> change,
        boolean isBlocking,
        Supplier<CompletableFuture<@Nullable CasValue<V>>> read,
        BiFunction<@Nullable CasValue<V>, V, CompletableFuture<Boolean>> store) {

    private static final int MAX_TRIES = 100;

    /** Unit of a blocking caller's random pauses, which separate colliding writers. */
    private static final long PAUSE_NANOS = 50_000;

    private static final int MAX_DOUBLINGS = 6;

    public CasLoop {
        Objects.requireNonNull(key, "key is null");
        Objects.requireNonNull(change, "change is null");
    }

    public CompletableFuture<@Nullable V> start() {
        return start(1);
    }

    private CompletableFuture<@Nullable V> start(int tries) {
        return read.get().<@Nullable V>thenCompose(found -> {
            V changed = change.apply(found == null ? null : found.value());
            return changed == null
                    ? CompletableFuture.completedFuture(null)
                    : store.apply(found, changed)
                            .<@Nullable V>thenCompose(
                                    isStored -> isStored ? CompletableFuture.completedFuture(changed) : again(tries));
        });
    }

    private CompletableFuture<@Nullable V> again(int tries) {
        if (tries == MAX_TRIES) {
            throw new ConcurrentModificationException("other writers changed the item during each of " + MAX_TRIES
                    + " tries" + (hidesKey ? "" : ": \"" + key + '"')
                    + "; call update again, or write the item from fewer places");
        }
        if (isBlocking) {
            long limit = PAUSE_NANOS << Math.min(tries, MAX_DOUBLINGS);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(limit));
        }
        return start(tries + 1);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // The result is always null.
    static <T> @Nullable T nullIfUnsupported(Throwable thrown) {
        if (Futures.cause(thrown) instanceof MemcachedUnsupportedException) {
            return null;
        }
        throw new CompletionException(Futures.cause(thrown));
    }
}
