// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaCommands;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.operation.RunningLoad.Outcome;
import io.memshard.client.operation.RunningLoad.Place;
import io.memshard.client.protocol.Command;
import io.memshard.client.transcoder.EncodedValue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@code getOrLoad}. After each read of the item, the call returns its value, waits for another caller, or
 * loads, stores and shares the value. {@link BlockingLoad} and {@link AsyncLoad} read and wait.
 *
 * <p>Threading: used by one thread at a time. In a blocking call, each step ends on the calling thread, so that all
 * futures are already complete.
 */
abstract class Load<V> {

    final Calls calls;
    final MetaCommands<V> commands;
    final LoadPlan<V> plan;

    private long deadlineNanos;
    private long leftNanos;
    private int attempt;

    /** Load of another caller of this process, which this call waits for; null if there is none. */
    private @Nullable RunningLoad shared;

    Load(Calls calls, MetaCommands<V> commands, LoadPlan<V> plan) {
        this.calls = calls;
        this.commands = commands;
        this.plan = plan;
        this.deadlineNanos = plan.deadlineNanos();
    }

    /**
     * Sends a command that ends this call's claim, even if the thread is interrupted, because other callers wait for
     * the end of the claim.
     */
    abstract <T> CompletableFuture<T> write(Command<T> command);

    /** Returns a future of the cas unique with which to store. Completes when no renewal is in progress. */
    abstract CompletableFuture<Long> stop(RunningLoad load);

    abstract CompletableFuture<@Nullable V> loaded();

    abstract AsyncSenderMetaClient<V> renewing();

    final Command<@Nullable MetaItem<V>> read() {
        return commands.load(plan.request(), plan.servesStale());
    }

    final Place place() {
        return Place.of(calls, plan);
    }

    /**
     * Takes the result of a read: {@code found} is null on a miss or a failure. {@code isOwn} is true if the caller
     * runs inside the loader of this item. Returns the result of the call, or null if the caller waits for {@link
     * #pauseNanos} or {@link #shared} and then reads again.
     */
    final @Nullable CompletableFuture<@Nullable V> take(
            @Nullable MetaItem<V> found, @Nullable Throwable failure, boolean isOwn) {
        if (failure == null && plan.isAnswer(found)) {
            return CompletableFuture.completedFuture(plan.value(found));
        }
        if (shared != null && shared.hasFailed()) {
            shared = null;
            deadlineNanos = plan.deadlineNanosAfterFailure(deadlineNanos);
        }
        if (shared == null && found != null) {
            shared = RunningLoad.of(place(), found);
        }
        leftNanos = isOwn ? 0 : plan.leftNanos(deadlineNanos, shared != null);
        if (failure != null && (shared == null || leftNanos <= 0 || failure instanceof MemcachedInterruptedException)) {
            return CompletableFuture.failedFuture(failure);
        }
        return plan.isWaiting(found, shared != null, leftNanos) ? null : load(found);
    }

    final @Nullable RunningLoad shared() {
        return shared;
    }

    final long pauseNanos() {
        return plan.pauseNanos(attempt++, leftNanos);
    }

    /** Returns the outcome of the shared load; null if the load has none yet, or has failed. */
    final @Nullable Outcome sharedOutcome() {
        return shared == null ? null : shared.outcome().getNow(null);
    }

    private CompletableFuture<@Nullable V> load(@Nullable MetaItem<V> found) {
        if (found == null) {
            // Not stored: without a cas unique, a change by another caller during the load would be overwritten.
            return loaded();
        }
        RunningLoad load = RunningLoad.begin(renewing(), plan, found);
        try {
            return orRelease(load, found, this::loaded)
                    .<@Nullable V>thenCompose(value -> keep(load, found, value))
                    .whenComplete((value, failure) -> load.end(null));
        } catch (Throwable e) {
            load.end(null);
            throw e;
        }
    }

    /**
     * Stores the loaded value. If the loader returned null, deletes the item that this caller has won. Callers that
     * share the load get the value even if the store or the delete fails.
     */
    private CompletableFuture<@Nullable V> keep(RunningLoad load, MetaItem<V> found, @Nullable V value) {
        if (value == null) {
            return kept(load, null, null, stop(load).thenCompose(casUnique -> delete(plan.discard(found, casUnique))));
        }
        return orRelease(load, found, () -> CompletableFuture.completedFuture(commands.encode(value)))
                .thenCompose(encoded -> kept(
                        load,
                        encoded,
                        value,
                        orRelease(
                                load,
                                found,
                                () -> stop(load)
                                        .thenCompose(casUnique ->
                                                write(commands.store(plan.store(casUnique, value, encoded)))))));
    }

    private CompletableFuture<@Nullable V> kept(
            RunningLoad load, @Nullable EncodedValue encoded, @Nullable V value, CompletableFuture<?> stored) {
        return stored.handle((ignored, failure) -> {
            load.end(new Outcome(encoded));
            if (failure != null && !isMiss(failure)) {
                throw new CompletionException(Futures.cause(failure));
            }
            return value;
        });
    }

    private boolean isMiss(Throwable failure) {
        return Futures.cause(failure) instanceof MemcachedException known
                && calls.failurePolicy().isMiss(known);
    }

    /** Runs a step. If the step fails, gives the claim back. */
    private <T extends @Nullable Object> CompletableFuture<T> orRelease(
            RunningLoad load, MetaItem<V> found, Supplier<CompletableFuture<T>> step) {
        return completed(step)
                .exceptionallyCompose(failure -> release(load, found).handle((ignored, second) -> {
                    Throwable cause = Futures.cause(failure);
                    if (second != null) {
                        Futures.suppress(Futures.cause(second), cause);
                    }
                    throw new CompletionException(cause);
                }));
    }

    private CompletableFuture<?> release(RunningLoad load, MetaItem<V> found) {
        return stop(load).thenCompose(casUnique -> delete(plan.release(found, casUnique)));
    }

    private CompletableFuture<?> delete(@Nullable DeleteRequest request) {
        return request == null ? CompletableFuture.completedFuture(null) : write(commands.delete(request));
    }

    static <T extends @Nullable Object> CompletableFuture<T> completed(Supplier<CompletableFuture<T>> step) {
        try {
            return step.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
