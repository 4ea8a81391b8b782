// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedServerFullException;
import io.memshard.client.exception.Phase;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.ServerFullException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.protocol.wire.NoClassicFormException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * State of a connection. It decides where commands go, and has the reason why there is no link.
 *
 * <pre>
 * name          link  movingTo  a command            until
 * NEW           -     -         starts an attempt    the first command: CONNECTING
 * CONNECTING    -     -         is queued            the attempt ends: moving, or RECONNECTING
 * READY         -     moving    is queued            the queue is empty, or the link is lost
 * READY         ready -         is sent on the link  the link is lost: CONNECTING or RECONNECTING
 * RECONNECTING  -     -         fails                an attempt succeeds: moving
 * CLOSED        -     -         fails                -
 * </pre>
 *
 * <p>A connection that drains, in any of these states, shows no link and refuses commands. Commands that were sent or
 * queued before continue.
 *
 * <p>Threading: immutable. The connection replaces its state as a whole, under its lock. Senders read the state without
 * the lock.
 *
 * @param movingTo the link that queued commands are being moved to, before senders see it
 * @param nextAttemptNanos the time of the next attempt to connect, if there is a failure
 * @param isLost whether a link was lost, and the first attempt to replace it has not ended
 * @param isServersFault whether the failure counts against the server
 * @param speaksClassic whether the last link spoke classic text, or the next link is going to
 */
record State(
        ConnectionState name,
        @Nullable Link link,
        @Nullable Link movingTo,
        @Nullable Throwable failure,
        long nextAttemptNanos,
        boolean isLost,
        boolean isServersFault,
        boolean speaksClassic,
        boolean isDraining) {

    private static final long NAMED_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    static State created(boolean speaksClassic) {
        return new State(ConnectionState.NEW, null, null, null, 0, false, false, speaksClassic, false);
    }

    State connecting() {
        return withoutLink(ConnectionState.CONNECTING);
    }

    State closed() {
        return withoutLink(ConnectionState.CLOSED);
    }

    private State withoutLink(ConnectionState next) {
        return new State(next, null, null, failure, nextAttemptNanos, false, false, speaksClassic, isDraining);
    }

    State opened(Link opened, boolean isMoving) {
        return new State(
                ConnectionState.READY,
                isMoving || isDraining ? null : opened,
                isMoving ? opened : null,
                isMoving ? failure : null,
                nextAttemptNanos,
                false,
                false,
                opened.speaksClassic(),
                isDraining);
    }

    State reconnecting(Throwable why, long atNanos, boolean lost, boolean serversFault) {
        return new State(
                ConnectionState.RECONNECTING, null, null, why, atNanos, lost, serversFault, speaksClassic, isDraining);
    }

    State draining() {
        return new State(name, null, movingTo, failure, nextAttemptNanos, isLost, isServersFault, speaksClassic, true);
    }

    boolean is(ConnectionState other) {
        return name == other;
    }

    boolean queues() {
        return !isDraining && (name == ConnectionState.CONNECTING || movingTo != null);
    }

    /** Returns whether the second attempt of a command waits for the link that replaces a lost one. */
    boolean queuesAgain() {
        // A link that is not alive is lost, although its loss was not reported yet.
        return !isDraining && (link == null ? isLost : !link.isAlive());
    }

    MemcachedConnectionException failureOf(Exchange<?> exchange) {
        CommandContext failed = contextOf(exchange);
        if (failure == null || name == ConnectionState.CLOSED) {
            boolean isClosed = isDraining || name == ConnectionState.CLOSED;
            String why = isClosed ? "the connection was closed by this client" : "not connected";
            return new MemcachedConnectionException(why, failed, failure);
        }
        String why = LinkFailure.describe(failure) + nextAttemptIn(nextAttemptNanos - System.nanoTime());
        if (failure instanceof AuthenticationRefusedException) {
            return new MemcachedAuthenticationException(why, failed, failure);
        }
        return ServerFullException.isCauseOf(failure)
                ? new MemcachedServerFullException(why, failed, failure)
                : new MemcachedConnectionException(why, failed, failure);
    }

    private CommandContext contextOf(Exchange<?> exchange) {
        Phase phase = exchange.endingPhase();
        if (speaksClassic) {
            try {
                return exchange.context.forCommand(exchange.command.classicForm(), phase);
            } catch (NoClassicFormException e) {
                // The command exists only in the meta protocol, so its meta name is used.
            }
        }
        return exchange.commandContext(phase);
    }

    static String nextAttemptIn(long nanos) {
        return nanos < NAMED_WAIT_NANOS ? "" : String.format(Locale.ROOT, ", next attempt in %.1f s", nanos / 1e9);
    }
}
