// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Places where threads wait for the reader, the thread that reads the replies. One system call wakes up to 32 threads.
 *
 * <p>Memory effects: 32 places share a number in native memory, the ticket, which each wake-up increments. A thread
 * that has to wait reads the ticket, publishes its place, and checks again whether it has to wait. It sleeps only if it
 * has to and the ticket is unchanged. A waking thread first changes what the waiting thread checks, then looks for
 * published places, and then increments the ticket. Therefore the waiting thread finds that it need not wait, or the
 * waking thread wakes it.
 *
 * <p>Threading: the reader calls {@link #wakeAll} and the timer calls {@link #tick}. Any thread may call the other
 * methods.
 */
public final class FutexWaiters {

    private static final int WORDS = Futex.isAvailable() ? 16 : 0;
    private static final int BITS = Integer.SIZE;
    private static final VarHandle TICKETS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final long NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final int WORDS_BYTES = WORDS * Integer.BYTES;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(WORDS_BYTES + WORDS * BITS * Futex.TIME_BYTES)
            .order(ByteOrder.nativeOrder());

    private final long address = WORDS == 0 ? 0 : Futex.address(memory);
    private final Place[] places = new Place[WORDS * BITS];
    private final AtomicIntegerArray taken = new AtomicIntegerArray(WORDS);

    /** Used only by the reader. */
    private final int[] due = new int[WORDS];

    private long lastTickNanos = System.nanoTime();

    public FutexWaiters() {
        for (int i = 0; i < places.length; i++) {
            places[i] = new Place(i / BITS, 1 << i % BITS, WORDS_BYTES + i * Futex.TIME_BYTES);
        }
    }

    public @Nullable Place take() {
        if (VirtualThreads.isCurrent()) {
            return null;
        }
        for (int word = 0; word < WORDS; word++) {
            int ticket = (int) TICKETS.getVolatile(memory, word * Integer.BYTES);
            int free = ~taken.get(word);
            while (free != 0) {
                int bit = Integer.lowestOneBit(free);
                if (taken.compareAndSet(word, ~free, ~free | bit)) {
                    Place place = place(word, bit);
                    place.ticket = ticket;
                    place.thread = Thread.currentThread();
                    return place;
                }
                free = ~taken.get(word);
            }
        }
        return null;
    }

    private Place place(int word, int bits) {
        return places[word * BITS + Integer.numberOfTrailingZeros(bits)];
    }

    private long addressOf(int word) {
        return address + (long) word * Integer.BYTES;
    }

    private void wake(int word, int bits) {
        TICKETS.getAndAdd(memory, word * Integer.BYTES, 1);
        try {
            Futex.wake(addressOf(word), bits);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    public void wakeAll() {
        for (int word = 0; word < WORDS; word++) {
            int bits = due[word];
            if (bits != 0) {
                due[word] = 0;
                wake(word, bits);
            }
        }
    }

    public void wakeEvery() {
        for (int word = 0; word < WORDS; word++) {
            int bits = taken.get(word);
            if (bits != 0) {
                wake(word, bits);
            }
        }
    }

    public void tick(long nowNanos) {
        if (nowNanos - lastTickNanos < TICK_NANOS) {
            return;
        }
        lastTickNanos = nowNanos;
        for (int word = 0; word < WORDS; word++) {
            int bits = dueAt(word, nowNanos);
            if (bits != 0) {
                wake(word, bits);
            }
        }
    }

    private int dueAt(int word, long nowNanos) {
        int found = 0;
        for (int bits = taken.get(word); bits != 0; bits &= bits - 1) {
            Place place = place(word, bits);
            Thread thread = place.thread;
            if (thread != null && (place.deadlineNanos - nowNanos <= 0 || thread.isInterrupted())) {
                found |= place.bit;
            }
        }
        return found;
    }

    /**
     * Place where one thread waits. Only this thread calls {@link #await} and {@link #release}. The class has no static
     * initializer, which could fail for lack of memory and so prevent a wake-up.
     */
    public final class Place {

        private final int word;
        private final int bit;
        private final int end;

        /** Used only by the waiting thread. */
        private int ticket;

        /** Null if the place is free. Made visible by the volatile write that publishes the place. */
        private @Nullable Thread thread;

        private volatile long deadlineNanos;

        private Place(int word, int bit, int end) {
            this.word = word;
            this.bit = bit;
            this.end = end;
        }

        public @Nullable Thread thread() {
            return thread;
        }

        public static void wake(@Nullable Object sleeper, boolean batched) {
            if (sleeper instanceof Thread thread) {
                LockSupport.unpark(thread);
            } else if (sleeper instanceof Place place) {
                place.wake(batched);
            }
        }

        private void wake(boolean batched) {
            if (batched) {
                due[word] |= bit;
            } else {
                FutexWaiters.this.wake(word, bit);
            }
        }

        /** May return spuriously. A wait that is not {@code precise} ends at a {@link #tick} after the deadline. */
        public void await(long deadline, boolean precise) {
            deadlineNanos = deadline;
            long endAddress = 0;
            if (precise) {
                // The kernel rejects negative times. Time 0 has passed too.
                long nanos = Math.max(0, deadline);
                memory.putLong(end, nanos / NANOS_A_SECOND);
                memory.putLong(end + Long.BYTES, nanos % NANOS_A_SECOND);
                endAddress = address + end;
            }
            try {
                Futex.await(addressOf(word), ticket, bit, endAddress);
            } finally {
                Reference.reachabilityFence(memory);
            }
        }

        public void release() {
            thread = null;
            // Only this thread clears its bit, so the subtraction changes no other bit.
            taken.addAndGet(word, -bit);
        }
    }
}
