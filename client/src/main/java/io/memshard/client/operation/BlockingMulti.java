// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.operation.MultiCall.Sending;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Blocking run of a {@link MultiCall}. The calling thread sends the parts, and awaits the replies in that order. */
final class BlockingMulti<I, T, R> {

    private final MultiCall<I, T, R> multi;
    private final Deque<Sent<I, T>> sent = new ArrayDeque<>();
    private final JointWait joint = new JointWait();
    private final long deadlineNanos;

    private record Sent<I, T>(Sending<I, T> sending, Reply<T> reply) {}

    BlockingMulti(MultiCall<I, T, R> multi) {
        this.multi = multi;
        this.deadlineNanos = System.nanoTime() + multi.calls.nanos();
        multi.begin(SendMode.AWAITED);
    }

    R run() {
        try {
            return sendAndAwait();
        } catch (Throwable e) {
            // Ends the parts in flight, so that no array of the caller is read after the call.
            for (Sent<I, T> left : sent) {
                try {
                    left.reply.await(0);
                } catch (Throwable second) {
                    Futures.suppress(second, e);
                }
            }
            throw e;
        }
    }

    private R sendAndAwait() {
        if (multi.isLast()) {
            callNext();
        }
        while (!multi.isOver()) {
            Sending<I, T> next = multi.next();
            if (next != null) {
                send(next);
            } else {
                joint.setComplete(multi.isSent());
                await(sent.element());
                sent.remove();
            }
        }
        return multi.result();
    }

    private void callNext() {
        Sending<I, T> only = multi.next();
        if (only == null) {
            return;
        }
        T answer;
        try {
            answer = only.sender().call(only.command(), deadlineNanos - System.nanoTime());
        } catch (MemcachedException e) {
            multi.takeFailure(only, e);
            return;
        }
        multi.takeAnswer(only, answer);
    }

    private void send(Sending<I, T> sending) {
        MemcachedException reason = reasonNotToSend(sending);
        if (reason != null) {
            multi.takeFailure(sending, reason);
            return;
        }
        Reply<T> reply = sending.sender().send(sending.command(), SendMode.AWAITED);
        reply.join(joint);
        sent.add(new Sent<>(sending, reply));
    }

    private @Nullable MemcachedException reasonNotToSend(Sending<I, T> sending) {
        if (Thread.currentThread().isInterrupted()) {
            return new MemcachedInterruptedException(
                    "interrupted before the command with this key was sent", multi.contextUnsent(sending), null);
        }
        return deadlineNanos - System.nanoTime() <= 0 ? tooLate(multi.contextUnsent(sending)) : null;
    }

    static MemcachedTimeoutException tooLate(CommandContext context) {
        return new MemcachedTimeoutException(
                "the request timeout expired before the command with this key was sent:"
                        + " raise requestTimeout, or request fewer keys at once",
                context,
                null);
    }

    private void await(Sent<I, T> oldest) {
        T answer;
        try {
            answer = oldest.reply.await(deadlineNanos - System.nanoTime());
        } catch (MemcachedException e) {
            multi.takeFailure(oldest.sending, e);
            return;
        }
        multi.takeAnswer(oldest.sending, answer);
    }
}
