// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Budget of bytes that all connections of a client may have in flight together. Each connection takes bytes from the
 * budget in steps; see {@link InFlight}.
 *
 * <p>Threading: thread-safe.
 */
public final class ByteBudget {

    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    /** Creates a budget of {@code limit} bytes, none of which are taken. */
    public ByteBudget(long limit) {
        this.limit = limit;
    }

    /** Returns the size of the budget in bytes. */
    long limit() {
        return limit;
    }

    /** Takes {@code bytes}. Returns false and takes none if fewer are left. */
    boolean tryTake(long bytes) {
        if (taken.addAndGet(bytes) <= limit) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    /**
     * Takes {@code bytes} even if fewer are left, because they are in use already. A negative number returns bytes to
     * the budget.
     */
    void take(long bytes) {
        taken.addAndGet(bytes);
    }
}
