// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.LinkContext;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SecondAttempt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Command in flight that is also the caller's reply, so that a command needs only one object.
 *
 * <p>Memory effects: the sender writes {@link #second} and {@link #sent} before it returns the reply. A thread that
 * completes a future reads both fields after the future.
 */
class PendingReply<T> extends Exchange<T> implements Reply<T> {

    private @Nullable SecondAttempt second;

    /** Original command, for a second attempt. {@link #command} may be its classic form, or a copy without values. */
    private @Nullable Command<T> sent;

    PendingReply(Command<T> command, LinkContext context) {
        super(command, context);
    }

    @Override
    public void orElse(Command<T> sentCommand, SecondAttempt attempt) {
        second = attempt;
        sent = sentCommand;
    }

    @Override
    public T await(long timeoutNanos) {
        SecondAttempt attempt = second;
        if (attempt == null) {
            return super.await(timeoutNanos);
        }
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            return super.await(timeoutNanos);
        } catch (MemcachedConnectionException e) {
            Command<T> failed = sent;
            if (failed == null) {
                throw e;
            }
            return attempt.awaitAfter(failed, e, deadline);
        }
    }

    @Override
    protected boolean startSecondAttempt(CompletableFuture<T> future, Throwable failure, long restNanos) {
        SecondAttempt attempt = second;
        Command<T> failed = sent;
        CompletableFuture<T> other =
                attempt == null || failed == null ? null : attempt.futureAfter(failed, failure, restNanos);
        if (other == null) {
            return false;
        }
        Futures.atEnd(
                other,
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

    @Override
    public void release() {
        super.release();
        if (isOver() && !hasFailedUnsent()) {
            sent = null;
        }
    }
}
