// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.operation.RunningLoad.Outcome;
import io.memshard.client.operation.RunningLoad.Place;
import io.memshard.client.transcoder.EncodedValue;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous call of {@code AsyncMemcachedClient.getOrLoad}.
 *
 * <p>Threading: runs on the calling thread, then on the threads that complete its futures, one at a time. Never blocks.
 *
 * @param waiting action that runs each time this call starts to wait for another caller's value
 */
record AsyncLoad<V>(
        AsyncSenderMetaClient<V> client,
        LoadPlan<V> plan,
        Function<? super String, ? extends CompletionStage<? extends @Nullable V>> loader,
        Runnable waiting) {

    /** Checks the loader. */
    public AsyncLoad {
        Objects.requireNonNull(loader, "loader is null");
    }

    /** Returns a future of the item's value, which this caller or another loads if necessary. */
    public CompletableFuture<@Nullable V> run() {
        return attempt(0, plan.deadlineNanos(), null);
    }

    /**
     * Queries the item, and then returns its value, waits, or loads the value, depending on what was found.
     *
     * @param waitedFor the load of this process that the caller waits for; null for none
     */
    private CompletableFuture<@Nullable V> attempt(int attempt, long deadlineNanos, @Nullable RunningLoad waitedFor) {
        Place place = Place.of(client.calls(), plan);
        boolean isOwn = RunningLoad.isOwn(place);
        return Futures.compose(client.load(plan.request(), plan.servesStale()), (found, thrown) -> {
            RunningLoad shared = waitedFor != null || found == null ? waitedFor : RunningLoad.of(place, found);
            long leftNanos = isOwn ? 0 : plan.leftNanos(deadlineNanos, shared != null);
            if (thrown != null && (waitedFor == null || leftNanos <= 0)) {
                return CompletableFuture.failedFuture(Futures.cause(thrown));
            }
            if (plan.isAnswer(found)) {
                return CompletableFuture.completedFuture(plan.value(found));
            }
            if (!plan.isWaiting(found, shared != null, leftNanos)) {
                return load(place, found);
            }
            waiting.run();
            CompletableFuture<@Nullable Void> pause =
                    client.calls().sender().pause(plan.pauseNanos(attempt, leftNanos));
            if (shared == null) {
                return pause.thenCompose(ignored -> attempt(attempt + 1, deadlineNanos, null));
            }
            CompletableFuture<@Nullable Outcome> outcome = shared.outcome();
            return CompletableFuture.anyOf(outcome, pause).thenCompose(ignored -> {
                Outcome loaded = outcome.getNow(null);
                if (loaded != null) {
                    return CompletableFuture.completedFuture(plan.value(loaded.value(), client.commands()));
                }
                return shared.hasFailed()
                        ? attempt(attempt + 1, plan.deadlineNanosAfterFailure(deadlineNanos), null)
                        : attempt(attempt + 1, deadlineNanos, shared);
            });
        });
    }

    private CompletableFuture<@Nullable V> load(Place place, @Nullable MetaItem<V> found) {
        if (found == null) {
            // Changes of other callers during the load could not be detected, so the value is not stored.
            return loaded(place);
        }
        RunningLoad load = RunningLoad.begin(client, plan, found);
        try {
            return orRelease(load, found, () -> loaded(place))
                    .<@Nullable V>thenCompose(value -> keep(load, found, value))
                    .whenComplete((value, failure) -> load.end(null));
        } catch (Throwable e) {
            load.end(null);
            throw e;
        }
    }

    private CompletableFuture<@Nullable V> loaded(Place place) {
        return CompletableFuture.<@Nullable V>completedFuture(null)
                .thenCombine(
                        RunningLoad.during(Set.of(place), () -> loader.apply(plan.key())), (nothing, value) -> value);
    }

    /**
     * Stores the loaded value; after null, deletes an item that this caller has won. Callers that share the load then
     * get the value, even if the store or the delete fails.
     */
    private CompletableFuture<@Nullable V> keep(RunningLoad load, MetaItem<V> found, @Nullable V value) {
        if (value == null) {
            return kept(load, null, null, load.stop().thenCompose(casUnique -> delete(plan.discard(found, casUnique))));
        }
        return orRelease(
                        load,
                        found,
                        () -> CompletableFuture.completedFuture(
                                client.commands().encode(value)))
                .thenCompose(encoded -> kept(
                        load,
                        encoded,
                        value,
                        orRelease(
                                load,
                                found,
                                () -> load.stop()
                                        .thenCompose(
                                                casUnique -> client.store(plan.store(casUnique, value, encoded))))));
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
                && client.calls().failurePolicy().isMiss(known);
    }

    /** Runs a step. If the step fails, gives the claim back. */
    private <T extends @Nullable Object> CompletableFuture<T> orRelease(
            RunningLoad load, MetaItem<V> found, Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> running;
        try {
            running = step.get();
        } catch (Throwable e) {
            running = CompletableFuture.failedFuture(e);
        }
        return running.exceptionallyCompose(failure -> release(load, found).handle((ignored, second) -> {
            Throwable cause = Futures.cause(failure);
            if (second != null) {
                Futures.suppress(Futures.cause(second), cause);
            }
            throw new CompletionException(cause);
        }));
    }

    private CompletableFuture<?> release(RunningLoad load, MetaItem<V> found) {
        return load.stop().thenCompose(casUnique -> delete(plan.release(found, casUnique)));
    }

    private CompletableFuture<?> delete(@Nullable DeleteRequest request) {
        return request == null ? CompletableFuture.completedFuture(null) : client.delete(request);
    }
}
