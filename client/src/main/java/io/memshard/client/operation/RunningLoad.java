// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.meta.MetaItem;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.transcoder.EncodedValue;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Load that this process has begun after the server made one of its callers the winner. Other callers of the process
 * find the load here and share its value, even if memcached fails in the meantime.
 *
 * <p>A caller shares the load only if its read found the placeholder of exactly this load, which the cas unique
 * identifies. At the time of this read, no caller had stored or deleted the item since the load began. So the value is
 * no older for the sharer than for the caller that loads.
 *
 * <p>A sharer waits until the load ends, unless the options make the sharer fail earlier or not wait at all. A waiting
 * sharer keeps reading the item. If a load hangs, its placeholder expires. Then one of its sharers loads and stores the
 * value, and the others read that value.
 *
 * <p>Each sharer gets a copy of the value in its stored form and decodes the copy, like a value from memcached.
 *
 * <p>Threading: thread-safe. The map contains only loads in progress.
 */
final class RunningLoad {

    /** Identity of an item in this process: the sender of its commands, and its key at the server. */
    record Place(CommandSender sender, String key) {

        /** Returns the identity of a plan's item. All failure policies of a client share it. */
        static Place of(Calls calls, LoadPlan<?> plan) {
            return new Place(calls.plainSender(), plan.stored());
        }
    }

    /** Result of a load. {@code value} is in its stored form; null if the loader returned null. */
    record Outcome(@Nullable EncodedValue value) {}

    @FunctionalInterface
    interface Loading<T extends @Nullable Object, X extends Exception> {

        T run() throws X;
    }

    /** Items that a loader on the current thread loads. {@code outer} is the frame of an enclosing loader. */
    private record Frame(Set<Place> places, @Nullable Frame outer) {}

    private static final Map<Place, RunningLoad> RUNNING = new ConcurrentHashMap<>();
    private static final ThreadLocal<@Nullable Frame> FRAMES = new ThreadLocal<>();

    private final Place place;
    private final Renewal renewal;
    private final CompletableFuture<@Nullable Outcome> outcome = new CompletableFuture<>();

    private RunningLoad(Place place, Renewal renewal) {
        this.place = place;
        this.renewal = renewal;
    }

    /**
     * Begins a load of the found item. If this caller has won the item, others can share the load, and its placeholder
     * is renewed. A claim on an old value is not renewed, and expires with the value.
     */
    static RunningLoad begin(AsyncSenderMetaClient<?> client, LoadPlan<?> plan, MetaItem<?> found) {
        Renewal renewal = new Renewal(client, plan, found.casUnique());
        RunningLoad load = new RunningLoad(Place.of(client.calls(), plan), renewal);
        try {
            if (found.isWon()) {
                RUNNING.put(load.place, load);
                if (found.isPlaceholder()) {
                    renewal.later();
                }
            }
            return load;
        } catch (Throwable e) {
            load.end(null);
            throw e;
        }
    }

    /** Returns the load whose placeholder was found; null if the load runs in another process, or has ended. */
    static @Nullable RunningLoad of(Place place, MetaItem<?> found) {
        RunningLoad load = RUNNING.get(place);
        return load != null && load.renewal.casUnique() == found.casUnique() ? load : null;
    }

    /**
     * Calls a loader, and records for the current thread which items are being loaded. Otherwise a loader that reads
     * one of these items on the same thread would wait for itself.
     */
    static <T extends @Nullable Object, X extends Exception> T during(Set<Place> places, Loading<T, X> loading)
            throws X {
        Frame outer = FRAMES.get();
        FRAMES.set(new Frame(places, outer));
        try {
            return loading.run();
        } finally {
            if (outer == null) {
                FRAMES.remove();
            } else {
                FRAMES.set(outer);
            }
        }
    }

    static boolean isOwn(Place place) {
        for (Frame frame = FRAMES.get(); frame != null; frame = frame.outer) {
            if (frame.places.contains(place)) {
                return true;
            }
        }
        return false;
    }

    CompletableFuture<Long> stop() {
        return renewal.stop();
    }

    /**
     * Ends the load and its renewals; only the first call has an effect. {@code loaded} is null if the load has failed,
     * so that the callers that share the load read the item again.
     */
    void end(@Nullable Outcome loaded) {
        RUNNING.remove(place, this);
        // stop() may have failed for lack of memory. The placeholder then expires after its claimTtl.
        renewal.end();
        outcome.complete(loaded);
    }

    boolean hasFailed() {
        return outcome.isDone() && outcome.join() == null;
    }

    /** Returns a future of the load's result, which is null if the load has failed. */
    CompletableFuture<@Nullable Outcome> outcome() {
        return outcome;
    }
}
