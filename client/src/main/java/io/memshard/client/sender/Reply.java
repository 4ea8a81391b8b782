// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Reply to one command, which completes exactly once.
 *
 * <p>Threading: one caller calls either {@link #await} or {@link #toFuture}, once.
 *
 * <p>Failure: the reply fails with a {@code MemcachedException}, or with the exception of the function that converts
 * the result.
 */
public interface Reply<T> {

    /** Reply that is known without a server. */
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
     * thread may also wait for the other replies. A timeout or an interrupt does not affect the connection.
     */
    T await(long timeoutNanos);

    /** Adds this reply to a joint wait, which wakes the caller once for all replies. By default, divides the wait. */
    default void join(JointWait wait) {
        wait.divide();
    }

    /**
     * Returns a future of the reply, which fails up to 50 ms after the timeout. An event loop that decodes the reply
     * completes the future, unless a {@code completionExecutor} is set. If callers do the I/O, or no reply arrives, a
     * thread of the client that no caller waits for completes the future.
     */
    CompletableFuture<T> toFuture(Duration timeout);

    /**
     * Sets the attempt that replaces {@code sent} if the connection fails first. Called before the reply is returned.
     */
    default void orElse(Command<T> sent, SecondAttempt attempt) {}
}
