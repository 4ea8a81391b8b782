// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Budget of sockets that may be opened to a server: a number at once, the burst, and then one socket per interval, the
 * pace. All connections to the server and its probes share the budget. Each client therefore opens few sockets to a
 * server, regardless of the server's behavior. Threading: thread-safe.
 *
 * <p>The burst is one socket for each connection and {@value #SPARE} more, so that all connections can be opened at
 * once. The pace is 1.25 s, or the back-off's limit divided by the number of connections, whichever is shorter. Each
 * connection can thus have one attempt within the back-off's limit.
 *
 * <p>An attempt to connect begins if at least one socket is left, and may take further sockets on credit. The next
 * attempt waits until the debt is repaid. The debt is limited, because a name with many addresses would otherwise delay
 * the connections for minutes.
 */
final class SocketBudget {

    static final int SPARE = 7;

    /** Maximum number of sockets taken on credit, or the number of connections if that is larger. */
    static final int MAX_DEBT = 20;

    /** One socket, minus the rounding error of sums of fractions. */
    private static final double WHOLE = 1 - 1e-6;

    private static final long LONGEST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_250);

    private final long limitNanos;

    // All fields below are guarded by this object.

    private int connections = 1;

    /** Number of sockets left at {@link #nanos}; negative for a debt. */
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

    /** Shares the budget among {@code newConnections}. The number of sockets left changes as much as the burst. */
    synchronized void share(int newConnections, long nowNanos) {
        refill(nowNanos);
        left += burst(newConnections) - burst(connections);
        connections = newConnections;
    }

    synchronized void take(long nowNanos) {
        refill(nowNanos);
        left = Math.max(left - 1, -Math.max(MAX_DEBT, connections));
    }

    /** Returns the wait until a socket is left, in nanoseconds; 0 if one is left now. */
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
