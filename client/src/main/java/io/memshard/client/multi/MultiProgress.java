// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.multi;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a {@link MultiOperation}: which part goes next, over which connection, and what happens to it.
 *
 * <p>Each connection has a few parts in flight at a time. So an operation of any size leaves room for other callers,
 * and does not reach the in-flight limit by itself. A part that was not sent goes again. If the connection was full, it
 * goes after another part is over; if the connection was lost, it goes over another one. It fails if that is not
 * possible.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <P> a part
 * @param <T> the result of a part's command
 * @param <R> the result
 */
final class MultiProgress<P, T, R> {

    /**
     * Parts in flight on a connection. They keep the server at work while replies are on their way. They are few enough
     * that another caller's command waits for less than a thousand keys.
     */
    static final int MAX_PARTS_IN_FLIGHT = 8;

    private final MultiOperation<P, T, R> operation;
    private final Deque<P> waiting;
    private final List<Route> routes = new ArrayList<>();
    private int inFlight;

    /** A connection, and how many parts this operation has in flight on it. */
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

    /** A part and the connection that it goes over. */
    static final class Sending<P> {

        private final P part;
        private final Route route;

        private Sending(P part, Route route) {
            this.part = part;
            this.route = route;
        }

        CommandSender sender() {
            return route.sender;
        }
    }

    /** None of the parts is sent yet. */
    MultiProgress(MultiOperation<P, T, R> operation, CommandSender sender) {
        this.operation = operation;
        this.waiting = new ArrayDeque<>(operation.parts());
        sender.spread().forEach(each -> routes.add(new Route(each)));
    }

    /** The next part to send, which then counts as in flight; null while there is no room or no part. */
    @Nullable
    Sending<P> next() {
        if (waiting.isEmpty()) {
            return null;
        }
        Route freest = routes.get(0);
        for (Route route : routes) {
            if (route.room() > freest.room()) {
                freest = route;
            }
        }
        if (freest.room() <= 0 && inFlight > 0) {
            return null;
        }
        freest.inFlight++;
        inFlight++;
        return new Sending<>(waiting.remove(), freest);
    }

    /** The command of a part. */
    Command<T> command(Sending<P> sending) {
        return operation.command(sending.part);
    }

    /** Whether one part is left to send, and none is in flight. */
    boolean isLast() {
        return waiting.size() == 1 && inFlight == 0;
    }

    /** Whether no part is left to send or in flight. */
    boolean isOver() {
        return waiting.isEmpty() && inFlight == 0;
    }

    /** Takes in the reply to a part. */
    void takeAnswer(Sending<P> sending, Command<T> command, T answer) {
        release(sending.route);
        P again = operation.takeAnswer(
                sending.part, answer, key -> sending.route.sender.context(command.verb(), key, Phase.REPLIED));
        if (again != null) {
            waiting.addFirst(again);
        }
    }

    /** Takes in the failure of a part. */
    void takeFailure(Sending<P> sending, MemcachedException failure) {
        release(sending.route);
        if (goesAgain(sending.route, failure)) {
            waiting.addFirst(sending.part);
        } else {
            operation.takeFailure(sending.part, failure);
        }
    }

    private void release(Route route) {
        route.inFlight--;
        inFlight--;
    }

    private boolean goesAgain(Route route, MemcachedException failure) {
        if (failure instanceof MemcachedOverloadException) {
            // Without a part in flight, no end would make room.
            boolean again = inFlight > 0;
            if (again) {
                route.maxInFlight = route.inFlight;
            }
            return again;
        }
        return failure instanceof MemcachedConnectionException && isGivenUp(route) && failure.isSafeToRetry();
    }

    /** Gives a lost connection up, unless there is no other. Returns whether it is given up. */
    private boolean isGivenUp(Route lost) {
        if (routes.size() > 1) {
            routes.remove(lost);
        }
        return !routes.contains(lost);
    }

    /** What happened to each key, when {@link #isOver()}. */
    R result() {
        return operation.result();
    }
}
