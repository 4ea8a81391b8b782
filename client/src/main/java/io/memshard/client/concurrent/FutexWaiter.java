// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Place at which one thread waits, from {@link FutexWaiters#take} until {@link #release}. Threading: the waiting thread
 * calls {@link #await} and {@link #release}; any thread may call the other methods. The class has no static
 * initializer, which could fail for lack of memory and so prevent a wake-up.
 */
public final class FutexWaiter {

    final FutexWaiters all;
    final int word;
    final int bit;
    final int end;

    /** Value of the ticket (see {@link FutexWaiters}) when the thread took the place. Used only by this thread. */
    int ticket;

    /** Null if the place is free. Other threads see the thread once it has announced its wait. */
    @Nullable
    Thread thread;

    /** Written by the waiting thread. */
    volatile long deadlineNanos;

    FutexWaiter(FutexWaiters all, int word, int bit, int end) {
        this.all = all;
        this.word = word;
        this.bit = bit;
        this.end = end;
    }

    public @Nullable Thread thread() {
        return thread;
    }

    /** Wakes a thread. If {@code batched}, {@link FutexWaiters#wakeAll} wakes it, unless it is parked. */
    public static void wake(@Nullable Object sleeper, boolean batched) {
        if (sleeper instanceof Thread thread) {
            LockSupport.unpark(thread);
        } else if (sleeper instanceof FutexWaiter place) {
            place.all.wake(place, batched);
        }
    }

    /**
     * Waits for a wake-up, which may have come since the thread took the place. May return spuriously. After an
     * interrupt or the deadline, the next {@link FutexWaiters#tick} ends the wait. A {@code precise} wait ends at the
     * deadline itself, but costs more.
     */
    public void await(long deadline, boolean precise) {
        deadlineNanos = deadline;
        all.await(this, precise);
    }

    public void release() {
        thread = null;
        all.release(this);
    }
}
