// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedAuthenticationException;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.listener.ConnectionState;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * State of a connection. Threading: immutable.
 *
 * <pre>
 * name          link  a command            until
 * NEW           -     starts an attempt    the first command: CONNECTING
 * CONNECTING    -     is queued            the attempt ends: READY or RECONNECTING
 * READY         -     is queued            earlier commands have moved to the link, or the link is lost
 * READY         link  is sent on the link  the link is lost: CONNECTING or RECONNECTING
 * RECONNECTING  -     fails                an attempt succeeds: READY
 * CLOSED        -     fails                -
 * </pre>
 *
 * <p>A connection may drain in any state: it then refuses new commands, and completes those sent or queued before.
 * Tests assert that each state is in this table.
 *
 * @param isLost whether a link was lost, and the first attempt to replace it still runs
 */
record State(
        ConnectionState name,
        @Nullable Link link,
        @Nullable Throwable failure,
        long nextAttemptNanos,
        boolean isLost,
        boolean isDraining) {

    static final State CREATED = new State(ConnectionState.NEW, null, null, 0, false, false);

    private static final long NAMED_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    State {
        assert link == null || (name == ConnectionState.READY && !isDraining && failure == null) : name;
        assert name != ConnectionState.RECONNECTING || failure != null : "no reason to wait";
        assert name == ConnectionState.RECONNECTING || !isLost : name;
    }

    State connecting() {
        return new State(ConnectionState.CONNECTING, null, failure, System.nanoTime(), false, isDraining);
    }

    State moving() {
        return new State(ConnectionState.READY, null, failure, System.nanoTime(), false, isDraining);
    }

    State opened(Link opened) {
        return new State(ConnectionState.READY, isDraining ? null : opened, null, 0, false, isDraining);
    }

    State reconnecting(Throwable why, long atNanos, boolean lost) {
        return new State(ConnectionState.RECONNECTING, null, why, atNanos, lost, isDraining);
    }

    State draining() {
        return new State(name, null, failure, nextAttemptNanos, isLost, true);
    }

    State closed() {
        return new State(ConnectionState.CLOSED, null, failure, 0, false, isDraining);
    }

    boolean is(ConnectionState other) {
        return name == other;
    }

    boolean queues(boolean isRetry) {
        boolean isOpening = name == ConnectionState.CONNECTING || name == ConnectionState.READY;
        return !isDraining && link == null && (isOpening || (isRetry && isLost));
    }

    MemcachedConnectionException failureOf(Exchange<?> exchange) {
        CommandContext failed = exchange.commandContext(exchange.endingPhase());
        if (failure == null || name == ConnectionState.CLOSED) {
            return new MemcachedConnectionException("the connection was closed by this client", failed, failure);
        }
        String why = LinkFailure.describe(failure) + nextAttemptIn(nextAttemptNanos - System.nanoTime());
        if (failure instanceof Handshake.AuthenticationRefusedException) {
            return new MemcachedAuthenticationException(why, failed, failure);
        }
        return new MemcachedConnectionException(why, failed, failure);
    }

    static String nextAttemptIn(long nanos) {
        return nanos < NAMED_WAIT_NANOS ? "" : String.format(Locale.ROOT, ", next attempt in %.1f s", nanos / 1e9);
    }
}
