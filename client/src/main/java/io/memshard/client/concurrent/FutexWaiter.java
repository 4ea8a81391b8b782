// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Place where one thread waits among {@link FutexWaiters}, from {@link FutexWaiters#take} until {@link #release}.
 * Threading: this thread calls {@link #await} and {@link #release}; any thread may call the other methods. The class
 * has no static state, so that no wake-up fails because memory is insufficient to initialize it.
 */
public final class FutexWaiter {

    final FutexWaiters all;
    final int word;
    final int bit;
    final int end;

    /** Value of the word before the thread took the place. Used only by this thread. */
    int ticket;

    /** Null if no thread has the place. Other threads see the thread once it has announced its wait. */
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

    /** Wakes a thread or the thread at a place. Requires a later {@link FutexWaiters#wakeAll} if {@code batched}. */
    public static void wake(@Nullable Object sleeper, boolean batched) {
        if (sleeper instanceof Thread thread) {
            LockSupport.unpark(thread);
        } else if (sleeper instanceof FutexWaiter place) {
            place.all.wake(place, batched);
        }
    }

    /**
     * Returns immediately if the thread was woken since it took the place. May return spuriously. The next {@link
     * FutexWaiters#tick} ends the wait after an interrupt, and after the deadline unless the wait is {@code precise}. A
     * precise wait costs more.
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
