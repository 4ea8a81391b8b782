// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Thread that reads and writes for a {@link LinkReader} while no caller does. Threading: thread-safe.
 *
 * <p>No wake-up is lost when the stand-by ends. A thread that needs the stand-by first changes {@code reading} or
 * {@code unwritten}, and then reads {@link #thread}. A stand-by without work clears {@code thread}, and then checks
 * both fields. All three are volatile. Therefore the stand-by finds the work, or the other thread finds {@code thread}
 * cleared and starts another stand-by.
 */
final class Standby {

    private static final ClientLog LOG = ClientLog.of(Link.class);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ThreadFactory threads;
    private final LinkReader reader;

    /** Null if no stand-by runs. Written under the monitor of this object. */
    private volatile @Nullable Thread thread;

    Standby(ThreadFactory threads, LinkReader reader) {
        this.threads = threads;
        this.reader = reader;
    }

    boolean exists() {
        return thread != null;
    }

    boolean isDead() {
        Thread there = thread;
        return there != null && !there.isAlive() && there == thread;
    }

    /** Returns false if no thread can start; the timer then does the work. */
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
                LOG.debug("the thread memshard-standby cannot start, so the timer thread reads replies instead", e);
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
            long rest = IDLE_NANOS - (System.nanoTime() - idleSince);
            if (rest > 0 && !reader.isClosed()) {
                LockSupport.parkNanos(this, rest);
            }
            retired = rest <= 0 && hasRetired();
        }
    }

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
