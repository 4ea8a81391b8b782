// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of a connection that tries to connect: the attempt in progress, and the timer's task that starts the next one.
 *
 * <p>Threading: confined to the connection's lock.
 */
final class AttemptTasks {

    private final ClientThreads threads;

    /** Last attempt to connect. It is done once it has ended for any reason. */
    private @Nullable Future<?> attempt;

    /** Last task of the timer that starts an attempt. */
    private Timer.@Nullable Task retry;

    AttemptTasks(ClientThreads threads) {
        this.threads = threads;
    }

    /**
     * Starts an attempt on a separate thread.
     *
     * @param failures the number of consecutive failures before the attempt
     * @throws RejectedExecutionException if the client is closed
     */
    void start(Runnable connect, int failures) {
        attempt = threads.connect(connect, failures);
    }

    /** Schedules {@code start} on the timer after a delay, unless the client is closed. */
    void startLater(Runnable start, long delayNanos) {
        try {
            retry = threads.connectLater(start, delayNanos);
        } catch (RejectedExecutionException e) {
            // The client is closed, and needs no connection.
        }
    }

    /** Cancels the timer's task if it has not begun. Returns whether a task was cancelled. */
    boolean cancelLater() {
        return retry != null && retry.cancel();
    }

    /** Returns whether no attempt is running or scheduled, perhaps because of an {@link Error}. */
    boolean areDone() {
        return (attempt == null || attempt.isDone()) && (retry == null || retry.isDone());
    }

    /** Interrupts the attempt in progress, and cancels the timer's task. */
    void cancel() {
        cancelLater();
        if (attempt != null) {
            attempt.cancel(true);
        }
    }
}
