package io.memshard.client;

import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Connection;
import io.memshard.client.exception.CommandContext;
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
 * How far a bulk operation has come: which part goes next, over which connection, and what becomes of it.
 *
 * <p>Each connection has a few parts in flight at a time, so that a bulk of any size leaves room for other callers
 * and does not run into the in-flight limit by itself. A part that was refused unsent goes again: where the
 * connection was full, after another part is over; where it was lost, over another connection. It fails where
 * that is no help.
 *
 * <p>Threading: confined to one thread at a time.
 *
 * @param <P> a part
 * @param <C> the command of a part
 * @param <R> the result
 */
final class BulkProgress<P, C extends Command<?>, R> {

    /**
     * Parts in flight on a connection. Enough that the server has work while replies are on their way; so few that
     * another caller's command waits behind less than a thousand keys.
     */
    static final int MAX_PARTS_IN_FLIGHT = 8;

    private final BulkOperation<P, C, R> operation;
    private final Deque<P> waiting;
    private final List<Lane> lanes = new ArrayList<>();
    private int inFlight;

    /** A connection and what this bulk has on it. */
    private static final class Lane {

        private final CommandSender sender;
        private int inFlight;
        private int maxInFlight = MAX_PARTS_IN_FLIGHT;

        Lane(CommandSender sender) {
            this.sender = sender;
        }

        int room() {
            return maxInFlight - inFlight;
        }
    }

    /** A part and the connection it goes over. */
    static final class Departure<P> {

        private final P part;
        private final Lane lane;

        private Departure(P part, Lane lane) {
            this.part = part;
            this.lane = lane;
        }

        CommandSender sender() {
            return lane.sender;
        }
    }

    /** None of the parts is sent yet. */
    BulkProgress(BulkOperation<P, C, R> operation, CommandSender sender) {
        this.operation = operation;
        this.waiting = new ArrayDeque<>(operation.parts());
        sender.spread().forEach(each -> lanes.add(new Lane(each)));
    }

    /** The next part to be sent, which then counts as in flight; null while there is no room, or no part. */
    @Nullable
    Departure<P> next() {
        if (waiting.isEmpty()) {
            return null;
        }
        Lane freest = lanes.get(0);
        for (Lane lane : lanes) {
            if (lane.room() > freest.room()) {
                freest = lane;
            }
        }
        if (freest.room() <= 0 && inFlight > 0) {
            return null;
        }
        freest.inFlight++;
        inFlight++;
        return new Departure<>(waiting.remove(), freest);
    }

    /** The command of a part. */
    C command(Departure<P> departure) {
        return operation.command(departure.part);
    }

    /** Whether a part is to be sent that is the only one. */
    boolean isLast() {
        return waiting.size() == 1 && inFlight == 0;
    }

    /** Whether no part is to be sent or in flight. */
    boolean isOver() {
        return waiting.isEmpty() && inFlight == 0;
    }

    /** Takes in the reply to a part. */
    void answered(Departure<P> departure, C command) {
        arrived(departure.lane);
        P again = operation.answered(departure.part, command, key -> context(departure.lane, command.verb(), key));
        if (again != null) {
            waiting.addFirst(again);
        }
    }

    /** Takes in that a part has failed. */
    void failed(Departure<P> departure, MemcachedException failure) {
        arrived(departure.lane);
        if (goesAgain(departure.lane, failure)) {
            waiting.addFirst(departure.part);
        } else {
            operation.failed(departure.part, failure);
        }
    }

    private void arrived(Lane lane) {
        lane.inFlight--;
        inFlight--;
    }

    private boolean goesAgain(Lane lane, MemcachedException failure) {
        if (failure instanceof MemcachedOverloadException) {
            // With no part in flight there is none whose end would make room.
            boolean again = inFlight > 0;
            if (again) {
                lane.maxInFlight = lane.inFlight;
            }
            return again;
        }
        return failure instanceof MemcachedConnectionException && isGivenUp(lane) && failure.isSafeToRetry();
    }

    /** Sends nothing more over a connection that was lost, unless there is no other; whether that is so. */
    private boolean isGivenUp(Lane lost) {
        if (lanes.size() > 1) {
            lanes.remove(lost);
        }
        return !lanes.contains(lost);
    }

    private static CommandContext context(Lane lane, String verb, String key) {
        return lane.sender instanceof Connection connection
                ? new CommandContext(connection.server().toString(), connection.index(), verb, key, Phase.REPLIED)
                : new CommandContext(lane.sender.toString(), 0, verb, key, Phase.REPLIED);
    }

    /** What became of each key, once {@link #isOver()}. */
    R result() {
        return operation.result();
    }
}
