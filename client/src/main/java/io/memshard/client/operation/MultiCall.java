// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.KeysCommand;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Rerouting;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One call of multi-get, multi-set or multi-delete. The call is split into parts, and each part is sent as one command.
 * The outcomes of the parts form one result for all keys. {@link BlockingMulti} and {@link AsyncMulti} send the
 * commands.
 *
 * <p>At most {@value #MAX_PARTS_IN_FLIGHT} commands of a call are in flight on each connection. So a call of any size
 * does not reach the in-flight limit by itself, and other callers wait less.
 *
 * <p>If a part was not sent and its keys now belong to other servers, it is split again and sent to them. If the
 * connection had reached its in-flight limit, the part is sent after another command of the call has ended. If the
 * connection was lost before the part was sent, the part is sent over another connection. Otherwise the part fails.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <P> a part: the keys of one command, with the values to store
 * @param <T> the result of a part's command
 * @param <R> the result of the call
 */
abstract class MultiCall<P, T, R> {

    /**
     * Maximum number of commands of a call in flight on a connection: enough to keep the server busy while replies are
     * in transit. Another caller's command waits for at most 800 keys of the call.
     */
    static final int MAX_PARTS_IN_FLIGHT = 8;

    /**
     * Maximum size of a command in bytes, unless its first item alone is larger. The limit is well below the 64 KiB of
     * a connection's buffers, so that one write sends the command.
     */
    static final int MAX_BYTES = 32 * 1024;

    /**
     * Maximum length of a request line. Some services refuse lines of 16 KiB; some versions of memcached refuse lines
     * of 64 KiB.
     */
    static final int MAX_LINE_BYTES = 15_000;

    private final Map<CommandSender, Target<P>> targets = new LinkedHashMap<>();

    /** Servers for which parts wait, in the order in which {@link #next} takes them. */
    private final Deque<Target<P>> turns = new ArrayDeque<>();

    private int inFlight;

    abstract String name();

    abstract int keyCount();

    /** Returns all legal keys, in parts that are not split by server. */
    abstract List<P> unsplit();

    /** Splits a part by the senders that serve its keys now. */
    abstract Map<CommandSender, List<P>> split(P part, CommandSender sender);

    abstract Command<T> command(P part);

    /**
     * Records the result of a part. Returns a new part with the keys that need another command; null if there are none.
     * {@code contexts} returns the context for the failure of a key.
     */
    @Nullable
    abstract P take(P part, T answer, Function<String, CommandContext> contexts);

    /** Records the failure of a part as the failure of each of its keys. */
    abstract void take(P part, MemcachedException failure);

    /** Returns the phase of the failure if the part is not sent, or not sent again. */
    Phase phaseUnsent(P part) {
        return Phase.QUEUED;
    }

    /** Returns the outcome of each key. Requires {@link #isOver}. */
    abstract R result();

    final R run(Calls calls, long timeoutNanos) {
        return calls.call(
                name(), null, keyCount(), () -> new BlockingMulti<>(this, calls, calls.nanos(timeoutNanos)).run());
    }

    final CompletableFuture<R> start(Calls calls, Duration timeout) {
        return calls.start(name(), null, keyCount(), () -> new AsyncMulti<>(this, calls, calls.time(timeout)).start());
    }

    /**
     * Groups items by server, and cuts each group into parts of at most {@code maxBytes}. {@code bytes} returns the
     * approximate length of an item's request.
     */
    static <I, P> Map<CommandSender, List<P>> split(
            CommandSender sender,
            List<I> items,
            Function<I, String> key,
            ToIntFunction<I> bytes,
            int maxBytes,
            Function<List<I>, P> part) {
        if (items.isEmpty()) {
            return Map.of();
        }
        Map<CommandSender, List<P>> parts = new LinkedHashMap<>();
        sender.byServer(items, key).forEach((server, group) -> parts.put(server, cut(group, bytes, maxBytes, part)));
        return parts;
    }

    static <I, P> List<P> cut(List<I> all, ToIntFunction<I> bytes, int maxBytes, Function<List<I>, P> part) {
        List<P> parts = new ArrayList<>();
        int from = 0;
        long length = 0;
        for (int at = 0; at < all.size(); at++) {
            int more = bytes.applyAsInt(all.get(at));
            if (at > from && (at - from == KeysCommand.MAX_KEYS || length + more > maxBytes)) {
                parts.add(part.apply(all.subList(from, at)));
                from = at;
                length = 0;
            }
            length += more;
        }
        if (from < all.size()) {
            parts.add(part.apply(all.subList(from, all.size())));
        }
        return parts;
    }

    /** Queues all parts. Called once, before any other method below. */
    final void begin(CommandSender sender, SendMode mode) {
        for (P part : unsplit()) {
            queue(split(part, sender), sender, mode);
        }
    }

    private void queue(Map<CommandSender, List<P>> parts, CommandSender sender, SendMode mode) {
        parts.forEach((server, ofServer) -> {
            Target<P> target = targets.computeIfAbsent(server, any -> new Target<>(any, sender, mode));
            addTurn(target);
            target.waiting.addAll(ofServer);
        });
    }

    private void queueFirst(Target<P> target, P part) {
        addTurn(target);
        target.waiting.addFirst(part);
    }

    /** Adds a target to {@link #turns}, unless parts wait for it already. Call this method before adding a part. */
    private void addTurn(Target<P> target) {
        if (target.waiting.isEmpty()) {
            turns.add(target);
        }
    }

    /** Returns the next part to send, and counts it as in flight; returns null if no part can be sent now. */
    final @Nullable Sending<P, T> next() {
        for (int left = turns.size(); left > 0; left--) {
            Target<P> target = turns.remove();
            Route freest = target.freest();
            P part = target.hasRoom(freest) ? target.waiting.remove() : null;
            if (!target.waiting.isEmpty()) {
                turns.add(target);
            }
            if (part != null) {
                freest.inFlight++;
                target.inFlight++;
                inFlight++;
                return new Sending<>(part, command(part), target, freest);
            }
        }
        return null;
    }

    final CommandContext contextUnsent(Sending<P, T> sending) {
        return sending.context(null, phaseUnsent(sending.part));
    }

    final boolean isLast() {
        return turns.size() == 1 && turns.element().waiting.size() == 1 && inFlight == 0;
    }

    final boolean isSent() {
        return turns.isEmpty();
    }

    final boolean isOver() {
        return turns.isEmpty() && inFlight == 0;
    }

    final void takeAnswer(Sending<P, T> sending, T answer) {
        release(sending);
        P again = take(sending.part, answer, key -> sending.context(key, Phase.REPLIED));
        if (again != null) {
            queueFirst(sending.target, again);
        }
    }

    final void takeFailure(Sending<P, T> sending, MemcachedException failure) {
        release(sending);
        Target<P> target = sending.target;
        Map<CommandSender, List<P>> elsewhere =
                Rerouting.elsewhere(failure, target.server, () -> split(sending.part, target.sender));
        if (!elsewhere.isEmpty()) {
            queue(elsewhere, target.sender, target.mode);
        } else if (isSentAgain(sending, failure)) {
            queueFirst(target, sending.part);
        } else {
            take(sending.part, failure);
        }
    }

    private void release(Sending<P, T> sending) {
        sending.route.inFlight--;
        sending.target.inFlight--;
        inFlight--;
    }

    private boolean isSentAgain(Sending<P, T> sending, MemcachedException failure) {
        Route route = sending.route;
        if (failure instanceof MemcachedOverloadException) {
            // If no other part is in flight, nothing would cause the next try.
            boolean again = sending.target.inFlight > 0;
            if (again) {
                route.maxInFlight = route.inFlight;
            }
            return again;
        }
        return failure instanceof MemcachedConnectionException
                && sending.target.removes(route)
                && failure.isSafeToRetry();
    }

    static final class Sending<P, T> {

        private final P part;
        private final Command<T> command;
        private final Target<P> target;
        private final Route route;

        private Sending(P part, Command<T> command, Target<P> target, Route route) {
            this.part = part;
            this.command = command;
            this.target = target;
            this.route = route;
        }

        Command<T> command() {
            return command;
        }

        CommandSender sender() {
            return route.sender;
        }

        private CommandContext context(@Nullable String key, Phase phase) {
            return route.sender.context(command.verb(), key, phase);
        }
    }

    private static final class Target<P> {

        private final CommandSender server;

        private final CommandSender sender;

        private final SendMode mode;
        private final Deque<P> waiting = new ArrayDeque<>();
        private final List<Route> routes = new ArrayList<>(1);

        /** Connections that the call has not used yet. */
        private final Iterator<CommandSender> unused;

        private int inFlight;

        Target(CommandSender server, CommandSender sender, SendMode mode) {
            this.server = server;
            this.sender = sender;
            this.mode = mode;
            unused = server.spread(mode).iterator();
            routes.add(new Route(unused.next()));
        }

        /**
         * Returns the connection that can take the most further parts. If no connection in use is idle, returns an
         * unused one.
         */
        Route freest() {
            Route freest = routes.get(0);
            for (Route route : routes) {
                if (route.room() > freest.room()) {
                    freest = route;
                }
            }
            return freest.room() < MAX_PARTS_IN_FLIGHT && unused.hasNext() ? nextRoute() : freest;
        }

        private Route nextRoute() {
            Route next = new Route(unused.next());
            routes.add(next);
            return next;
        }

        boolean hasRoom(Route freest) {
            return freest.room() > 0 || inFlight == 0;
        }

        /** Removes a lost connection, unless it is the only one. Returns whether it was removed. */
        boolean removes(Route lost) {
            if (unused.hasNext()) {
                nextRoute();
            }
            if (routes.size() > 1) {
                routes.remove(lost);
            }
            return !routes.contains(lost);
        }
    }

    private static final class Route {

        private final CommandSender sender;
        private int inFlight;
        private int maxInFlight = MAX_PARTS_IN_FLIGHT;

        Route(CommandSender sender) {
            this.sender = sender;
        }

        int room() {
            return maxInFlight - inFlight;
        }
    }
}
