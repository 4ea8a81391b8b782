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

    /** Guarded by this object. */
    private boolean isOver;

    private RunningLoad(LoadPlan<V> plan, String key, MetaItem<V> found) {
        this.plan = plan;
        this.place = new Place(plan.calls().plainSender, key);
        this.found = found;
        this.casUnique = found.casUnique();
    }

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

    synchronized CompletableFuture<Long> stop() {
        isOver = true;
        return renewal.thenApply(ended -> casUnique);
    }

    /** Ends the load, after {@link #stop}. If {@code loaded} is null, callers that share the load read again. */
    void end(@Nullable Outcome loaded) {
        RUNNING.remove(place, this);
        outcome.complete(loaded);
        // The timer keeps the pause for a while, but a complete pause no longer refers to the value.
        pause.complete(null);
    }

    boolean hasFailed() {
        return outcome.isDone() && outcome.join() == null;
    }

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

    @Nullable
    Command<?> release(long known) {
        boolean isKept = !found.isWon() || (!found.isPlaceholder() && !found.isStale());
        DeleteRequest delete = DeleteRequest.of(place.key).ifCas(known);
        return isKept ? null : plan.commands().delete(found.isPlaceholder() ? delete : delete.invalidate());
    }
}
