// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.Backoff;
import java.util.random.RandomGenerator;

/**
 * Schedule of a connection's attempts to connect. An attempt starts after the wait of the {@link Backoff}, and not
 * before the {@link SocketBudget} has a socket. Threading: confined to the connection's lock, except for the budget.
 *
 * <p>Failures are counted until a link has served: the server has answered a command after the handshake, or the link
 * has been open for {@link SocketBudget#servedNanos}. A server that closes links after the handshake therefore counts
 * as failing.
 */
final class Attempts {

    private final Backoff backoff;
    private final SocketBudget budget;
    private final RandomGenerator random;

    /** Number of consecutive failures: failed attempts, and links that were lost before they had served. */
    private int failures;

    private long readyNanos;

    private long greetings;

    Attempts(Backoff backoff, SocketBudget budget, RandomGenerator random) {
        this.backoff = backoff;
        this.budget = budget;
        this.random = random;
    }

    void linkReady(long completed, long nowNanos) {
        readyNanos = nowNanos;
        greetings = completed;
    }

    /** Returns whether the link has served, after {@code completed} commands. If so, resets the count of failures. */
    boolean hasServed(long completed, long nowNanos) {
        boolean served = completed > greetings || nowNanos - readyNanos >= budget.servedNanos();
        failures = served ? 0 : failures;
        return served;
    }

    int failures() {
        return failures;
    }

    boolean mayStart(long nowNanos) {
        return budget.waitNanos(nowNanos) == 0;
    }

    /** Counts a failure, and returns the wait before the next attempt, in nanoseconds. */
    long delayNanos(Throwable cause, long nowNanos) {
        long delay = cause instanceof AuthenticationRefusedException
                ? backoff.slowDelayNanos(random)
                : backoff.delayNanos(failures, random);
        failures++;
        return Math.max(delay, budget.waitNanos(nowNanos));
    }
}
