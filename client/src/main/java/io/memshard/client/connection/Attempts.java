// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.link.Link;
import io.memshard.client.options.Backoff;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * When a connection tries to connect again: after the {@link Backoff}'s wait, and not before its {@link SocketBudget}
 * has a socket.
 *
 * <p>Failures are counted until a link has served. A server that answers the greeting and then closes is a server that
 * fails, and so waits grow as they do for one that refuses. A link has served if it has answered something since its
 * greeting, or if it has been there for 1.25 s, or for the back-off's limit if that is shorter.
 *
 * <p>Threading: confined to the connection's lock, but for the budget.
 */
final class Attempts {

    private final Backoff backoff;
    private final SocketBudget budget;
    private final RandomGenerator random;

    /** Failures in a row: attempts, and links that were lost before they had served. */
    private int failures;

    private long readyNanos;

    /** How many commands the link had completed when it became ready. */
    private long greetings;

    Attempts(Backoff backoff, SocketBudget budget, RandomGenerator random) {
        this.backoff = backoff;
        this.budget = budget;
        this.random = random;
    }

    /** A link was opened and has been greeted; nothing else was sent on it. */
    void linkReady(Link link, long nowNanos) {
        readyNanos = nowNanos;
        greetings = link.completed();
    }

    /** Whether the last link that became ready is one that callers had something from. */
    boolean hasServed(Link link, long nowNanos) {
        return link.completed() > greetings || nowNanos - readyNanos >= budget.servedNanos();
    }

    /** Forgets the failures before a link that has served; to be called before the wait is asked for. */
    void linkLost(Link link, long nowNanos) {
        if (hasServed(link, nowNanos)) {
            failures = 0;
        }
    }

    /** Failures in a row until now. */
    int failures() {
        return failures;
    }

    /** Whether there is a socket for an attempt at once. */
    boolean mayStart(long nowNanos) {
        return budget.waitNanos(nowNanos) == 0;
    }

    /** Counts a failure and returns how long to wait before the next attempt. */
    long delayNanos(@Nullable Throwable cause, long nowNanos) {
        long delay = cause instanceof AuthenticationRefusedException
                ? backoff.slowDelayNanos(random)
                : backoff.delayNanos(failures, random);
        failures++;
        return Math.max(delay, budget.waitNanos(nowNanos));
    }
}
