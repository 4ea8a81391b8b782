// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Budget of sockets that a client may open to a server, for all connections and probes. Threading: thread-safe.
 *
 * <p>The budget has one socket for each connection and {@value #SPARE} more, so that all connections can open at once.
 * One socket is added after each interval, the pace. The pace is 1.25 s, or the back-off's limit divided by the number
 * of connections, whichever is shorter. An attempt may take sockets that are missing, up to {@value #MAX_DEBT} or one
 * for each connection; the next attempt waits for them.
 */
final class SocketBudget {

    static final int SPARE = 7;
    static final int MAX_DEBT = 20;

    private static final long LONGEST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_250);

    private final long limitNanos;

    // All fields below are guarded by this object.

    private int connections = 1;

    /** Time from which all sockets of the budget are left, unless further sockets are taken before. */
    private long fullNanos;

    SocketBudget(Duration longestDelay, long nowNanos) {
        limitNanos = longestDelay.toNanos();
        fullNanos = nowNanos;
    }

    /** Returns the time after which an open link counts as one that has served. */
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
