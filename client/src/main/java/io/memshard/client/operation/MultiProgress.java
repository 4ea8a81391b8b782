// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.CommandSender;
import io.memshard.client.sender.Rerouting;
import io.memshard.client.sender.SendMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a {@link MultiOperation}: decides which part is sent next, to which server and over which connection, and
 * what follows from its outcome.
 *
 * <p>Servers take turns. Each connection has only a few parts in flight at a time. So an operation of any size leaves
 * room for other callers, and does not reach the in-flight limit by itself.
 *
 * <p>A part that was not sent is queued again. It goes to other servers if they have its keys now. If the connection
 * had reached its in-flight limit, the part is sent after another part has ended. If the connection was lost, the part
 * is sent over another one. Otherwise the part fails.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <P> a part
 * @param <T> the result of a part's command
 * @param <R> the result
 */
final class MultiProgress<P, T, R> {

    /**
     * Maximum number of parts in flight on a connection. It is large enough to keep the server busy while replies are
     * in transit. It is small enough that another caller's command waits for less than a thousand keys.
     */
    static final int MAX_PARTS_IN_FLIGHT = 8;

    private final MultiOperation<P, T, R> operation;
    private final CommandSender sender;
    private final SendMode mode;
    private final Map<CommandSender, Target<P>> targets = new LinkedHashMap<>();

    /** Targets with waiting parts, in the order of their turns. */
    private final Deque<Target<P>> turns = new ArrayDeque<>();

    private int inFlight;

    /** Server, with its waiting parts and its connections. */
    private static final class Target<P> {

        private final CommandSender server;
        private final Deque<P> waiting = new ArrayDeque<>();
        private final List<Route> routes = new ArrayList<>(1);

        /** Connections over which no part was sent yet. */
        private final Iterator<CommandSender> unused;

        private int inFlight;

        Target(CommandSender server, SendMode mode) {
            this.server = server;
            unused = server.spread(mode).iterator();
            routes.add(new Route(unused.next()));
        }

        /**
         * Returns the connection with room for the most parts. If no connection in use is idle, adds an unused one and
         * returns it.
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

        /** Returns whether a part may be sent over this connection, which has room for the most parts. */
        boolean hasRoom(Route freest) {
            return freest.room() > 0 || inFlight == 0;
        }

        /** Removes a lost connection, unless it is the only one. Returns whether it was removed. */
        boolean isGivenUp(Route lost) {
            if (unused.hasNext()) {
                nextRoute();
            }
            if (routes.size() > 1) {
                routes.remove(lost);
            }
            return !routes.contains(lost);
        }
    }

    /** Connection, with the number of parts that this operation has in flight on it. */
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

    /** Part, with the server and the connection that it goes to. */
    static final class Sending<P> {

        private final P part;
        private final Target<P> target;
        private final Route route;

        private Sending(P part, Target<P> target, Route route) {
            this.part = part;
            this.target = target;
            this.route = route;
        }

        CommandSender sender() {
            return route.sender;
        }
    }

    /**
     * Creates the progress of an operation of which no part is sent yet.
     *
     * @param mode mode in which the parts are sent
     */
    MultiProgress(MultiOperation<P, T, R> operation, CommandSender sender, SendMode mode) {
        this.mode = mode;
        this.operation = operation;
        this.sender = sender;
        operation.parts(sender).forEach(this::addLast);
    }

    private void addLast(CommandSender server, List<P> parts) {
        Target<P> target = targets.computeIfAbsent(server, any -> new Target<>(any, mode));
        takesTurns(target);
        target.waiting.addAll(parts);
    }

    private void addFirst(Target<P> target, P part) {
        takesTurns(target);
        target.waiting.addFirst(part);
    }

    /** Adds a target to the turns if it has no waiting parts. Called before a part is added to the target. */
    private void takesTurns(Target<P> target) {
        if (target.waiting.isEmpty()) {
            turns.add(target);
        }
    }

    /**
     * Returns the next part to send, which then counts as in flight; null if no part is left or no connection has room.
     */
    @Nullable
    Sending<P> next() {
        for (int left = turns.size(); left > 0; left--) {
            Target<P> target = turns.remove();
            Route freest = target.freest();
            boolean hasRoom = target.hasRoom(freest);
            P part = hasRoom ? target.waiting.remove() : null;
            if (!target.waiting.isEmpty()) {
                turns.add(target);
            }
            if (part != null) {
                freest.inFlight++;
                target.inFlight++;
                inFlight++;
                return new Sending<>(part, target, freest);
            }
        }
        return null;
    }

    /** Returns the command of a part. */
    Command<T> command(Sending<P> sending) {
        return operation.command(sending.part);
    }

    /** Returns the context of the failure of a part that is not sent any more. */
    CommandContext contextUnsent(Sending<P> sending, Command<T> command) {
        return sending.route.sender.context(command.verb(), null, operation.phaseUnsent(sending.part));
    }

    /** Returns whether one part is left to send and none is in flight. */
    boolean isLast() {
        return turns.size() == 1 && turns.element().waiting.size() == 1 && inFlight == 0;
    }

    /** Returns whether no part is left to send. */
    boolean isSent() {
        return turns.isEmpty();
    }

    /** Returns whether no part is left to send or in flight. */
    boolean isOver() {
        return turns.isEmpty() && inFlight == 0;
    }

    /** Processes the reply to a part. */
    void takeAnswer(Sending<P> sending, Command<T> command, T answer) {
        release(sending);
        P again = operation.takeAnswer(
                sending.part, answer, key -> sending.route.sender.context(command.verb(), key, Phase.REPLIED));
        if (again != null) {
            addFirst(sending.target, again);
        }
    }

    /** Processes the failure of a part. */
    void takeFailure(Sending<P> sending, MemcachedException failure) {
        release(sending);
        if (goesElsewhere(sending, failure)) {
            return;
        }
        if (goesAgain(sending, failure)) {
            addFirst(sending.target, sending.part);
        } else {
            operation.takeFailure(sending.part, failure);
        }
    }

    private void release(Sending<P> sending) {
        sending.route.inFlight--;
        sending.target.inFlight--;
        inFlight--;
    }

    /**
     * Queues an unsent part again for the servers that have its keys now. Returns false if the same server still has
     * them all, or if the part may have been sent.
     */
    private boolean goesElsewhere(Sending<P> sending, MemcachedException failure) {
        Map<CommandSender, List<P>> parts =
                Rerouting.elsewhere(failure, sending.target.server, () -> operation.parts(sending.part, sender));
        parts.forEach(this::addLast);
        return !parts.isEmpty();
    }

    private boolean goesAgain(Sending<P> sending, MemcachedException failure) {
        Route route = sending.route;
        if (failure instanceof MemcachedOverloadException) {
            // Without another part in flight, no end of a part would make room.
            boolean again = sending.target.inFlight > 0;
            if (again) {
                route.maxInFlight = route.inFlight;
            }
            return again;
        }
        return failure instanceof MemcachedConnectionException
                && sending.target.isGivenUp(route)
                && failure.isSafeToRetry();
    }

    /** Returns the outcome of each key, once {@link #isOver()}. */
    R result() {
        return operation.result();
    }
}
