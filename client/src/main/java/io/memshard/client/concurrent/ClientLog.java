// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logger that writes on one thread of the JVM, so that a slow disk blocks no caller. Threading: thread-safe. */
public final class ClientLog {

    static final int MAX_WAITING = 1_000;

    private static final ThreadPoolExecutor WRITER = DaemonThread.single("memshard-log", MAX_WAITING, 1);
    private static final AtomicInteger LOST = new AtomicInteger();

    private final Logger log;

    public ClientLog(Logger log) {
        this.log = log;
    }

    public static ClientLog of(Class<?> name) {
        return new ClientLog(LoggerFactory.getLogger(name));
    }

    public void error(String format, @Nullable Object... arguments) {
        if (log.isErrorEnabled()) {
            later(() -> log.error(format, arguments));
        }
    }

    public void warn(String format, @Nullable Object... arguments) {
        if (log.isWarnEnabled()) {
            later(() -> log.warn(format, arguments));
        }
    }

    public void info(String format, @Nullable Object... arguments) {
        if (log.isInfoEnabled()) {
            later(() -> log.info(format, arguments));
        }
    }

    public void debug(String format, @Nullable Object... arguments) {
        if (log.isDebugEnabled()) {
            later(() -> log.debug(format, arguments));
        }
    }

    private void later(Runnable line) {
        try {
            WRITER.execute(() -> write(line));
        } catch (RejectedExecutionException e) {
            LOST.incrementAndGet();
        } catch (Throwable e) {
            // No thread can start now. The line stays queued, and the next line tries again to start a thread.
        }
    }

    private void write(Runnable line) {
        try {
            int lost = LOST.getAndSet(0);
            if (lost > 0) {
                log.warn("{} log lines of Memshard were lost, because logging blocked or was slow", lost);
            }
            line.run();
        } catch (Throwable e) {
            // The failure of the log cannot be logged.
        }
    }

    public static void awaitWritten(long deadlineNanos) {
        if (WRITER.getPoolSize() == 0) {
            return;
        }
        CountDownLatch written = new CountDownLatch(1);
        try {
            WRITER.execute(written::countDown);
            written.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException e) {
            // Logging blocks, so the queue is full.
        }
    }
}
