// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes all connections of a client may have in flight together. Each takes from it in steps; see {@link
 * InFlight}.
 *
 * <p>Threading: thread-safe.
 */
public final class ByteBudget {

    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    /** A budget of {@code limit} bytes, nothing of which is taken. */
    public ByteBudget(long limit) {
        this.limit = limit;
    }

    /** How many bytes there are in all. */
    long limit() {
        return limit;
    }

    /** How many bytes are taken. */
    public long taken() {
        return taken.get();
    }

    /** Takes so many bytes, or, if there are fewer left, none and returns false. */
    boolean tryTake(long bytes) {
        if (taken.addAndGet(bytes) <= limit) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    /** Takes so many bytes, which are in use already, or gives back {@code -bytes}. */
    void take(long bytes) {
        taken.addAndGet(bytes);
    }
}
