// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.FlightRecorder;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedOverloadException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.OperatorCommand;
import io.memshard.client.protocol.wire.MalformedReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Failures with which links end commands, with the same messages for all transports. Futures are left to {@link
 * Exchange#completeFuture}.
 */
public final class LinkFailure {

    private static final String CLASSIC =
            "; if this server is not memcached 1.6.10 or later, set protocol(Protocol.CLASSIC)";

    /** Advice after an untrusted reply in classic text. All commands in flight fail with it; only one got the reply. */
    private static final String NO_SETTING =
            "; protocol CLASSIC is already in use, so no setting helps: avoid the command that got this reply";

    private static final String BEHIND_PROXY = "; if the server is a proxy, query the servers behind it";

    private static final String STILL_CONNECTING =
            "still connecting; connectEagerly() or awaitReady(...) connects before the first command";

    private LinkFailure() {}

    /** Fails {@code exchange}, whose link has failed. Returns false if the exchange has already ended. */
    public static boolean fail(Exchange<?> exchange, Throwable cause) {
        if (exchange.isOver()) {
            return false;
        }
        try {
            return exchange.fail(lost(exchange, cause));
        } catch (Error e) {
            // The exchange may be withdrawn by now, and therefore has to end, even without memory for a failure.
            return exchange.fail(e);
        }
    }

    private static MemcachedException lost(Exchange<?> exchange, Throwable cause) {
        CommandContext context = exchange.commandContext(exchange.endingPhase());
        if (cause instanceof MalformedReplyException) {
            Link sentOn = exchange.link();
            String advice = sentOn == null ? "" : sentOn.speaksClassic() ? NO_SETTING : CLASSIC;
            return new MemcachedProtocolException(
                    "connection closed after a reply that cannot be trusted (" + cause.getMessage() + ")" + advice,
                    context,
                    cause);
        }
        boolean asked = exchange.command instanceof OperatorCommand<?> && context.phase() != Phase.QUEUED;
        return new MemcachedConnectionException(
                "connection lost (" + describe(cause) + ")" + (asked ? BEHIND_PROXY : ""), context, cause);
    }

    /**
     * Fails all exchanges in the queue of a failed link, and wakes waiting threads. Then has the futures completed. A
     * thread other than the reader can miss exchanges that the reader is removing, so the reader calls this method when
     * it stops.
     */
    static void failAll(ExchangeQueue queue, Throwable cause, Link.Listener listener) {
        queue.forEach(exchange -> {
            if (!fail(exchange, cause)) {
                // An Error may have stopped the thread that ended it before the caller was woken.
                exchange.wake();
            }
        });
        List<Exchange<?>> withFutures = new ArrayList<>();
        queue.forEach(exchange -> {
            exchange.release();
            // An exchange offered since the first pass has not ended: its sender finds the failure, and ends it.
            if (exchange.isOver() && exchange.hasFuture()) {
                withFutures.add(exchange);
            }
        });
        listener.failed(withFutures);
    }

    /** Fails {@code exchange} unless it has ended. {@code givenNanos} may be negative: the rest of a shared timeout. */
    public static boolean failTimedOut(Exchange<?> exchange, long givenNanos) {
        if (exchange.isOver()) {
            return false;
        }
        try {
            Link sentOn = exchange.link();
            long now = System.nanoTime();
            LinkSnapshot state = sentOn == null ? null : sentOn.snapshot(exchange, now - givenNanos, now);
            return failTimedOut(exchange, Math.max(0, givenNanos), state);
        } catch (Error e) {
            // Same as in fail.
            return exchange.fail(e);
        }
    }

    /**
     * Ends a wait whose timeout has expired: wakes the caller, or fails the command of a future. Called by the timer.
     * Returns whether a future has to be completed, perhaps with a reply whose reader is blocked.
     */
    public static boolean failDue(Exchange<?> exchange) {
        // Even if the exchange has ended: an Error may have stopped the thread that ended it before the wake-up.
        exchange.wake();
        TimedFuture<?> future = exchange.future();
        if (future == null) {
            return false;
        }
        failTimedOut(exchange, TimeUnit.MILLISECONDS.toNanos(future.timeoutMillis));
        return !future.isPassedOn;
    }

    private static boolean failTimedOut(Exchange<?> exchange, long timeoutNanos, @Nullable LinkSnapshot snapshot) {
        CommandContext context = exchange.commandContext(exchange.endingPhase());
        String message = "no reply within " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms, "
                + (snapshot == null ? STILL_CONNECTING : snapshot);
        boolean failed = exchange.fail(new MemcachedTimeoutException(message, context, null));
        if (failed) {
            exchange.release();
            if (FlightRecorder.IS_PRESENT) {
                TimeoutEvent.record(context, timeoutNanos, snapshot);
            }
            // A timeout of zero, the rest of a shared timeout, says nothing about the server.
            Link sentOn = exchange.link();
            if (sentOn != null && snapshot != null && !snapshot.blamesReader() && timeoutNanos > 0) {
                sentOn.timedOut(exchange, System.nanoTime() - timeoutNanos, message);
            }
        }
        return failed;
    }

    /** Fails {@code exchange}, which would exceed {@code limit}: the limit in words, with advice. */
    public static void refuseOverload(Exchange<?> exchange, String limit) {
        CommandContext context = exchange.commandContext(Phase.QUEUED);
        exchange.fail(new MemcachedOverloadException(limit, context, null));
        if (FlightRecorder.IS_PRESENT) {
            OverloadEvent.record(context, exchange.context.options().maxInFlight(), limit);
        }
    }

    /** Returns a cause in words, never empty, and without the context that failures of commands append. */
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
