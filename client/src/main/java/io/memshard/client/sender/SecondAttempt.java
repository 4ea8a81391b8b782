// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Decision after a failed command: a second attempt, another result, or the failure. Threading: thread-safe. */
public interface SecondAttempt {

    /** Returns the reply that replaces {@code failure}, or null. {@code mode} is the mode of the first attempt. */
    <T> @Nullable Reply<T> after(Command<T> failed, MemcachedException failure, SendMode mode, long restNanos);

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

    default <T> @Nullable CompletableFuture<T> futureAfter(Command<T> failed, Throwable failure, long restNanos) {
        Reply<T> second = failure instanceof MemcachedException known
                ? after(failed, known, SendMode.UNAWAITED, restNanos)
                : null;
        return second == null ? null : second.toFuture(Duration.ofNanos(restNanos));
    }
}
