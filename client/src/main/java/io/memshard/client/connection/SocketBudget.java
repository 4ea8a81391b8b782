// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.Backoff;
import java.util.concurrent.TimeUnit;

/**
 * How many sockets may be opened to a server: a burst at once, then one for each pace. All connections to the server
 * share it, and so do its probes. So whatever a server does, it gets few sockets from each client.
 *
 * <p>The burst is one for each connection and {@value #SPARE} more, so that the first opening of all holds nothing up,
 * and neither does the loss of all. The pace is 1.25 s. It is shorter where the back-off's limit, shared out over the
 * connections, is shorter: each connection can have one attempt within that limit. So a server that is back has all its
 * connections soon, however many they are.
 *
 * <p>An attempt to connect begins while there is at least one left. It may then take more than are left, as the
 * several sockets of a protocol's detection do. The next attempt waits until those are made up for. The debt is
 * limited, because a name with many addresses would otherwise keep the connections away for minutes.
 *
 * <p>So a minute has the burst, 48 sockets at the pace of 1.25 s, and what the last attempt takes on credit: 60 where
 * one connection's detection takes five.
 *
 * <p>Threading: thread-safe.
 */
final class SocketBudget {

    /** How many sockets there are at first, beyond one for each connection. */
    static final int SPARE = 7;

    /** How many sockets may be taken that are not there, or as many as there are connections. */
    static final int MAX_DEBT = 20;

    /** One socket, but for what sums of fractions are off by. */
    private static final double WHOLE = 1 - 1e-6;

    private static final long LONGEST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_250);

    private final long limitNanos;

    // Guarded by this, all of the following.

    private int connections = 1;

    /** How many there were at {@link #nanos}; negative for a debt. */
    private double left = burst(1);

    private long nanos;

    /** A full budget for one connection that waits by {@code backoff}. */
    SocketBudget(Backoff backoff, long nowNanos) {
        limitNanos = backoff.limit().toNanos();
        nanos = nowNanos;
    }

    /** How many sockets so many connections may open at once. */
    static int burst(int connections) {
        return connections + SPARE;
    }

    /** How long it takes until so many connections have one more socket. */
    static long paceNanos(int connections, long limitNanos) {
        return Math.max(1, Math.min(LONGEST_PACE_NANOS, limitNanos / connections));
    }

    /** How long a link has to be there to count as one that works. */
    long servedNanos() {
        return Math.min(LONGEST_PACE_NANOS, limitNanos);
    }

    /** So many connections share it from now on, at least one. What becomes of the burst, becomes of what is left. */
    synchronized void share(int newConnections, long nowNanos) {
        refill(nowNanos);
        left += burst(newConnections) - burst(connections);
        connections = newConnections;
    }

    /** Takes one socket, which need not be there. */
    synchronized void take(long nowNanos) {
        refill(nowNanos);
        left = Math.max(left - 1, -Math.max(MAX_DEBT, connections));
    }

    /** How long to wait until there is a socket; 0 if there is one. */
    synchronized long waitNanos(long nowNanos) {
        refill(nowNanos);
        return left >= WHOLE ? 0 : (long) Math.ceil((1 - left) * paceNanos(connections, limitNanos));
    }

    /** Guarded by this. */
    private void refill(long nowNanos) {
        long passed = nowNanos - nanos;
        if (passed > 0) {
            left = Math.min(burst(connections), left + (double) passed / paceNanos(connections, limitNanos));
            nanos = nowNanos;
        }
    }
}
