// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

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

public final class LinkFailure {

    private static final String CLASSIC =
            "; if this server is not memcached 1.6.10 or later, set protocol(Protocol.CLASSIC)";
    private static final String NO_SETTING =
            "; protocol CLASSIC is already in use, so no setting helps: avoid the command that got this reply";
    private static final String BEHIND_PROXY = "; if the server is a proxy, query the servers behind it";
    private static final String STILL_CONNECTING =
            "still connecting; connectEagerly() or awaitReady(...) connects before the first command";

    private LinkFailure() {}

    public static boolean fail(Exchange<?> exchange, Throwable cause) {
        if (exchange.isOver()) {
            return false;
        }
        try {
            return exchange.fail(lost(exchange, cause));
        } catch (Error e) {
            // The exchange has to end even without memory for an exception, because it may be withdrawn now.
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

    static void failAll(ExchangeQueue queue, Throwable cause, Link.Listener listener) {
        queue.forEach(exchange -> {
            if (!fail(exchange, cause)) {
                // An Error may have kept the thread that ended it from waking the caller.
                exchange.wake();
            }
        });
        List<Exchange<?>> withFutures = new ArrayList<>();
        queue.forEach(exchange -> {
            exchange.release();
            // A sender that queued its exchange after the first loop ends the exchange itself.
            if (exchange.isOver() && exchange.hasFuture()) {
                withFutures.add(exchange);
            }
        });
        listener.failed(withFutures);
    }

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
            return exchange.fail(e);
        }
    }

    /** Returns whether the calling thread must complete the future, because no other thread was assigned. */
    public static boolean failDue(Exchange<?> exchange) {
        // Even if it has ended, because an Error may have kept the ending thread from waking the caller.
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
            // A timeout of zero leaves the server no time to reply.
            Link sentOn = exchange.link();
            if (sentOn != null && snapshot != null && !snapshot.blamesReader() && timeoutNanos > 0) {
                sentOn.timedOut(exchange, System.nanoTime() - timeoutNanos, message);
            }
        }
        return failed;
    }

    public static void refuseOverload(Exchange<?> exchange, String limit) {
        exchange.fail(new MemcachedOverloadException(limit, exchange.commandContext(Phase.QUEUED), null));
    }

    /** Returns a description, never empty, without the context of the failed command. */
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
