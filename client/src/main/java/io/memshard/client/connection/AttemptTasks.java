// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The tasks by which a connection connects: the attempt under way, and the timer's for the one to come.
 *
 * <p>Threading: confined to the connection's lock.
 */
final class AttemptTasks {

    private final ClientThreads threads;

    /** The last attempt, done when it is over, whatever has ended it. */
    private @Nullable Future<?> attempt;

    /** The timer's last task. */
    private Timer.@Nullable Task retry;

    AttemptTasks(ClientThreads threads) {
        this.threads = threads;
    }

    /**
     * Starts an attempt on a thread of its own.
     *
     * @param failures how many in a row came before it
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
            // Nobody misses the connection any more.
        }
    }

    /** Takes the timer's task back, if it has not begun; whether there was one. */
    boolean cancelLater() {
        return retry != null && retry.cancel();
    }

    /** Returns whether no attempt is running or scheduled, as after an {@link Error}. */
    boolean areDone() {
        return (attempt == null || attempt.isDone()) && (retry == null || retry.isDone());
    }

    /** Interrupts the attempt under way, and takes the timer's task back. */
    void cancel() {
        cancelLater();
        if (attempt != null) {
            attempt.cancel(true);
        }
    }
}
