// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Reply to a first attempt. After a failure, a {@link SecondAttempt} may replace it. */
record RetriedReply<T>(Reply<T> first, Command<T> command, SecondAttempt second) implements Reply<T> {

    @Override
    public T await(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            return first.await(timeoutNanos);
        } catch (MemcachedException e) {
            return second.awaitAfter(command, e, deadline);
        }
    }

    @Override
    public void join(JointWait wait) {
        first.join(wait);
    }

    @Override
    public CompletableFuture<T> toFuture(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        return first.toFuture(timeout).exceptionallyCompose(thrown -> {
            Throwable failure = Futures.cause(thrown);
            CompletableFuture<T> future = second.futureAfter(command, failure, deadline - System.nanoTime());
            return future == null ? CompletableFuture.failedFuture(failure) : future;
        });
    }
}
