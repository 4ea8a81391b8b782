// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Rate limit for the sockets that a client opens to a server, for all connections and probes. Threading: thread-safe.
 *
 * <p>At first the client may open one socket for each connection and {@value #SPARE} more at once. After that, one
 * socket is allowed every 1.25 s. With many connections the interval is shorter, so that each of them may open a socket
 * within the longest reconnect delay.
 */
final class SocketBudget {

    static final int SPARE = 7;
    static final int MAX_DEBT = 20;

    private static final long LONGEST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_250);

    private final long limitNanos;

    // All fields below are guarded by this object.

    private int connections = 1;

    /** Time at which the initial number of sockets is available again. */
    private long fullNanos;

    SocketBudget(Duration longestDelay, long nowNanos) {
        limitNanos = longestDelay.toNanos();
        fullNanos = nowNanos;
    }

    long servedNanos() {
        return Math.min(LONGEST_PACE_NANOS, limitNanos);
    }

    private long paceNanos() {
        return Math.max(1, Math.min(LONGEST_PACE_NANOS, limitNanos / connections));
    }

    synchronized void share(int newConnections) {
        connections = newConnections;
    }

    synchronized void take(long nowNanos) {
        long most = (connections + SPARE + Math.max(MAX_DEBT, connections)) * paceNanos();
        long missing = Math.max(0, fullNanos - nowNanos);
        fullNanos = nowNanos + Math.min(most, missing + paceNanos());
    }

    synchronized long waitNanos(long nowNanos) {
        return Math.max(0, fullNanos - nowNanos - (connections + SPARE - 1) * paceNanos());
    }
}
