// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.ServerFullException;
import java.io.IOException;
import java.time.Duration;

/**
 * Reporter of a connection's failures, to the log and to the {@link ServerWatch}.
 *
 * <p>Threading: confined to the connection's lock, {@link Dispatcher#lock}. The timer reads {@link #isLogged} and
 * {@link #isOfServer} without the lock, and may see a change one tick late.
 */
final class ConnectionFailures {

    private final Connection connection;
    private final LinkContext context;
    private final PerServer server;

    /** True if the server is to blame for the last failure. Written under the lock. */
    private volatile boolean ofServer;

    /** True if a failure was logged, and no recovery since. Written under the lock. */
    private volatile boolean logged;

    ConnectionFailures(Connection connection, LinkContext context, PerServer server) {
        this.connection = connection;
        this.context = context;
        this.server = server;
    }

    /**
     * Logs a failure, and counts it against the server if the server is to blame.
     *
     * @param failure the failure, logged in one line
     * @param cause the failure's cause, logged with its stack trace if it is an {@link Error}
     * @param delayNanos time until the next attempt to connect
     */
    void report(Throwable failure, Throwable cause, long delayNanos) {
        logged = true;
        server.log.failed(
                connection, context, LinkFailure.describe(failure) + Dispatcher.nextAttemptIn(delayNanos), cause);
        // A server that refuses credentials, or is full and serves this client, is up. An Error is this process's
        // fault.
        boolean isUp = cause instanceof AuthenticationRefusedException
                || (ServerFullException.isCauseOf(cause) && server.isOpen());
        ofServer = cause instanceof IOException && !isUp;
        if (ofServer) {
            server.watch.failed(LinkFailure.describe(failure));
        }
    }

    boolean isLogged() {
        return logged;
    }

    boolean isOfServer() {
        return ofServer;
    }

    /** Logs that the connection works again. */
    void recovered() {
        logged = false;
        server.log.recovered(connection);
    }

    /** Stops counting the connection as failing, because this client has closed it. */
    void closed() {
        logged = false;
        server.log.closed(connection);
    }

    /** Returns the failure to report for an attempt to connect that has ended without a link. */
    Throwable ofAttempt(Throwable cause, boolean timedOut) {
        if (cause instanceof AuthenticationRefusedException) {
            return cause;
        }
        String within =
                timedOut ? " within " + context.options().connectTimeout().toMillis() + " ms" : "";
        String why = context.server() + within + ": " + LinkFailure.describe(cause);
        return new IOException(
                Handshake.wasConnected(cause)
                        ? "cannot use " + why
                        : "cannot connect to " + why + AddressResolver.cacheNote(context.server(), longestDelay()),
                cause);
    }

    private Duration longestDelay() {
        return context.options().longestReconnectDelay();
    }
}
