// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.operation;

import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.operation.MultiCall.Sending;
import io.memshard.client.sender.SendMode;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous run of a {@link MultiCall}.
 *
 * <p>Threading: a thread that completes a reply adds a task to {@link #ends}. The thread that raises
 * {@link #pendingEnds} from 0 runs the tasks until the count is 0 again. Only this thread uses {@link #multi}.
 *
 * <p>Memory effects: by its access to {@code pendingEnds}, such a thread sees all writes of the previous thread.
 */
final class AsyncMulti<I, T, R> {

    private final MultiCall<I, T, R> multi;
    private final long deadlineNanos;

    /** Future of the first reply's class, so that waiting for it on an event loop throws instead of blocking. */
    private @Nullable CompletableFuture<R> result;

    private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingEnds = new AtomicInteger();

    AsyncMulti(MultiCall<I, T, R> multi) {
        this.multi = multi;
        this.deadlineNanos = System.nanoTime() + multi.calls.nanos();
        multi.begin(SendMode.UNAWAITED);
    }

    CompletableFuture<R> start() {
        addEnd(() -> {});
        return result();
    }

    private CompletableFuture<R> result() {
        if (result == null) {
            result = new CompletableFuture<>();
        }
        return result;
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
                // Also an Error of a transcoder, because otherwise the future would never complete.
                result().completeExceptionally(e);
            }
        } while (pendingEnds.decrementAndGet() > 0);
    }

    private void handle(Runnable end) {
        end.run();
        Sending<I, T> next = result != null && result.isDone() ? null : multi.next();
        while (next != null) {
            send(next);
            next = multi.next();
        }
        if (multi.isOver()) {
            result().complete(multi.result());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Its end is queued.
    private void send(Sending<I, T> sending) {
        long remainingNanos = deadlineNanos - System.nanoTime();
        if (remainingNanos <= 0) {
            multi.takeFailure(sending, BlockingMulti.tooLate(multi.contextUnsent(sending)));
            return;
        }
        CompletableFuture<T> reply =
                sending.sender().send(sending.command()).toFuture(Duration.ofNanos(remainingNanos));
        if (result == null) {
            result = reply.newIncompleteFuture();
        }
        reply.handle((answer, failure) -> (Runnable) () -> takeIn(sending, answer, failure))
                .thenAccept(this::addEnd)
                .exceptionally(failure -> {
                    // After an Error, the end of the part is not queued, and nothing else would end the operation.
                    result().completeExceptionally(Futures.cause(failure));
                    return null;
                });
    }

    private void takeIn(Sending<I, T> sending, T answer, @Nullable Throwable failure) {
        if (failure == null) {
            multi.takeAnswer(sending, answer);
            return;
        }
        // A sender over other senders may return dependent futures, which wrap the failure.
        Throwable cause = Futures.cause(failure);
        if (cause instanceof MemcachedException known) {
            multi.takeFailure(sending, known);
        } else {
            result().completeExceptionally(cause);
        }
    }
}
