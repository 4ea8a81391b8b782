// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.operation.MultiProgress.Sending;
import io.memshard.client.protocol.Command;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MultiOperation} that no thread waits for: the end of each part sends the next.
 *
 * <p>Parts end on the threads that read their connections, several at once. Each thread adds the end to a queue. A
 * thread that finds the queue unattended handles it until it is empty. So one thread at a time handles the operation,
 * without a lock. A part that fails while it is sent makes the queue longer, not the stack deeper.
 *
 * <p>Threading: {@link #progress} belongs to the thread that has raised {@link #pendingEnds} from zero, until it is
 * zero again.
 *
 * <p>Memory effects: {@code pendingEnds} is raised after an end was queued, and lowered after one was handled. What a
 * thread wrote while it handled the queue happens before the next thread raises the count from zero.
 */
final class AsyncMulti<P, T, R> {

    private final MultiProgress<P, T, R> progress;
    private final long deadlineNanos;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingEnds = new AtomicInteger();

    private AsyncMulti(MultiProgress<P, T, R> progress, Duration timeout) {
        this.progress = progress;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /** Starts the operation; failures are in its result. */
    static <P, T, R> CompletableFuture<R> start(MultiOperation<P, T, R> operation, Calls calls, Duration timeout) {
        return calls.start(operation.name(), null, operation.keyCount(), () -> {
            MultiProgress<P, T, R> progress = new MultiProgress<>(operation, calls.sender(), SendMode.UNAWAITED);
            AsyncMulti<P, T, R> running = new AsyncMulti<>(progress, timeout);
            running.addEnd(() -> {});
            return running.result;
        });
    }

    private void addEnd(Runnable end) {
        ends.add(end);
        if (pendingEnds.getAndIncrement() > 0) {
            return;
        }
        do {
            try {
                handle(ends.remove());
            } catch (Throwable e) {
                // Also for whatever a transcoder throws, because a future that never completes would be worse.
                result.completeExceptionally(e);
            }
        } while (pendingEnds.decrementAndGet() > 0);
    }

    private void handle(Runnable end) {
        end.run();
        Sending<P> next = result.isDone() ? null : progress.next();
        while (next != null) {
            send(next);
            next = progress.next();
        }
        if (progress.isOver()) {
            result.complete(progress.result());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Its end is queued.
    private void send(Sending<P> sending) {
        long remainingNanos = deadlineNanos - System.nanoTime();
        if (remainingNanos <= 0) {
            progress.takeFailure(sending, BlockingMulti.tooLate());
            return;
        }
        Command<T> command = progress.command(sending);
        sending.sender()
                .send(command)
                .toFuture(Duration.ofNanos(remainingNanos))
                .handle((answer, failure) -> (Runnable) () -> takeIn(sending, command, answer, failure))
                .thenAccept(this::addEnd)
                .exceptionally(failure -> {
                    // An Error has kept its end out of the queue, and nothing else would end the operation.
                    result.completeExceptionally(Futures.cause(failure));
                    return null;
                });
    }

    private void takeIn(Sending<P> sending, Command<T> command, T answer, @Nullable Throwable failure) {
        if (failure == null) {
            progress.takeAnswer(sending, command, answer);
            return;
        }
        // A sender made of others may return futures that depend on theirs.
        Throwable cause = Futures.cause(failure);
        if (cause instanceof MemcachedException known) {
            progress.takeFailure(sending, known);
        } else {
            result.completeExceptionally(cause);
        }
    }
}
