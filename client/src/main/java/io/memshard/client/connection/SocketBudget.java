// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Budget of sockets that a client may open to a server. All connections to the server and its probes share the budget,
 * so that each client opens few sockets regardless of the server's behavior. Threading: thread-safe.
 *
 * <p>The budget begins with the burst: one socket for each connection and {@value #SPARE} more, so that all connections
 * can open at once. At each interval, the pace, one socket is added. The pace is 1.25 s, or the back-off's limit
 * divided by the number of connections, whichever is shorter. Each connection can thus have one attempt within the
 * back-off's limit.
 *
 * <p>An attempt to connect begins if at least one socket is left, and may take more sockets than are left. The next
 * attempt then waits until the missing sockets were added. Their number is limited, because a name with many addresses
 * would otherwise delay the connections for minutes.
 */
final class SocketBudget {

    static final int SPARE = 7;

    /** Maximum number of missing sockets, or the number of connections if that is larger. */
    static final int MAX_DEBT = 20;

    /** One socket, minus the rounding error of sums. */
    private static final double WHOLE = 1 - 1e-6;

    private static final long LONGEST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_250);

    private final long limitNanos;

    // All fields below are guarded by this object.

    private int connections = 1;

    /** Number of sockets left at {@link #nanos}; negative if sockets are missing. */
    private double left = burst(1);

    private long nanos;

    SocketBudget(Duration longestDelay, long nowNanos) {
        limitNanos = longestDelay.toNanos();
        nanos = nowNanos;
    }

    static int burst(int connections) {
        return connections + SPARE;
    }

    static long paceNanos(int connections, long limitNanos) {
        return Math.max(1, Math.min(LONGEST_PACE_NANOS, limitNanos / connections));
    }

    /** Returns the time after which an open link counts as one that has served. */
    long servedNanos() {
        return Math.min(LONGEST_PACE_NANOS, limitNanos);
    }

    /** Shares the budget among {@code newConnections}. The number of sockets left changes by as much as the burst. */
    synchronized void share(int newConnections, long nowNanos) {
        refill(nowNanos);
        left += burst(newConnections) - burst(connections);
        connections = newConnections;
    }

    synchronized void take(long nowNanos) {
        refill(nowNanos);
        left = Math.max(left - 1, -Math.max(MAX_DEBT, connections));
    }

    synchronized long waitNanos(long nowNanos) {
        refill(nowNanos);
        return left >= WHOLE ? 0 : (long) Math.ceil((1 - left) * paceNanos(connections, limitNanos));
    }

    private void refill(long nowNanos) {
        long passed = nowNanos - nanos;
        if (passed > 0) {
            left = Math.min(burst(connections), left + (double) passed / paceNanos(connections, limitNanos));
            nanos = nowNanos;
        }
    }
}
