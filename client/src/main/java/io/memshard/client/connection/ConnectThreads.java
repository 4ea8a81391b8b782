// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.DaemonThread;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads on which attempts to connect run and block. There are at most {@value #MAX}, regardless of how many
 * connections are opened at once, and further attempts wait. Attempts after fewer failures go first, so that a server
 * that does not answer does not delay other servers.
 *
 * <p>Threading: thread-safe. Threads end when idle.
 */
final class ConnectThreads extends ThreadPoolExecutor {

    /** Maximum number of attempts in progress. */
    static final int MAX = 64;

    private final AtomicLong attempts = new AtomicLong();

    ConnectThreads(long idleSeconds) {
        super(
                MAX,
                MAX,
                idleSeconds,
                TimeUnit.SECONDS,
                new PriorityBlockingQueue<>(),
                DaemonThread.factory("memshard-connect"));
        allowCoreThreadTimeOut(true);
    }

    /**
     * Runs an attempt as soon as a thread is free.
     *
     * @param failures the number of consecutive failures before the attempt
     * @throws java.util.concurrent.RejectedExecutionException after the shutdown
     */
    Future<?> start(Runnable attempt, int failures) {
        Attempt task = new Attempt(attempt, failures, attempts.getAndIncrement());
        execute(task);
        return task;
    }

    /** Starts a thread if attempts wait, because an Error may have ended a thread. Called by the timer. */
    void tick() {
        if (!getQueue().isEmpty()) {
            prestartCoreThread();
        }
    }

    private static final class Attempt extends FutureTask<Void> implements Comparable<Attempt> {

        private final int failures;
        private final long number;

        @SuppressWarnings("NullAway") // There is no result.
        Attempt(Runnable attempt, int failures, long number) {
            super(attempt, null);
            this.failures = failures;
            this.number = number;
        }

        @Override
        public int compareTo(Attempt other) {
            int byFailures = Integer.compare(failures, other.failures);
            return byFailures != 0 ? byFailures : Long.compare(number, other.number);
        }
    }
}
