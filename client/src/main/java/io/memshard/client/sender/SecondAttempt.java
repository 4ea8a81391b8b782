// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows a command that has failed: another attempt, another result, or its failure. One object serves
 * many commands.
 *
 * <p>Threading: thread-safe.
 */
public interface SecondAttempt {

    /**
     * Returns the reply in place of a failure; null if the failure stands.
     *
     * @param failed the command as it was sent; an attempt sends a copy
     * @param mode how the attempt is sent, if it is one
     * @param restNanos the rest of the caller's time, in nanoseconds; zero or less when the time is over
     */
    <T> @Nullable Reply<T> after(Command<T> failed, MemcachedException failure, SendMode mode, long restNanos);

    /**
     * Waits for the reply in place of a failure.
     *
     * @param deadlineNanos the end of the caller's time, in {@link System#nanoTime()}
     * @throws MemcachedException the failure if it stands, or that of the second attempt
     */
    default <T> T awaitAfter(Command<T> failed, MemcachedException failure, long deadlineNanos) {
        long restNanos = deadlineNanos - System.nanoTime();
        Reply<T> second = after(failed, failure, SendMode.AWAITED, restNanos);
        if (second == null) {
            throw failure;
        }
        try {
            return second.await(restNanos);
        } catch (MemcachedException e) {
            Futures.suppress(failure, e);
            throw e;
        }
    }

    /** Returns the future in place of a failure; null if the failure stands. Otherwise as {@link #after}. */
    default <T> @Nullable CompletableFuture<T> futureAfter(Command<T> failed, Throwable failure, long restNanos) {
        Reply<T> second = failure instanceof MemcachedException known
                ? after(failed, known, SendMode.UNAWAITED, restNanos)
                : null;
        return second == null ? null : second.toFuture(Duration.ofNanos(restNanos));
    }
}
