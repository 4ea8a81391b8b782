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
 * <p>Failure: a {@link io.memshard.client.exception.MemcachedException}, or the exception of the function that converts
 * the command's result.
 */
public interface Reply<T> {

    /** Reply that is known without a server. The future is complete. */
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
     * Waits for the reply. The waiting thread may do the connection's I/O, for itself and for other callers. After
     * {@link #join}, it may also wait for the other replies.
     *
     * <p>Failure: a {@link io.memshard.client.exception.MemcachedTimeoutException} when the timeout has expired, or a
     * {@link io.memshard.client.exception.MemcachedInterruptedException}, with the interrupt flag set again, on an
     * interrupt. Neither failure affects the connection.
     */
    T await(long timeoutNanos);

    /**
     * Adds this reply to a joint wait, directly after its command was sent. The caller is then woken once for all
     * replies of the wait, and {@link #await} also waits for the other replies. If this reply cannot be awaited
     * jointly, as by default, the caller awaits the replies one by one.
     */
    default void join(JointWait wait) {
        wait.divide();
    }

    /**
     * Returns a future of the reply. Up to 50 ms after the timeout, the future fails with a {@link
     * io.memshard.client.exception.MemcachedTimeoutException}. An event loop that decodes the reply completes the
     * future, unless a {@code completionExecutor} is set. If callers do the I/O, or the command fails without a reply,
     * a thread of the client that no caller waits for completes the future.
     */
    CompletableFuture<T> toFuture(Duration timeout);

    /**
     * Sets the second attempt, which follows if the connection fails before {@code sent} is sent. Called by the sender
     * before it passes the reply on. By default no second attempt follows.
     */
    default void orElse(Command<T> sent, SecondAttempt attempt) {}
}
