// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.Backoff;
import java.util.concurrent.TimeUnit;

/**
 * How many sockets a connection may open: {@value #BURST} at once, then one for each pace. So whatever a server does,
 * it gets on average less than one a second from each connection.
 *
 * <p>An attempt to connect begins while there is at least one left. It may then take more than are left, as the
 * several sockets of a protocol's detection do. The next attempt waits until those are made up for. The debt is
 * limited, because a name with many addresses would otherwise keep the connection away for minutes.
 *
 * <p>The pace is 1.25 s, or the back-off's limit where that is shorter. So a minute has the burst, 48 sockets at the
 * pace, and what the last attempt takes on credit: 60 where a detection takes five.
 *
 * <p>Threading: thread-safe. The two halves of an {@link AutoConnection} share one.
 */
final class SocketBudget {

    static final int BURST = 8;

    /** How many sockets may be taken that are not there. */
    static final int MAX_DEBT = 20;

    private static final long LONGEST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_250);

    private final long paceNanos;
    private final long createdNanos;

    /** When, after creation, the sockets taken so far are made up for. Guarded by this. */
    private long paidNanos;

    /** A full budget for connections that wait by {@code backoff}. */
    SocketBudget(Backoff backoff, long nowNanos) {
        paceNanos = Math.min(LONGEST_PACE_NANOS, backoff.limit().toNanos());
        createdNanos = nowNanos;
        paidNanos = -BURST * paceNanos;
    }

    /** How long it takes until there is one more socket. */
    long paceNanos() {
        return paceNanos;
    }

    /** Takes one socket, which need not be there. */
    synchronized void take(long nowNanos) {
        long now = nowNanos - createdNanos;
        long full = now - BURST * paceNanos;
        paidNanos = Math.min(Math.max(paidNanos, full) + paceNanos, now + MAX_DEBT * paceNanos);
    }

    /** How long to wait until there is a socket; 0 if there is one. */
    synchronized long waitNanos(long nowNanos) {
        return Math.max(0, paidNanos + paceNanos - (nowNanos - createdNanos));
    }
}
