// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Places of threads that wait for replies while another thread, the reader, reads for all of them. One system call of
 * the reader wakes up to 32 threads; {@link java.util.concurrent.locks.LockSupport} needs one call for each thread.
 *
 * <p>Memory effects: 32 places share a number in native memory, the ticket, which each wake-up increments. A waiting
 * thread reads the ticket, announces its wait, and checks again whether it has to wait. If so, it sleeps, unless the
 * ticket has changed. A waking thread first changes what the waiting thread checks, then looks for waiting threads, and
 * then increments the ticket. Therefore the waiting thread sees that it need not wait, or the waking thread wakes it.
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
    private final FutexWaiter[] places = new FutexWaiter[WORDS * BITS];
    private final AtomicIntegerArray taken = new AtomicIntegerArray(WORDS);

    /** Used only by the reader. */
    private final int[] due = new int[WORDS];

    /** Used only by the timer. */
    private long lastTickNanos = System.nanoTime();

    public FutexWaiters() {
        for (int i = 0; i < places.length; i++) {
            places[i] = new FutexWaiter(this, i / BITS, 1 << i % BITS, WORDS_BYTES + i * Futex.TIME_BYTES);
        }
    }

    /** Returns a place for the calling thread; null if the thread is virtual, or no place is free. */
    public @Nullable FutexWaiter take() {
        if (VirtualThreads.isCurrent()) {
            return null;
        }
        for (int word = 0; word < WORDS; word++) {
            int ticket = (int) TICKETS.getVolatile(memory, word * Integer.BYTES);
            int free = ~taken.get(word);
            while (free != 0) {
                int bit = Integer.lowestOneBit(free);
                if (taken.compareAndSet(word, ~free, ~free | bit)) {
                    FutexWaiter place = place(word, bit);
                    place.ticket = ticket;
                    place.thread = Thread.currentThread();
                    return place;
                }
                free = ~taken.get(word);
            }
        }
        return null;
    }

    private FutexWaiter place(int word, int bits) {
        return places[word * BITS + Integer.numberOfTrailingZeros(bits)];
    }

    void release(FutexWaiter place) {
        // Only this thread clears its bit, so the subtraction changes no other bit.
        taken.addAndGet(place.word, -place.bit);
    }

    void await(FutexWaiter place, boolean precise) {
        long endAddress = 0;
        if (precise) {
            // The kernel rejects negative times. Time 0 has passed too.
            long nanos = Math.max(0, place.deadlineNanos);
            memory.putLong(place.end, nanos / NANOS_A_SECOND);
            memory.putLong(place.end + Long.BYTES, nanos % NANOS_A_SECOND);
            endAddress = address + place.end;
        }
        try {
            Futex.await(addressOf(place.word), place.ticket, place.bit, endAddress);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    private long addressOf(int word) {
        return address + (long) word * Integer.BYTES;
    }

    void wake(FutexWaiter place, boolean batched) {
        if (batched) {
            due[place.word] |= place.bit;
        } else {
            wake(place.word, place.bit);
        }
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

    /** Wakes interrupted threads, and threads whose deadline has passed. Checks only once in 40 ms. */
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
            FutexWaiter place = place(word, bits);
            Thread thread = place.thread;
            if (thread != null && (place.deadlineNanos - nowNanos <= 0 || thread.isInterrupted())) {
                found |= place.bit;
            }
        }
        return found;
    }
}
