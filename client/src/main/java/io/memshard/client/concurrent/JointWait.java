// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Wait of one caller for several replies. Only the last reply or the first failure wakes the caller. Threading:
 * confined to the caller, except for {@link #end}, {@link #isLeft} and {@link #sleeper}.
 *
 * <p>Memory effects: the caller writes {@link #sleeper}, and then reads {@link #failed} and {@link #left} before it
 * sleeps. A thread that ends a command writes {@code failed} and {@code left}, and then reads {@code sleeper}. At least
 * one of the two threads therefore sees the other's write.
 */
public final class JointWait {

    private final Thread caller = Thread.currentThread();
    private final AtomicInteger left = new AtomicInteger();

    /** Caller's thread, or the {@link FutexWaiters.Place} where it sleeps; null if the caller does not wait. */
    private volatile @Nullable Object sleeper;

    private volatile boolean failed;
    private long beginNanos;
    private long waitedNanos;

    /** Object through which the caller reads replies; null if other threads read them. */
    private @Nullable Object source;

    private boolean isEmpty = true;
    private boolean isDivided;
    private boolean isComplete;

    public void add(@Nullable Object readFrom) {
        isDivided |= !isEmpty && source != readFrom;
        source = readFrom;
        isEmpty = false;
        left.incrementAndGet();
    }

    public void divide() {
        isDivided = true;
    }

    /** Sets whether all replies were added; until then, the caller waits for replies one by one. */
    public void setComplete(boolean complete) {
        isComplete = complete;
    }

    public boolean begin() {
        beginNanos = System.nanoTime();
        boolean begins = isComplete && !isDivided && !failed;
        sleeper = begins ? caller : null;
        return begins;
    }

    public boolean stop() {
        sleeper = null;
        waitedNanos += System.nanoTime() - beginNanos;
        return left.get() > 0;
    }

    public long waitedNanos() {
        return waitedNanos;
    }

    public void end(boolean hasFailed, boolean batched) {
        if (hasFailed) {
            failed = true;
        }
        boolean isLast = left.decrementAndGet() == 0;
        if ((isLast || failed) && Thread.currentThread() != caller) {
            FutexWaiters.Place.wake(sleeper, batched);
        }
    }

    public boolean isLeft() {
        return sleeper != null && !failed && left.get() > 0;
    }

    public void sleepAt(FutexWaiters.@Nullable Place where) {
        sleeper = where == null ? caller : where;
    }

    public @Nullable Object sleeper() {
        return sleeper;
    }
}
