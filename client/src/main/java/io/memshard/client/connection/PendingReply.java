// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.LinkContext;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An exchange as its caller sees it: one object is the node in the link's queue and the reply that the caller holds.
 *
 * <p>Memory effects: {@link #second} is written by the sender before it takes the reply. What completes a future reads
 * it after {@link Exchange} was asked for one.
 */
class PendingReply<T> extends Exchange<T> implements Reply<T> {

    /** What may send the command once more; null if nothing does. */
    private @Nullable SecondAttempt<T> second;

    PendingReply(Command<T> command, LinkContext context) {
        super(command, context);
    }

    @Override
    public void orElse(SecondAttempt<T> attempt) {
        second = attempt;
    }

    private @Nullable Reply<T> secondAfter(Throwable failure, long restNanos) {
        SecondAttempt<T> attempt = second;
        return attempt != null && restNanos > 0 && failure instanceof MemcachedConnectionException lost
                ? attempt.after(lost)
                : null;
    }

    @Override
    public T await(long timeoutNanos) {
        if (second == null) {
            return super.await(timeoutNanos);
        }
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            return super.await(timeoutNanos);
        } catch (MemcachedConnectionException e) {
            long rest = deadline - System.nanoTime();
            Reply<T> reply = secondAfter(e, rest);
            if (reply == null) {
                throw e;
            }
            return reply.await(rest);
        }
    }

    @Override
    protected boolean goesOn(CompletableFuture<T> future, Throwable failure, long restNanos) {
        Reply<T> reply = secondAfter(failure, restNanos);
        if (reply == null) {
            return false;
        }
        Futures.atEnd(
                reply.toFuture(Duration.ofNanos(restNanos)),
                (value, thrown) -> {
                    if (thrown == null) {
                        future.complete(value);
                    } else {
                        future.completeExceptionally(Futures.cause(thrown));
                    }
                },
                future::completeExceptionally);
        return true;
    }

    /** Lets go of the second attempt, too, which has the command, unless the failure may lead to it. */
    @Override
    public void release() {
        super.release();
        if (isOver() && !hasFailedUnsent()) {
            second = null;
        }
    }
}
