// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decision about failed commands. It replaces a failure with a second attempt or another result, or leaves the failure.
 * One object serves many commands. Threading: thread-safe.
 */
public interface SecondAttempt {

    /**
     * Returns the reply that replaces a failure; null if the failure stays. A second attempt sends a copy of {@code
     * failed}, if {@code restNanos}, the caller's remaining time, is more than zero.
     *
     * @param mode mode of the first attempt; a second attempt at the same server has {@link SendMode#retry}
     */
    <T> @Nullable Reply<T> after(Command<T> failed, MemcachedException failure, SendMode mode, long restNanos);

    /**
     * Waits for the reply that replaces a failure. Throws {@code failure} if no reply replaces it, or the failure of
     * the second attempt. The caller's time ends at {@code deadlineNanos}.
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

    /** Returns the future of the reply that replaces a failure; null if the failure stays. */
    default <T> @Nullable CompletableFuture<T> futureAfter(Command<T> failed, Throwable failure, long restNanos) {
        Reply<T> second = failure instanceof MemcachedException known
                ? after(failed, known, SendMode.UNAWAITED, restNanos)
                : null;
        return second == null ? null : second.toFuture(Duration.ofNanos(restNanos));
    }
}
