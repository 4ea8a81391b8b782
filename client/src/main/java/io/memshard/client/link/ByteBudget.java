// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import java.util.concurrent.atomic.AtomicLong;

/** Budget of bytes in flight that all connections of a client share; see {@link InFlight}. Threading: thread-safe. */
public final class ByteBudget {

    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    public ByteBudget(long limit) {
        this.limit = limit;
    }

    long limit() {
        return limit;
    }

    /** Takes {@code bytes}. If fewer are left, takes none and returns false. */
    boolean tryTake(long bytes) {
        if (taken.addAndGet(bytes) <= limit) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    /** Takes {@code bytes} even if fewer are left; a negative number returns bytes. */
    void take(long bytes) {
        taken.addAndGet(bytes);
    }
}
