// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Thread that reads and writes for a {@link LinkReader} while no caller does, by {@link LinkReader#helps}. It starts on
 * demand, and ends after five seconds without work.
 *
 * <h2>Why no wake-up is lost when the stand-by ends</h2>
 *
 * <p>A thread that wakes the stand-by writes an offer, {@code reading} or {@code unwritten}, and then reads {@link
 * #thread}. A stand-by that ends for lack of work clears {@code thread}, and then checks each of these. All are
 * volatile. If the waking thread still found this stand-by, the stand-by checks later and finds the work. Otherwise the
 * waking thread starts another stand-by. Work found by both is done once, because {@code reading} is set by
 * compare-and-set, and a queue returns each element once.
 *
 * <p>Threading: thread-safe.
 */
final class Standby {

    private static final ClientLog LOG = ClientLog.of(Link.class);

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ThreadFactory threads;
    private final LinkReader reader;

    /** Running stand-by. Written under the monitor of this object, by the starting thread and by the stand-by. */
    private volatile @Nullable Thread thread;

    Standby(ThreadFactory threads, LinkReader reader) {
        this.threads = threads;
        this.reader = reader;
    }

    boolean exists() {
        return thread != null;
    }

    /** Returns whether an {@link Error} has ended the thread. */
    boolean isDead() {
        Thread there = thread;
        return there != null && !there.isAlive() && there == thread;
    }

    /** Wakes or starts the thread. Returns false if it cannot start; the timer then does the work. */
    boolean wake() {
        Thread there = thread;
        Thread woken = there == null ? start() : there;
        LockSupport.unpark(woken);
        return woken != null;
    }

    void wakeIfThere() {
        LockSupport.unpark(thread);
    }

    private synchronized @Nullable Thread start() {
        if (thread == null) {
            try {
                Thread started = threads.newThread(this::run);
                started.start();
                thread = started;
            } catch (Throwable e) {
                LOG.debug("no stand-by thread can be started", e);
            }
        }
        return thread;
    }

    private void run() {
        try {
            helpUntilIdle();
        } catch (Throwable e) {
            reader.fail(e);
        }
    }

    private void helpUntilIdle() {
        boolean retired = false;
        for (long idleSince = System.nanoTime(); !reader.isClosed() && !retired; ) {
            idleSince = reader.helps() ? System.nanoTime() : idleSince;
            // Either this thread has handed the reader's role over, perhaps to itself, or another thread reads and will
            // hand it over. The thread that gets the role is unparked, so that one attempt is enough.
            long rest = IDLE_NANOS - (System.nanoTime() - idleSince);
            if (rest > 0 && !reader.isClosed()) {
                LockSupport.parkNanos(this, rest);
            }
            retired = rest <= 0 && hasRetired();
        }
    }

    /** Clears {@link #thread}. Returns false if work was left, and this thread is the stand-by again. */
    private boolean hasRetired() {
        synchronized (this) {
            thread = null;
        }
        if (!reader.helps()) {
            return true;
        }
        synchronized (this) {
            thread = thread == null ? Thread.currentThread() : thread;
            return thread != Thread.currentThread();
        }
    }

    void awaitEnd(long deadlineNanos) {
        Thread there = thread;
        if (there != null && there != Thread.currentThread()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(there, deadlineNanos - System.nanoTime());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
