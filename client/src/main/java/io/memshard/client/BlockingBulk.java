package io.memshard.client;

import io.memshard.client.BulkProgress.Departure;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.connection.Reply;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedTimeoutException;
import io.memshard.client.protocol.Command;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A bulk operation on its calling thread, which sends the parts and waits for the oldest in flight.
 *
 * <p>A single part is an ordinary call: where callers do the I/O, nobody else is woken for it. Of several parts,
 * those that are not waited for are read by their connection's stand-by or event loop, so that all connections make
 * progress while the caller waits on one.
 *
 * <p>Threading: confined to the calling thread.
 */
final class BlockingBulk<P, C extends Command<?>, R> {

    private final BulkProgress<P, C, R> progress;
    private final Deque<Sent<P, C>> sent = new ArrayDeque<>();
    private final long deadlineNanos;

    private record Sent<P, C>(Departure<P> departure, C command, Reply<?> reply) {}

    private BlockingBulk(BulkProgress<P, C, R> progress, long timeoutNanos) {
        this.progress = progress;
        this.deadlineNanos = System.nanoTime() + timeoutNanos;
    }

    /** Runs the operation; what fails is in its result. */
    static <P, C extends Command<?>, R> R run(
            BulkOperation<P, C, R> operation, CommandSender sender, long timeoutNanos) {
        return new BlockingBulk<>(new BulkProgress<>(operation, sender), timeoutNanos).run();
    }

    private R run() {
        if (progress.isLast()) {
            callNext();
        }
        while (!progress.isOver()) {
            Departure<P> next = progress.next();
            if (next != null) {
                send(next);
            } else {
                await(sent.remove());
            }
        }
        return progress.result();
    }

    private void callNext() {
        Departure<P> only = progress.next();
        if (only == null) {
            return;
        }
        C command = progress.command(only);
        try {
            Command<?> toSend = command;
            only.sender().call(toSend, deadlineNanos - System.nanoTime());
        } catch (MemcachedException e) {
            progress.failed(only, e);
            return;
        }
        progress.answered(only, command);
    }

    private void send(Departure<P> departure) {
        MemcachedException refusal = reasonNotToSend();
        if (refusal != null) {
            progress.failed(departure, refusal);
            return;
        }
        C command = progress.command(departure);
        Command<?> toSend = command;
        sent.add(new Sent<>(departure, command, departure.sender().send(toSend)));
    }

    private @Nullable MemcachedException reasonNotToSend() {
        if (Thread.currentThread().isInterrupted()) {
            return new MemcachedInterruptedException(
                    "interrupted before this part of the bulk operation was sent", null, null);
        }
        return deadlineNanos - System.nanoTime() <= 0 ? tooLate() : null;
    }

    /** What a part fails with whose turn comes after the deadline. */
    static MemcachedTimeoutException tooLate() {
        return new MemcachedTimeoutException(
                "the request timeout was over before this part of the bulk operation was sent: raise requestTimeout,"
                        + " or ask for less at once",
                null,
                null);
    }

    private void await(Sent<P, C> oldest) {
        try {
            oldest.reply.await(deadlineNanos - System.nanoTime());
        } catch (MemcachedException e) {
            progress.failed(oldest.departure, e);
            return;
        }
        progress.answered(oldest.departure, oldest.command);
    }
}
