// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Reply to one command. The reply completes exactly once.
 *
 * <p>Threading: one caller calls either {@link #await} or {@link #toFuture}, once.
 *
 * <p>Failure: the reply fails with a {@code MemcachedException}, or with the exception of the function that converts
 * the result.
 */
public interface Reply<T> {

    record Known<T>(CompletableFuture<T> future) implements Reply<T> {

        public static <T> Reply<T> of(T result) {
            return new Known<>(CompletableFuture.completedFuture(result));
        }

        public static <T> Reply<T> failed(MemcachedException failure) {
            return new Known<>(CompletableFuture.failedFuture(failure));
        }

        @Override
        public T await(long timeoutNanos) {
            return Futures.result(future);
        }

        @Override
        public CompletableFuture<T> toFuture(Duration timeout) {
            return future;
        }
    }

    /**
     * Waits for the reply. The waiting thread may do the connection's I/O, for all callers. After {@link #join}, the
     * thread may also wait for the other joined replies. A timeout or an interrupt does not affect the connection.
     */
    T await(long timeoutNanos);

    /** Adds this reply to a joint wait. This default implementation makes the caller wait for each reply separately. */
    default void join(JointWait wait) {
        wait.divide();
    }

    /**
     * Returns a future of the reply. If no reply arrives, the future fails at most 50 ms after the timeout. The event
     * loop that decodes the reply completes the future, unless a {@code completionExecutor} is set. If callers do the
     * I/O, or if no reply arrives, a separate thread of the client completes the future.
     */
    CompletableFuture<T> toFuture(Duration timeout);

    /** Sets the second attempt, which is made if the connection fails before the reply to {@code sent} arrives. */
    default void orElse(Command<T> sent, SecondAttempt attempt) {}
}
