// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.MalformedReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The failures that links end commands with: the same words whatever the transport.
 *
 * <p>What fails a command leaves its future to {@link Exchange#completeFuture}.
 */
public final class LinkFailure {

    private LinkFailure() {}

    /** Fails {@code exchange}, whose link has failed of {@code cause}; false if it has ended already. */
    public static boolean fail(Exchange<?> exchange, Throwable cause) {
        if (exchange.isOver()) {
            return false;
        }
        try {
            return exchange.fail(lost(exchange, cause));
        } catch (Error e) {
            // It may be withdrawn by now, and so has to end, even where there is no memory for a failure.
            return exchange.fail(e);
        }
    }

    private static MemcachedException lost(Exchange<?> exchange, Throwable cause) {
        CommandContext context = exchange.commandContext(exchange.endingPhase());
        return cause instanceof MalformedReplyException
                ? new MemcachedProtocolException(
                        "connection closed after a reply that cannot be trusted (" + cause.getMessage() + ")",
                        context,
                        cause)
                : new MemcachedConnectionException("connection lost (" + describe(cause) + ")", context, cause);
    }

    /**
     * Fails everything in the queue of a failed link, first for the threads that wait, then for futures. Any thread may
     * call this. A thread that is not the queue's reader can miss exchanges that the reader is removing, so the reader
     * calls it again when it stops.
     */
    static void failAll(ExchangeQueue queue, Throwable cause, Link.Listener listener) {
        queue.forEach(exchange -> {
            if (!fail(exchange, cause)) {
                // An Error may have met the thread that ended it before it could wake the caller.
                exchange.wake();
            }
        });
        List<Exchange<?>> withFutures = new ArrayList<>();
        queue.forEach(exchange -> {
            exchange.release();
            if (exchange.hasFuture()) {
                withFutures.add(exchange);
            }
        });
        listener.failed(withFutures);
    }

    /**
     * Fails {@code exchange}, whose time is over; false if it has ended already.
     *
     * @param givenNanos the time that the caller gave it; negative if nothing was left of a time it shares
     */
    public static boolean failTimedOut(Exchange<?> exchange, long givenNanos) {
        if (exchange.isOver()) {
            return false;
        }
        try {
            return failTimedOut(exchange, Math.max(0, givenNanos), exchange.snapshot());
        } catch (Error e) {
            // As in fail.
            return exchange.fail(e);
        }
    }

    private static boolean failTimedOut(Exchange<?> exchange, long timeoutNanos, @Nullable LinkSnapshot snapshot) {
        CommandContext context = exchange.commandContext(exchange.endingPhase());
        String message = "no reply within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms, "
                + (snapshot == null ? "still connecting" : snapshot);
        boolean failed = exchange.fail(new MemcachedTimeoutException(message, context, null));
        if (failed) {
            exchange.release();
            TimeoutEvent.record(context, timeoutNanos, snapshot);
            // Nothing of a time that is shared may have been left for it.
            if (snapshot != null && !snapshot.blamesThisProcess() && timeoutNanos > 0) {
                exchange.tellTimeout(System.nanoTime() - timeoutNanos, message);
            }
        }
        return failed;
    }

    /**
     * Fails {@code exchange}, for which there is no room.
     *
     * @param limit the limit that is reached, and what to do about that
     */
    public static void refuseOverload(Exchange<?> exchange, String limit) {
        CommandContext context = exchange.commandContext(Phase.QUEUED);
        exchange.fail(new MemcachedOverloadException(limit, context, null));
        OverloadEvent.record(context, exchange.context.options().maxInFlight(), limit);
    }

    /**
     * A cause in words, also where its message is empty. Without the context of a command, because what quotes it has
     * its own.
     */
    public static String describe(Throwable cause) {
        if (cause instanceof Error) {
            return cause.toString();
        }
        String message = cause.getMessage();
        if (message != null && cause instanceof MemcachedException failed && failed.context() != null) {
            return message.substring(0, message.length() - (": " + failed.context()).length());
        }
        return message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message;
    }
}
