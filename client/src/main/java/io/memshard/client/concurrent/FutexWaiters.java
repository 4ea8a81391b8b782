// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for replies which one other thread reads at a time. The reader wakes those of a batch with one
 * system call for up to 32 of them, where {@link LockSupport} takes one for each.
 *
 * <p>Each waiting thread has a bit of a word in native memory. The value of a word is a ticket, which a wake-up
 * increments. A thread reads the ticket, declares for others that it waits here, and checks once more why it waits.
 * Then it sleeps, unless the ticket has changed. A thread that wakes it changes the reason first, then looks who waits,
 * and then increments the ticket. So either the one sees the new reason, or the other wakes it.
 *
 * <p>Threading: batched wake-ups and {@link #wakeAll} belong to the reader. Any thread may call other methods.
 */
public final class FutexWaiters {

    /** Number of words; 0 if the system call cannot be used. */
    private static final int WORDS = Futex.isAvailable() ? 16 : 0;

    private static final int BITS = Integer.SIZE;
    private static final VarHandle TICKETS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final ByteBuffer tickets = ByteBuffer.allocateDirect(WORDS * Integer.BYTES);
    private final long address = WORDS == 0 ? 0 : Futex.address(tickets);

    private final Waiter[] waiters = new Waiter[WORDS * BITS];

    /** Bits of the waiters that a thread has. */
    private final AtomicIntegerArray taken = new AtomicIntegerArray(WORDS);

    /** Bits of the waiters that {@link #wakeAll} is going to wake. Belongs to the reader. */
    private final int[] due = new int[WORDS];

    /** Creates an instance without waiting threads. It has no places if the system call cannot be used. */
    public FutexWaiters() {
        for (int i = 0; i < waiters.length; i++) {
            waiters[i] = new Waiter(i / BITS, 1 << i % BITS);
        }
    }

    /** Returns the thread that {@code sleeper} is, or whose place it is; null for another object. */
    public static @Nullable Thread thread(@Nullable Object sleeper) {
        return sleeper instanceof Waiter waiter ? waiter.thread : sleeper instanceof Thread thread ? thread : null;
    }

    /**
     * Wakes a sleeping thread. Does nothing for another object than such a thread or its place.
     *
     * @param batched whether the reader calls this, and calls {@link #wakeAll} afterwards
     */
    public static void wake(@Nullable Object sleeper, boolean batched) {
        if (sleeper instanceof Thread thread) {
            LockSupport.unpark(thread);
        } else if (sleeper instanceof Waiter waiter) {
            waiter.wake(batched);
        }
    }

    /** Returns a place for the calling thread; null if the thread is virtual, or no place is free. */
    public @Nullable Waiter take() {
        if (VirtualThreads.isCurrent()) {
            return null;
        }
        for (int word = 0; word < WORDS; word++) {
            int free = ~taken.get(word);
            while (free != 0) {
                int bit = Integer.lowestOneBit(free);
                if (taken.compareAndSet(word, ~free, ~free | bit)) {
                    return take(word, bit);
                }
                free = ~taken.get(word);
            }
        }
        return null;
    }

    private Waiter take(int word, int bit) {
        Waiter waiter = waiter(word, bit);
        waiter.thread = Thread.currentThread();
        waiter.ticket = (int) TICKETS.getVolatile(tickets, word * Integer.BYTES);
        return waiter;
    }

    private Waiter waiter(int word, int bit) {
        return waiters[word * BITS + Integer.numberOfTrailingZeros(bit)];
    }

    /** Wakes the threads whose wake-ups were batched. For the reader. */
    public void wakeAll() {
        for (int word = 0; word < WORDS; word++) {
            int bits = due[word];
            if (bits != 0) {
                due[word] = 0;
                wake(word, bits);
            }
        }
    }

    /**
     * Wakes every thread that has a place, so that it looks again why it waits. Called by the timer, because an
     * interrupt does not end a wait here, and an {@link Error} may have stopped a thread that was to wake others.
     */
    public void wakeEvery() {
        for (int word = 0; word < WORDS; word++) {
            int bits = taken.get(word);
            if (bits != 0) {
                wake(word, bits);
            }
        }
    }

    private long addressOf(int word) {
        return address + (long) word * Integer.BYTES;
    }

    private void wake(int word, int bits) {
        TICKETS.getAndAdd(tickets, word * Integer.BYTES, 1);
        try {
            Futex.wake(addressOf(word), bits);
        } finally {
            Reference.reachabilityFence(tickets);
        }
    }

    /** Place of one waiting thread, which takes it before it waits, and releases it afterwards. */
    public final class Waiter {

        private final int word;
        private final int bit;

        /** Ticket at the time when the thread took the place. Belongs to the thread. */
        private int ticket;

        /** Thread that has, or had, the place. Others see it once the thread has declared that it waits here. */
        private @Nullable Thread thread;

        private Waiter(int word, int bit) {
            this.word = word;
            this.bit = bit;
        }

        /**
         * Waits until the thread is woken. May return for no reason, and does so if the thread, or another one with the
         * same word, was woken since it took the place.
         */
        public void await() {
            try {
                Futex.await(addressOf(word), ticket, bit);
            } finally {
                Reference.reachabilityFence(tickets);
            }
        }

        /** Releases the place. */
        public void release() {
            taken.getAndAccumulate(word, bit, (bits, released) -> bits & ~released);
        }

        private void wake(boolean batched) {
            if (batched) {
                due[word] |= bit;
            } else {
                FutexWaiters.this.wake(word, bit);
            }
        }
    }
}
