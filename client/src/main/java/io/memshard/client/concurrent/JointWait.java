// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wait of one caller for several replies at a time, which wakes the caller for the last reply or the first failure.
 *
 * <p>Threading: belongs to the thread that creates it, apart from {@link #end}, {@link #isLeft} and {@link
 * #waitingThread}, which any thread may call.
 *
 * <p>Memory effects: the caller writes {@link #waiting}, and then reads {@link #failed} and {@link #left} before it
 * parks. A thread that ends a reply writes these two, and then reads {@code waiting}. So one of them sees what the
 * other wrote.
 */
public final class JointWait {

    private final Thread caller = Thread.currentThread();

    /** Number of replies that have not ended. */
    private final AtomicInteger left = new AtomicInteger();

    /** True while the caller waits for all replies. */
    private volatile boolean waiting;

    /** True once a reply has failed. The others are then awaited one after the other, to act on the failure at once. */
    private volatile boolean failed;

    private long beginNanos;
    private long waitedNanos;

    /** Object that the caller has to read from; null if other threads read, or if there is no reply yet. */
    private @Nullable Object source;

    private boolean isEmpty = true;
    private boolean isDivided;
    private boolean isComplete;

    /** Creates a wait of the calling thread for no reply. */
    public JointWait() {}

    /**
     * Adds a reply that has not ended.
     *
     * @param readFrom object that the caller has to read the reply from; null if another thread reads it
     */
    public void add(@Nullable Object readFrom) {
        isDivided |= !isEmpty && source != readFrom;
        source = readFrom;
        isEmpty = false;
        left.incrementAndGet();
    }

    /** Notes that a reply has to be awaited alone. The caller then awaits each alone. */
    public void divide() {
        isDivided = true;
    }

    /** Sets whether no reply is going to be added. Until then the caller awaits each alone. */
    public void setComplete(boolean complete) {
        isComplete = complete;
    }

    /** Begins the wait. Returns false if the replies have to be awaited one after the other. */
    public boolean begin() {
        beginNanos = System.nanoTime();
        waiting = isComplete && !isDivided && !failed;
        return waiting;
    }

    /** Stops the wait. Returns whether replies are left. */
    public boolean stop() {
        waiting = false;
        waitedNanos += System.nanoTime() - beginNanos;
        return left.get() > 0;
    }

    /** Returns the time that the caller has waited for all replies until it stopped, in nanoseconds. */
    public long waitedNanos() {
        return waitedNanos;
    }

    /**
     * Counts the end of a reply. Wakes the caller after the last one, or after a failure.
     *
     * @param hasFailed whether the reply has failed
     */
    public void end(boolean hasFailed) {
        if (hasFailed) {
            failed = true;
        }
        boolean isLast = left.decrementAndGet() == 0;
        if ((isLast || failed) && waiting && Thread.currentThread() != caller) {
            LockSupport.unpark(caller);
        }
    }

    /** Returns whether the caller has to go on waiting: no reply has failed, and one has not ended. */
    public boolean isLeft() {
        return waiting && !failed && left.get() > 0;
    }

    /** Returns the caller if it waits; else null. */
    public @Nullable Thread waitingThread() {
        return waiting ? caller : null;
    }
}
