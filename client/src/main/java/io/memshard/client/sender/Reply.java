// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Reply to one command. Threading: one caller calls either {@link #await} or {@link #toFuture}, once. */
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

    /** Waits for the reply. The thread may do the I/O of all callers, and wait for the joined replies too. */
    T await(long timeoutNanos);

    /** Adds this reply to a joint wait. The default makes the caller wait for each reply alone. */
    default void join(JointWait wait) {
        wait.divide();
    }

    /** Returns a future of the reply. The future fails at most 50 ms after the timeout. */
    CompletableFuture<T> toFuture(Duration timeout);

    /** Sets the attempt that follows if the connection fails before the reply to {@code sent} arrives. */
    default void orElse(Command<T> sent, SecondAttempt attempt) {}
}
