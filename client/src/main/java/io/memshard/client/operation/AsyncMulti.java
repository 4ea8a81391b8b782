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
 * Asynchronous run of a {@link MultiOperation}: no thread waits, and the end of each part sends the next part.
 *
 * <p>Parts end on the threads that complete their futures, perhaps at the same time. Each of these threads queues a
 * task that records the end. If no other thread is running the tasks, this thread runs them until the queue is empty.
 * So one thread at a time handles the operation, without a lock. A part that fails while it is sent also ends by such a
 * task, so that the stack does not grow.
 *
 * <p>Threading: {@link #progress} belongs to the thread that has raised {@link #pendingEnds} from zero, until that
 * count is zero again.
 *
 * <p>Memory effects: {@code pendingEnds} is incremented after an end is queued, and decremented after an end is
 * processed. All writes of a thread that processes the queue happen before the next thread raises the count from zero.
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

    /** Starts the operation. The failure of a key is a part of the result. */
    static <P, T, R> CompletableFuture<R> start(MultiOperation<P, T, R> operation, Calls calls, Duration timeout) {
        return calls.start(operation.name(), null, operation.keyCount(), () -> {
            MultiProgress<P, T, R> progress = new MultiProgress<>(operation, calls.sender(), SendMode.UNAWAITED);
            AsyncMulti<P, T, R> running = new AsyncMulti<>(progress, calls.time(timeout));
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
                // Also for anything that a transcoder throws, because otherwise the future would never complete.
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
        Command<T> command = progress.command(sending);
        long remainingNanos = deadlineNanos - System.nanoTime();
        if (remainingNanos <= 0) {
            progress.takeFailure(sending, BlockingMulti.tooLate(progress.contextUnsent(sending, command)));
            return;
        }
        sending.sender()
                .send(command)
                .toFuture(Duration.ofNanos(remainingNanos))
                .handle((answer, failure) -> (Runnable) () -> takeIn(sending, command, answer, failure))
                .thenAccept(this::addEnd)
                .exceptionally(failure -> {
                    // After an Error, the end of the part is not queued, and nothing else would end the operation.
                    result.completeExceptionally(Futures.cause(failure));
                    return null;
                });
    }

    private void takeIn(Sending<P> sending, Command<T> command, T answer, @Nullable Throwable failure) {
        if (failure == null) {
            progress.takeAnswer(sending, command, answer);
            return;
        }
        // A sender over other senders may return dependent futures, which wrap the failure.
        Throwable cause = Futures.cause(failure);
        if (cause instanceof MemcachedException known) {
            progress.takeFailure(sending, known);
        } else {
            result.completeExceptionally(cause);
        }
    }
}
