// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.JointWait;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The reply to one command, still to come or there; it completes exactly once.
 *
 * <p>Threading: taken by one caller, which uses either {@link #await} or {@link #toFuture}, once.
 *
 * <p>Failure: a {@link io.memshard.client.exception.MemcachedException}, or what the command's result
 * conversion throws.
 *
 * @param <T> the command's result
 */
public interface Reply<T> {

    /**
     * Waits for the reply. The waiting thread may be used to do the connection's I/O, for itself and for others. It
     * waits only for its own reply.
     *
     * <p>Failure: {@link io.memshard.client.exception.MemcachedTimeoutException} when the time is over,
     * {@link io.memshard.client.exception.MemcachedInterruptedException} (flag restored) on an
     * interrupt; both leave the connection as it is.
     *
     * @param timeoutNanos how long at most, in nanoseconds
     */
    T await(long timeoutNanos);

    /**
     * Lets {@link #await} return when the other replies of {@code wait} are there, too, so that the caller is woken
     * once. Called by the caller, directly after it has sent the command. Has no effect where each reply has to be
     * awaited alone.
     */
    default void join(JointWait wait) {
        wait.divide();
    }

    /**
     * Returns a future of the reply. An event loop completes it when it decodes the reply. In two cases, a client
     * thread that no caller waits for completes it: if it fails without a reply, or if a caller may decode the reply.
     *
     * @param timeout how long at most until it fails with a {@link
     *     io.memshard.client.exception.MemcachedTimeoutException}, to the precision of a timer tick
     */
    CompletableFuture<T> toFuture(Duration timeout);

    /**
     * Lets an attempt follow where this one fails for its connection and nothing was sent. Called by the sender before
     * it hands the reply on. By default none follows.
     *
     * @param sent the command that was sent
     */
    default void orElse(Command<T> sent, SecondAttempt attempt) {}
}
