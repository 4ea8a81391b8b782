// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.Futures;
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
 * <p>Memory effects: {@link #second} and {@link #sent} are written by the sender before it hands the reply on. The
 * thread that completes a future reads them after {@link Exchange} has got that future.
 */
class PendingReply<T> extends Exchange<T> implements Reply<T> {

    /** What may send the command once more; null if nothing does. */
    private @Nullable SecondAttempt second;

    /** The command to send once more: {@link #command} may be its classic form, or released. */
    private @Nullable Command<T> sent;

    PendingReply(Command<T> command, LinkContext context) {
        super(command, context);
    }

    @Override
    public void orElse(Command<T> sentCommand, SecondAttempt attempt) {
        second = attempt;
        sent = sentCommand;
    }

    private @Nullable Reply<T> secondAfter(Throwable failure, long restNanos) {
        SecondAttempt attempt = second;
        Command<T> failed = sent;
        return attempt != null
                        && failed != null
                        && restNanos > 0
                        && failure instanceof MemcachedConnectionException lost
                ? attempt.after(failed, lost)
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

    /** Lets go of the command of the second attempt, too, unless the failure may lead to it. */
    @Override
    public void release() {
        super.release();
        if (isOver() && !hasFailedUnsent()) {
            sent = null;
        }
    }
}
