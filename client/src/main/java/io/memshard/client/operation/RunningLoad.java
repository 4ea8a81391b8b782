// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.meta.DeleteRequest;
import io.memshard.client.meta.MetaItem;
import io.memshard.client.meta.SetRequest;
import io.memshard.client.meta.WriteResult;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.MetaReply;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Load of an item by a caller in this process. If this caller has the claim, other callers in the process share the
 * value, even if memcached fails in the meantime. Thread-safe.
 *
 * <p>Another caller shares the load only if it has read the cas unique of this load's placeholder. So nobody else has
 * changed the item since the load began.
 *
 * <p>To keep the claim, the load stores the placeholder again by cas, for at most {@code maxLoad}. A refused cas ends
 * these renewals. A renewal without a reply may make the known cas unique outdated. Then the value is not stored.
 */
final class RunningLoad<V> {

    /** Sender and key of an item. Views with other failure policies have the same sender. */
    private record Place(CommandSender sender, String key) {}

    /** Result of a load; {@code value} is null if the loader returned null. */
    record Outcome(@Nullable EncodedValue value) {}

    /** Number of renewals in each {@code claimTtl}; two of them may fail before the claim expires. */
    private static final int RENEWALS = 3;

    private static final EncodedValue HELD = new EncodedValue(new byte[0], MetaReply.HELD_PLACE);

    private static final Map<Place, RunningLoad<?>> RUNNING = new ConcurrentHashMap<>();

    private final Load.Plan<V> plan;
    private final Place place;
    private final MetaItem<V> found;
    private final boolean isBlocking;
    private final long startNanos = System.nanoTime();

    /** Result of the load; null if the load has failed. */
    final CompletableFuture<@Nullable Outcome> outcome = new CompletableFuture<>();

    /** Cas unique that the server returned last. Written by the renewal in progress, and read by any thread. */
    private volatile long casUnique;

    volatile @Nullable Thread loader;

    /** Pause before the next renewal. Written under the lock of this object, and read by any thread. */
    private volatile CompletableFuture<@Nullable Void> pause = CompletableFuture.completedFuture(null);

    /** Last renewal, complete or in progress. Guarded by this object. */
    private CompletableFuture<@Nullable Void> renewal = pause;

    /** Guarded by this object. */
    private boolean isOver;

    private RunningLoad(Load.Plan<V> plan, String key, MetaItem<V> found, boolean isBlocking) {
        this.plan = plan;
        this.place = new Place(plan.calls().plainSender, key);
        this.found = found;
        this.isBlocking = isBlocking;
        this.casUnique = found.casUnique();
    }

    static <V> RunningLoad<V> begin(Load.Plan<V> plan, String key, MetaItem<V> found, boolean isBlocking) {
        RunningLoad<V> load = new RunningLoad<>(plan, key, found, isBlocking);
        if (found.isWon()) {
            RUNNING.put(load.place, load);
            try {
                if (found.isPlaceholder()) {
                    load.renewLater();
                }
            } catch (Throwable e) {
                load.abandon(); // The caller does not know this load yet.
                throw e;
            }
        }
        return load;
    }

    static @Nullable RunningLoad<?> of(Calls calls, String key, MetaItem<?> found) {
        RunningLoad<?> load = RUNNING.get(new Place(calls.plainSender, key));
        return load != null && load.casUnique == found.casUnique() ? load : null;
    }

    /** Returns whether the current thread runs the loader of this item, which must not wait for itself. */
    static boolean isOwn(Calls calls, String key) {
        RunningLoad<?> load = RUNNING.get(new Place(calls.plainSender, key));
        return load != null && load.loader == Thread.currentThread();
    }

    private long renewalNanos() {
        return plan.options().claimTtl().dividedBy(RENEWALS).toNanos();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Only stop() waits for a renewal.
    private void renewLater() {
        long pausedNanos = System.nanoTime();
        CompletableFuture<@Nullable Void> next;
        synchronized (this) {
            if (isOver) {
                return;
            }
            try {
                next = plan.calls().sender.pause(renewalNanos());
            } catch (RuntimeException e) {
                // Without renewals, another caller may load too.
                return;
            }
            pause = next;
        }
        next.thenRun(() -> {
            // The timer of a closed client ends each pause immediately.
            if (System.nanoTime() - pausedNanos >= renewalNanos() / 2) {
                renew();
            }
        });
    }

    private void renew() {
        CompletableFuture<@Nullable Void> start = new CompletableFuture<>();
        synchronized (this) {
            if (isOver
                    || System.nanoTime() - startNanos > plan.options().maxLoad().toNanos()) {
                return;
            }
            renewal = start.thenCompose(nothing ->
                            plan.calls().sendPart(hold(), plan.calls().nanos(), false))
                    .handle((result, failure) -> {
                        boolean isRefused = result != null && result.status() != WriteStatus.DONE;
                        if (result != null && !isRefused) {
                            casUnique = result.casUnique();
                        }
                        if (!isRefused) {
                            renewLater();
                        }
                        return null;
                    });
        }
        start.complete(null);
    }

    private Command<WriteResult> hold() {
        return plan.commands()
                .store(SetRequest.of(place.key, HELD)
                        .ttl(plan.options().claimTtl())
                        .ifCas(casUnique)
                        .returningCas());
    }

    /** Stores the loaded value, or releases the claim after a failure. */
    CompletableFuture<@Nullable V> keep(CompletableFuture<? extends @Nullable V> loaded) {
        CompletableFuture<Outcome> encoded = loaded.thenApply(
                value -> new Outcome(value == null ? null : plan.commands().encode(value)));
        return encoded.thenCompose(value -> stop().thenCompose(known -> send(write(known, loaded.join(), value))))
                .exceptionallyCompose(thrown -> release(Futures.cause(thrown)))
                .handle((written, thrown) -> {
                    boolean isLoaded = !encoded.isCompletedExceptionally();
                    end(isLoaded ? encoded.join() : null);
                    Throwable failure = thrown == null ? null : Futures.cause(thrown);
                    boolean isMiss = failure instanceof MemcachedException known
                            && plan.calls().failurePolicy.isMiss(known);
                    if (failure != null && !(isLoaded && isMiss)) {
                        throw new CompletionException(failure);
                    }
                    return loaded.join();
                });
    }

    private @Nullable Command<?> write(long known, @Nullable V value, Outcome encoded) {
        EncodedValue stored = encoded.value();
        if (stored == null || value == null) {
            return found.isWon()
                    ? plan.commands().delete(DeleteRequest.of(place.key).ifCas(known))
                    : null;
        }
        Duration ttl = plan.ttl().apply(value);
        return plan.commands().store(SetRequest.of(place.key, stored).ttl(ttl).ifCas(known));
    }

    private CompletableFuture<@Nullable Void> release(Throwable failure) {
        boolean isKept = !found.isWon() || (!found.isPlaceholder() && !found.isStale());
        return stop().thenCompose(known -> {
                    DeleteRequest delete = DeleteRequest.of(place.key).ifCas(known);
                    DeleteRequest release = found.isPlaceholder() ? delete : delete.invalidate();
                    return send(isKept ? null : plan.commands().delete(release));
                })
                .handle((deleted, second) -> {
                    if (second != null) {
                        Futures.suppress(Futures.cause(second), failure);
                    }
                    throw new CompletionException(failure);
                });
    }

    /** Ends the renewals. A blocking caller waits, so that its own thread sends the next command. */
    private CompletableFuture<Long> stop() {
        CompletableFuture<@Nullable Void> last;
        synchronized (this) {
            isOver = true;
            last = renewal;
        }
        CompletableFuture<Long> known = last.handle((ended, failure) -> casUnique);
        if (isBlocking) {
            known.join();
        }
        return known;
    }

    /** Ends the load without a value, unless it has ended. The claim expires. */
    void abandon() {
        synchronized (this) {
            isOver = true;
        }
        end(null);
    }

    /** Sends the command even on an interrupted thread: other callers wait for the end of the claim. */
    private CompletableFuture<@Nullable Void> send(@Nullable Command<?> command) {
        boolean wasInterrupted = isBlocking && Thread.interrupted();
        try {
            return command == null
                    ? CompletableFuture.completedFuture(null)
                    : plan.calls()
                            .sendPart(command, plan.calls().nanos(), isBlocking)
                            .thenApply(reply -> null);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the load. If {@code loaded} is null, callers that share the load read again. */
    private void end(@Nullable Outcome loaded) {
        RUNNING.remove(place, this);
        outcome.complete(loaded);
        // The timer keeps the pause for a while, but a complete pause no longer refers to the value.
        pause.complete(null);
    }
}
