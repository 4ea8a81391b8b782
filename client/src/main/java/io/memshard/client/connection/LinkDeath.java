package io.memshard.client.connection;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MalformedReplyException;
import java.util.ArrayList;
import java.util.List;

/** The failures that links end commands with: the same words whatever the transport. */
final class LinkDeath {

    private LinkDeath() {}

    /** What ends {@code exchange} when its link dies of {@code cause}. */
    static MemcachedException failure(Throwable cause, Exchange<?> exchange) {
        Phase phase = exchange.endingPhase();
        return cause instanceof MalformedReplyException
                ? new MemcachedProtocolException(
                        "connection closed after a reply that cannot be trusted (" + cause.getMessage() + ")",
                        exchange.context(phase),
                        cause)
                : new MemcachedConnectionException(
                        "connection lost (" + describe(cause) + ")", exchange.context(phase), cause);
    }

    /**
     * Ends all in the queue of a dead link, first for the threads that wait for them, then for futures. Any thread may
     * call this. A thread that is not the queue's reader can miss exchanges that the reader is removing, so the reader
     * calls it again when it stops.
     */
    static void endAll(ExchangeQueue queue, Throwable cause, Link.Listener listener) {
        queue.forEach(exchange -> {
            if (!end(exchange, cause)) {
                // The thread that ended it may have got no further.
                exchange.wake();
            }
        });
        List<Exchange<?>> withFutures = new ArrayList<>();
        queue.forEach(exchange -> {
            if (exchange.hasFuture()) {
                withFutures.add(exchange);
            }
        });
        listener.settled(withFutures);
    }

    /** Ends {@code exchange}, but for its future, as its link dies of {@code cause}; false if it is over already. */
    static boolean end(Exchange<?> exchange, Throwable cause) {
        if (exchange.isOver()) {
            return false;
        }
        try {
            return exchange.settle(failure(cause, exchange));
        } catch (Error e) {
            // As where there is no memory for a failure that says more.
            return exchange.settle(e);
        }
    }

    /** Settles {@code exchange}, whose link is full. */
    static void refuseOverload(Exchange<?> exchange, int maxInFlight) {
        CommandContext context = exchange.context(Phase.QUEUED);
        exchange.settle(new MemcachedOverloadException(
                "in-flight limit " + maxInFlight + " reached: raise maxInFlight or connectionsPerServer, or send less",
                context,
                null));
        OverloadEvent.record(context, maxInFlight);
    }

    /** A cause in words, also where its message is empty. */
    static String describe(Throwable cause) {
        if (cause instanceof Error) {
            return cause.toString();
        }
        String message = cause.getMessage();
        return message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
    }
}
