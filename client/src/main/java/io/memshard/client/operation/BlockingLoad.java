// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.load.ValueLoader;
import io.memshard.client.load.ValueLoaderException;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.operation.RunningLoad.Outcome;
import io.memshard.client.operation.RunningLoad.Place;
import io.memshard.client.transcoder.EncodedValue;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One blocking call of {@code MemcachedClient.getOrLoad}.
 *
 * <p>Threading: confined to its caller.
 */
record BlockingLoad<V>(SenderMetaClient<V> client, LoadPlan<V> plan, ValueLoader<? super String, ? extends V> loader) {

    /** Checks the loader. */
    public BlockingLoad {
        Objects.requireNonNull(loader, "loader is null");
    }

    /** Returns the item's value, which this caller or another loads if necessary. */
    public @Nullable V run() {
        long deadlineNanos = plan.deadlineNanos();
        RunningLoad shared = null;
        for (int attempt = 0; ; attempt++) {
            MetaItem<V> found = find(shared, deadlineNanos);
            if (plan.isAnswer(found)) {
                return plan.value(found);
            }
            Place place = Place.of(client.calls(), plan);
            if (shared != null && shared.hasFailed()) {
                shared = null;
                deadlineNanos = plan.deadlineNanosAfterFailure(deadlineNanos);
            }
            if (shared == null && found != null) {
                shared = RunningLoad.of(place, found);
            }
            long leftNanos = RunningLoad.isOwn(place) ? 0 : plan.leftNanos(deadlineNanos, shared != null);
            if (!plan.isWaiting(found, shared != null, leftNanos)) {
                return load(place, found);
            }
            Outcome outcome = outcome(shared, plan.pauseNanos(attempt, leftNanos));
            if (outcome != null) {
                return plan.value(outcome.value(), client.commands());
            }
        }
    }

    /**
     * Returns the item; null if the read fails and counts as a miss, or fails while this caller waits for a load of
     * this process.
     */
    private @Nullable MetaItem<V> find(@Nullable RunningLoad shared, long deadlineNanos) {
        try {
            return client.load(plan.request(), plan.servesStale());
        } catch (MemcachedInterruptedException e) {
            throw e;
        } catch (MemcachedException e) {
            if (shared == null || plan.leftNanos(deadlineNanos, true) <= 0) {
                throw e;
            }
            return null;
        }
    }

    /**
     * Waits for up to {@code nanos} for a load of this process. Returns null if the wait ends first, if the load has
     * failed, or if {@code shared} is null.
     */
    private @Nullable Outcome outcome(@Nullable RunningLoad shared, long nanos) {
        try {
            CompletableFuture<@Nullable Outcome> outcome =
                    shared == null ? new CompletableFuture<>() : shared.outcome();
            return outcome.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a load is never completed by a failure", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MemcachedInterruptedException(
                    "interrupted while another caller loads " + plan.shownKey(), null, e);
        }
    }

    private @Nullable V load(Place place, @Nullable MetaItem<V> found) {
        if (found == null) {
            // Changes of other callers during the load could not be detected, so the value is not stored.
            return loaded(place);
        }
        RunningLoad load = RunningLoad.begin(client.async(), plan, found);
        try {
            V value = this.<@Nullable V>orRelease(load, found, () -> loaded(place));
            if (value == null) {
                keep(load, null, () -> delete(plan.discard(found, casUnique(load))));
            } else {
                EncodedValue encoded =
                        orRelease(load, found, () -> client.commands().encode(value));
                keep(
                        load,
                        encoded,
                        () -> orRelease(
                                load,
                                found,
                                () -> write(() -> client.store(plan.store(casUnique(load), value, encoded)))));
            }
            return value;
        } finally {
            load.end(null);
        }
    }

    /** Runs {@code store}. Callers that share the load then get the value, even if {@code store} fails. */
    private void keep(RunningLoad load, @Nullable EncodedValue loaded, Runnable store) {
        try {
            store.run();
        } catch (MemcachedException e) {
            if (!client.calls().failurePolicy().isMiss(e)) {
                throw e;
            }
        } finally {
            load.end(new Outcome(loaded));
        }
    }

    private static long casUnique(RunningLoad load) {
        return Futures.result(load.stop());
    }

    @SuppressWarnings("NullAway") // It does not see that the type argument is nullable.
    private @Nullable V loaded(Place place) {
        try {
            return RunningLoad.<@Nullable V, Exception>during(Set.of(place), () -> loader.load(plan.key()));
        } catch (Exception e) {
            throw thrownByLoader(plan.shownKey(), e);
        }
    }

    /** Returns the exception to throw for an exception of the loader. */
    static RuntimeException thrownByLoader(String shownKeys, Exception e) {
        if (e instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return new ValueLoaderException(shownKeys, e);
    }

    /** Runs a step. If the step fails, gives the claim back. */
    private <T extends @Nullable Object> T orRelease(RunningLoad load, MetaItem<V> found, Supplier<T> step) {
        try {
            return step.get();
        } catch (Throwable e) {
            try {
                delete(plan.release(found, casUnique(load)));
            } catch (Throwable second) {
                Futures.suppress(second, e);
            }
            throw e;
        }
    }

    private void delete(@Nullable DeleteRequest request) {
        if (request != null) {
            write(() -> client.delete(request));
        }
    }

    /** Writes even if the loader left its thread interrupted, because other callers wait for the value. */
    private <T> T write(Supplier<T> call) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            return call.get();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
