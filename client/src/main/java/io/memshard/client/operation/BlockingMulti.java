// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.operation.MultiProgress.Sending;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.Reply;
import io.memshard.client.sender.SendMode;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Blocking run of a {@link MultiOperation}: the calling thread sends the parts, and waits for the oldest part in
 * flight.
 *
 * <p>A single part is sent as an ordinary call. Of several parts, those that fit into the limits of the connections are
 * sent first. On caller-driven connections, this thread then reads from one connection after another, and no other
 * thread is woken.
 *
 * <p>Threading: confined to the calling thread.
 */
final class BlockingMulti<P, T, R> {

    private final MultiProgress<P, T, R> progress;
    private final Deque<Sent<P, T>> sent = new ArrayDeque<>();
    private final JointWait joint = new JointWait();
    private final long deadlineNanos;

    private record Sent<P, T>(Sending<P> sending, Command<T> command, Reply<T> reply) {}

    private BlockingMulti(MultiProgress<P, T, R> progress, long timeoutNanos) {
        this.progress = progress;
        this.deadlineNanos = System.nanoTime() + timeoutNanos;
    }

    /** Runs the operation. The failure of a key is a part of the result. */
    static <P, T, R> R run(MultiOperation<P, T, R> operation, Calls calls, long timeoutNanos) {
        return calls.call(operation.name(), null, operation.keyCount(), () -> {
            MultiProgress<P, T, R> progress = new MultiProgress<>(operation, calls.sender(), SendMode.AWAITED);
            return new BlockingMulti<>(progress, calls.nanos(timeoutNanos)).run();
        });
    }

    private R run() {
        try {
            return sendAndAwait();
        } catch (Throwable e) {
            // Ends the parts in flight: after the call, no array of its caller is read.
            for (Sent<P, T> left : sent) {
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
        if (progress.isLast()) {
            callNext();
        }
        while (!progress.isOver()) {
            Sending<P> next = progress.next();
            if (next != null) {
                send(next);
            } else {
                joint.setComplete(progress.isSent());
                await(sent.element());
                sent.remove();
            }
        }
        return progress.result();
    }

    private void callNext() {
        Sending<P> only = progress.next();
        if (only == null) {
            return;
        }
        Command<T> command = progress.command(only);
        T answer;
        try {
            answer = only.sender().call(command, deadlineNanos - System.nanoTime());
        } catch (MemcachedException e) {
            progress.takeFailure(only, e);
            return;
        }
        progress.takeAnswer(only, command, answer);
    }

    private void send(Sending<P> sending) {
        Command<T> command = progress.command(sending);
        MemcachedException reason = reasonNotToSend(sending, command);
        if (reason != null) {
            progress.takeFailure(sending, reason);
            return;
        }
        Reply<T> reply = sending.sender().send(command, SendMode.AWAITED);
        reply.join(joint);
        sent.add(new Sent<>(sending, command, reply));
    }

    private @Nullable MemcachedException reasonNotToSend(Sending<P> sending, Command<T> command) {
        if (Thread.currentThread().isInterrupted()) {
            return new MemcachedInterruptedException(
                    "interrupted before this part of the operation on many keys was sent",
                    progress.contextUnsent(sending, command),
                    null);
        }
        return deadlineNanos - System.nanoTime() <= 0 ? tooLate(progress.contextUnsent(sending, command)) : null;
    }

    /** Returns the failure of a part that would be sent after the deadline. */
    static MemcachedTimeoutException tooLate(CommandContext context) {
        return new MemcachedTimeoutException(
                "the request timeout was over before this part of the operation on many keys was sent:"
                        + " raise requestTimeout, or ask for fewer keys at once",
                context,
                null);
    }

    private void await(Sent<P, T> oldest) {
        T answer;
        try {
            answer = oldest.reply.await(deadlineNanos - System.nanoTime());
        } catch (MemcachedException e) {
            progress.takeFailure(oldest.sending, e);
            return;
        }
        progress.takeAnswer(oldest.sending, oldest.command, answer);
    }
}
