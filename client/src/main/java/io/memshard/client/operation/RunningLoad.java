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
 * Load that this process has begun after the server chose one of its callers. Other callers of the process find it here
 * and share its value, even if memcached fails meanwhile.
 *
 * <p>The server decides who shares it: a caller whose read found the place of exactly this load, by its cas unique. At
 * that moment nobody had stored or deleted anything since the load began. So the value is no older for that caller than
 * for the one that loads. A caller that comes after a delete finds no place, or another one, and shares nothing.
 *
 * <p>A sharer waits until the load ends, unless it is to fail after its wait. It queries the server meanwhile. So a
 * load that hangs loses its place, and then one of its sharers loads and stores the value that the others read.
 *
 * <p>Sharers get a copy of the stored form of the value, and decode it for themselves, like a value that memcached
 * gave them.
 *
 * <p>Threading: thread-safe. The map has the loads that run now, and nothing else.
 */
final class RunningLoad {

    /**
     * Identity of an item in this process: the sender of its commands, and its key at the server.
     *
     * <p>Threading: immutable.
     */
    record Place(CommandSender sender, String key) {

        /** Returns the item of a plan. The failure policy of a client makes no difference. */
        static Place of(Calls calls, LoadPlan<?> plan) {
            return new Place(calls.plainSender(), plan.stored());
        }
    }

    /**
     * Result of a load.
     *
     * @param value null if there is nothing to load
     */
    record Outcome(@Nullable EncodedValue value) {}

    /** The call of a loader. */
    @FunctionalInterface
    interface Loading<T extends @Nullable Object, X extends Exception> {

        T run() throws X;
    }

    /** The items that a loader is called for on the present thread, innermost first. */
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
     * is renewed. An old value that stays readable is not renewed: its claim ends with the value.
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
     * Calls a loader. If the loader reads one of these items on the same thread, it would otherwise wait for itself.
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

    /** Returns whether the current thread is in the loader of this item. */
    static boolean isOwn(Place place) {
        for (Frame frame = FRAMES.get(); frame != null; frame = frame.outer) {
            if (frame.places.contains(place)) {
                return true;
            }
        }
        return false;
    }

    /** Ends the renewals; the cas unique to store by, or to give the place back by. */
    CompletableFuture<Long> stop() {
        return renewal.stop();
    }

    /**
     * Ends the load and its renewals. Callers that share the load get its outcome; null if it has failed, and then they
     * query the server again. Only the first call has an effect.
     */
    void end(@Nullable Outcome loaded) {
        RUNNING.remove(place, this);
        // Nobody may have reached stop(), for lack of memory. Then the place goes after its claimTtl.
        renewal.end();
        outcome.complete(loaded);
    }

    /** Returns whether the load has ended without a result to share. */
    boolean hasFailed() {
        return outcome.isDone() && outcome.join() == null;
    }

    /** Returns a future of the load's result, which is null if the load has failed. */
    CompletableFuture<@Nullable Outcome> outcome() {
        return outcome;
    }
}
