// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

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
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Load of an item by a caller in this process. If memcached has given the caller the claim to load the item, other
 * callers in the process share the value, even if memcached fails in the meantime.
 *
 * <p>Another caller shares the load only if it has read the cas unique of this load's placeholder. So nobody else has
 * changed the item since the load began.
 *
 * <p>To keep the claim, the load stores the placeholder again by cas three times in each {@code claimTtl}, for at most
 * {@code maxLoad}. If another caller has changed the item, the cas fails, and these renewals end. If the reply to a
 * renewal was lost, the known cas unique may be outdated. Then the value is not stored, and the placeholder expires. If
 * the item has an old value instead of a placeholder, nothing is renewed.
 *
 * <p>Threading: thread-safe.
 */
final class RunningLoad<V> {

    /** Sender and key of an item. A client's views with other failure policies have the same sender. */
    private record Place(CommandSender sender, String key) {}

    /** Result of a load. {@code value} is in its stored form; null if the loader returned null. */
    record Outcome(@Nullable EncodedValue value) {}

    /** Number of renewals in each {@code claimTtl}; two of them may fail before the claim expires. */
    private static final int RENEWALS = 3;

    private static final EncodedValue HELD = new EncodedValue(new byte[0], MetaReply.HELD_PLACE);

    private static final Map<Place, RunningLoad<?>> RUNNING = new ConcurrentHashMap<>();

    private final LoadPlan<V> plan;
    private final Place place;
    private final MetaItem<V> found;
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

    /** True after {@link #stop}. Guarded by this object. */
    private boolean isOver;

    private RunningLoad(LoadPlan<V> plan, String key, MetaItem<V> found) {
        this.plan = plan;
        this.place = new Place(plan.calls().plainSender, key);
        this.found = found;
        this.casUnique = found.casUnique();
    }

    /** Begins a load of the found item. If this caller has won the item, other callers can share the load. */
    static <V> RunningLoad<V> begin(LoadPlan<V> plan, String key, MetaItem<V> found) {
        RunningLoad<V> load = new RunningLoad<>(plan, key, found);
        if (found.isWon()) {
            RUNNING.put(load.place, load);
            if (found.isPlaceholder()) {
                load.renewLater();
            }
        }
        return load;
    }

    /** Returns the load in this process whose last cas unique is that of {@code found}, or null. */
    static @Nullable RunningLoad<?> of(Calls calls, String key, MetaItem<?> found) {
        RunningLoad<?> load = RUNNING.get(new Place(calls.plainSender, key));
        return load != null && load.casUnique == found.casUnique() ? load : null;
    }

    /** Returns whether the current thread runs the loader of this item. A loader must not wait for itself. */
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
                // The only effect of missing renewals is that another caller may load too.
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

    @SuppressWarnings("FutureReturnValueIgnored") // Its handler ends the renewal.
    private void renew() {
        CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        synchronized (this) {
            if (isOver
                    || System.nanoTime() - startNanos > plan.options().maxLoad().toNanos()) {
                return;
            }
            renewal = ended;
        }
        CompletableFuture.<@Nullable Void>completedFuture(null)
                .thenCompose(
                        nothing -> plan.calls().sendPart(hold(), plan.calls().nanos(), false))
                .handle((result, failure) -> {
                    boolean isRefused = result != null && result.status() != WriteStatus.DONE;
                    try {
                        if (result != null && !isRefused) {
                            casUnique = result.casUnique();
                        }
                    } finally {
                        ended.complete(null); // Even if the reply has no cas unique.
                    }
                    // After a refusal the placeholder belongs to another caller.
                    if (!isRefused) {
                        renewLater();
                    }
                    return null;
                });
    }

    private Command<WriteResult> hold() {
        return plan.commands()
                .store(SetRequest.of(place.key, HELD)
                        .ttl(plan.options().claimTtl())
                        .ifCas(casUnique)
                        .returningCas());
    }

    /** Ends the renewals. Returns a future of the last cas unique, which completes after the renewal in progress. */
    synchronized CompletableFuture<Long> stop() {
        isOver = true;
        return renewal.thenApply(ended -> casUnique);
    }

    /** Ends the load, after {@link #stop}. If {@code loaded} is null, callers that share the load read again. */
    void end(@Nullable Outcome loaded) {
        RUNNING.remove(place, this);
        outcome.complete(loaded);
        // The timer keeps the pause for a while. A complete pause no longer refers to this load and its value.
        pause.complete(null);
    }

    boolean hasFailed() {
        return outcome.isDone() && outcome.join() == null;
    }

    /** Returns the command that stores the value. If the value is null, a won item is deleted instead. */
    @Nullable
    Command<?> write(long known, @Nullable V value, Outcome encoded) {
        EncodedValue stored = encoded.value();
        if (stored == null || value == null) {
            return found.isWon()
                    ? plan.commands().delete(DeleteRequest.of(place.key).ifCas(known))
                    : null;
        }
        Duration ttl = plan.ttl().apply(value);
        return plan.commands().store(SetRequest.of(place.key, stored).ttl(ttl).ifCas(known));
    }

    /** Returns the command that ends the claim; null without a claim, or if the item has a value that is not stale. */
    @Nullable
    Command<?> release(long known) {
        boolean isKept = !found.isWon() || (!found.isPlaceholder() && !found.isStale());
        DeleteRequest delete = DeleteRequest.of(place.key).ifCas(known);
        return isKept ? null : plan.commands().delete(found.isPlaceholder() ? delete : delete.invalidate());
    }
}
