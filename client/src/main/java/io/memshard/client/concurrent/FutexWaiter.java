// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Place of one waiting thread among {@link FutexWaiters}. The thread takes the place before it waits, and releases the
 * place afterwards. Threading: {@link #await} and {@link #release} belong to this thread. Any thread may call the other
 * methods. There is no static state, so that a wake-up never fails for lack of memory to initialize the class.
 */
public final class FutexWaiter {

    final FutexWaiters all;
    final int word;
    final int bit;

    /** Offset, in native memory, of the deadline of a precise wait. */
    final int end;

    /** Ticket of the word, read before the thread took the place. Belongs to the thread. */
    int ticket;

    /** Thread that has the place. Other threads see it once the thread has declared that it waits here. */
    @Nullable
    Thread thread;

    /** Time of {@link System#nanoTime()} when the wait ends. Written by the waiting thread. */
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

    /**
     * Wakes {@code sleeper}: a thread, or the thread that has the place if {@code sleeper} is a place. Ignores any
     * other object. If {@code batched}, the calling thread calls {@link FutexWaiters#wakeAll} afterwards.
     */
    public static void wake(@Nullable Object sleeper, boolean batched) {
        if (sleeper instanceof Thread thread) {
            LockSupport.unpark(thread);
        } else if (sleeper instanceof FutexWaiter place) {
            place.all.wake(place, batched);
        }
    }

    /**
     * Waits until the thread is woken, or the deadline has passed. May return spuriously. Returns at once if this
     * thread, or another thread that shares its word, was woken after this thread took the place. An interrupt ends the
     * wait at the next {@link FutexWaiters#tick}. The deadline does the same, unless the wait is {@code precise}, which
     * costs more.
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
