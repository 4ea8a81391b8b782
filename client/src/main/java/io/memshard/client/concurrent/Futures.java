// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import io.memshard.client.exception.MemcachedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What futures make of failures. */
public final class Futures {

    private Futures() {}

    /** What a stage failed with, out of the wrapping that it has where the stage depends on another. */
    public static Throwable cause(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }

    /**
     * Calls an action with the result or the failure of a stage. If the action throws, as for want of memory, another
     * is told, so that what the action was to complete can fail.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // Nothing comes after it.
    public static <T> void atEnd(
            CompletableFuture<T> stage,
            BiConsumer<? super T, ? super @Nullable Throwable> action,
            Consumer<? super Throwable> failed) {
        stage.<@Nullable Void>handle((value, thrown) -> {
                    action.accept(value, thrown);
                    return null;
                })
                .exceptionally(thrown -> {
                    failed.accept(thrown);
                    return null;
                });
    }

    /** The stage that {@code next} makes of the result or the failure of another. */
    @SuppressWarnings("FutureReturnValueIgnored") // It is composed with the one that is returned.
    public static <F extends @Nullable Object, T extends @Nullable Object> CompletableFuture<T> compose(
            CompletableFuture<F> stage, BiFunction<? super F, ? super @Nullable Throwable, CompletableFuture<T>> next) {
        return stage.handle((value, thrown) -> next.apply(value, thrown)).thenCompose(made -> made);
    }

    /** Adds what went wrong second to what is thrown. */
    public static void suppress(Throwable second, Throwable thrown) {
        if (second != thrown) {
            thrown.addSuppressed(second);
        }
    }

    /** The result of a stage that is over; a failure of ours is thrown as it is. */
    public static <T> T result(CompletableFuture<T> over) {
        try {
            return over.join();
        } catch (CompletionException e) {
            if (cause(e) instanceof MemcachedException known) {
                throw known;
            }
            throw e;
        }
    }
}
