// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import io.memshard.client.exception.MemcachedInterruptedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

public final class Futures {

    private Futures() {}

    public static Throwable cause(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Nothing depends on the last stage.
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

    /** Returns a future of the class of {@code stage}, which fails without a {@link CompletionException}. */
    public static <F extends @Nullable Object, T extends @Nullable Object> CompletableFuture<T> compose(
            CompletableFuture<F> stage, BiFunction<? super F, ? super @Nullable Throwable, CompletableFuture<T>> next) {
        CompletableFuture<T> result = stage.newIncompleteFuture();
        Consumer<Throwable> failed = thrown -> result.completeExceptionally(cause(thrown));
        BiConsumer<T, @Nullable Throwable> end = (made, thrown) -> {
            if (thrown == null) {
                result.complete(made);
            } else {
                failed.accept(thrown);
            }
        };
        atEnd(stage, (value, thrown) -> atEnd(next.apply(value, thrown), end, failed), failed);
        return result;
    }

    /** Returns a future with the result of {@code stage}, which fails without a {@link CompletionException}. */
    public static <T extends @Nullable Object> CompletableFuture<T> bare(CompletableFuture<T> stage) {
        return compose(stage, (value, thrown) -> stage);
    }

    /** Returns a future of the class of the first of {@code futures}. */
    public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        CompletableFuture<?> end = CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
        CompletableFuture<?> sameKind = futures.isEmpty() ? end : compose(futures.get(0), (value, thrown) -> end);
        return sameKind.thenApply(
                ended -> futures.stream().map(CompletableFuture::join).toList());
    }

    public static void suppress(Throwable second, Throwable thrown) {
        if (second != thrown) {
            thrown.addSuppressed(second);
        }
    }

    public static <T extends @Nullable Object> T await(CompletableFuture<T> future, String interrupted) {
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(interrupted, null, e);
        } catch (ExecutionException e) {
            return result(future);
        }
    }

    public static <T extends @Nullable Object> T result(CompletableFuture<T> completed) {
        try {
            return completed.join();
        } catch (CompletionException e) {
            if (cause(e) instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (cause(e) instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
