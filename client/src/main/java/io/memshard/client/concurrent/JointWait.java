// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Wait of one caller for several replies at once. The caller is woken only by the last reply or the first failure.
 * Threading: belongs to the thread that creates it, apart from {@link #end}, {@link #isLeft} and {@link #sleeper}.
 *
 * <p>Memory effects: the caller writes {@link #sleeper}, and then reads {@link #failed} and {@link #left} before it
 * sleeps. A thread that ends a reply writes {@code failed} and {@code left}, and then reads {@code sleeper}. At least
 * one of the two threads therefore sees the other's write.
 */
public final class JointWait {

    private final Thread caller = Thread.currentThread();

    private final AtomicInteger left = new AtomicInteger();

    /** Thread of the caller, or the {@link FutexWaiter} where it sleeps, while it waits for all replies; else null. */
    private volatile @Nullable Object sleeper;

    /** True once a reply has failed. The caller then awaits the replies one by one, to handle the failure at once. */
    private volatile boolean failed;

    private long beginNanos;
    private long waitedNanos;

    /** Object that the caller has to read from; null if other threads read, or if there is no reply yet. */
    private @Nullable Object source;

    private boolean isEmpty = true;
    private boolean isDivided;
    private boolean isComplete;

    public JointWait() {}

    /** Adds a reply that has not ended. The caller reads it from {@code readFrom}; null if another thread reads it. */
    public void add(@Nullable Object readFrom) {
        isDivided |= !isEmpty && source != readFrom;
        source = readFrom;
        isEmpty = false;
        left.incrementAndGet();
    }

    /** Makes the caller await the replies one by one, because one of them cannot be awaited jointly. */
    public void divide() {
        isDivided = true;
    }

    /** Sets whether all replies were added. Until then the caller awaits replies one by one. */
    public void setComplete(boolean complete) {
        isComplete = complete;
    }

    /** Begins the wait. Returns false if the replies have to be awaited one by one. */
    public boolean begin() {
        beginNanos = System.nanoTime();
        boolean begins = isComplete && !isDivided && !failed;
        sleeper = begins ? caller : null;
        return begins;
    }

    /** Stops the wait. Returns whether some replies have not ended. */
    public boolean stop() {
        sleeper = null;
        waitedNanos += System.nanoTime() - beginNanos;
        return left.get() > 0;
    }

    public long waitedNanos() {
        return waitedNanos;
    }

    /** Records that a reply has ended. Wakes the caller after the last reply or a failure. */
    public void end(boolean hasFailed, boolean batched) {
        if (hasFailed) {
            failed = true;
        }
        boolean isLast = left.decrementAndGet() == 0;
        if ((isLast || failed) && Thread.currentThread() != caller) {
            FutexWaiter.wake(sleeper, batched);
        }
    }

    /** Returns whether the caller still has to wait: no reply has failed, and at least one has not ended. */
    public boolean isLeft() {
        return sleeper != null && !failed && left.get() > 0;
    }

    /** Sets the place where the caller sleeps while it waits for all replies; null if the caller parks. */
    public void sleepAt(@Nullable FutexWaiter where) {
        sleeper = where == null ? caller : where;
    }

    /** Returns the caller's thread, or the {@link FutexWaiter} where it sleeps; null if the caller does not wait. */
    public @Nullable Object sleeper() {
        return sleeper;
    }
}
