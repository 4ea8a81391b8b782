package io.memshard.client;

import io.memshard.client.BulkProgress.Departure;
import io.memshard.client.connection.CommandSender;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.protocol.Command;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A bulk operation that nobody waits for: the end of each part sends the next.
 *
 * <p>Parts end on the threads that read their connections, several at once. Each leaves its end in a queue; who
 * finds nobody handling the queue handles it until it is empty. So the operation is handled by one thread at a time
 * without a lock, and a part that fails while it is sent makes the queue longer, not the stack deeper.
 *
 * <p>Threading: {@link #progress} belongs to whoever has raised {@link #unhandled} from zero, until it is back there.
 *
 * <p>Memory effects: {@code unhandled} is raised after an end was queued, and lowered after one was handled. What a
 * thread wrote while it handled the queue happens before the next raises the count from zero.
 */
final class AsyncBulk<P, C extends Command<?>, R> {

    private final BulkProgress<P, C, R> progress;
    private final long deadlineNanos;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unhandled = new AtomicInteger();

    private AsyncBulk(BulkProgress<P, C, R> progress, Duration timeout) {
        this.progress = progress;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /** Starts the operation; what fails is in its result. */
    static <P, C extends Command<?>, R> CompletableFuture<R> start(
            BulkOperation<P, C, R> operation, CommandSender sender, Duration timeout) {
        AsyncBulk<P, C, R> bulk = new AsyncBulk<>(new BulkProgress<>(operation, sender), timeout);
        bulk.ended(() -> {});
        return bulk.result;
    }

    private void ended(Runnable end) {
        ends.add(end);
        if (unhandled.getAndIncrement() > 0) {
            return;
        }
        do {
            try {
                handle(ends.remove());
            } catch (Throwable e) {
                // Whatever a transcoder throws too: a future that never completes would be worse.
                result.completeExceptionally(e);
            }
        } while (unhandled.decrementAndGet() > 0);
    }

    private void handle(Runnable end) {
        end.run();
        Departure<P> next = result.isDone() ? null : progress.next();
        while (next != null) {
            send(next);
            next = progress.next();
        }
        if (progress.isOver()) {
            result.complete(progress.result());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Its end is queued.
    private void send(Departure<P> departure) {
        long remainingNanos = deadlineNanos - System.nanoTime();
        if (remainingNanos <= 0) {
            progress.failed(departure, BlockingBulk.tooLate());
            return;
        }
        C command = progress.command(departure);
        Command<?> toSend = command;
        departure
                .sender()
                .send(toSend)
                .toFuture(Duration.ofNanos(remainingNanos))
                .whenComplete((reply, failure) -> ended(() -> settle(departure, command, failure)));
    }

    private void settle(Departure<P> departure, C command, @Nullable Throwable failure) {
        if (failure == null) {
            progress.answered(departure, command);
            return;
        }
        // A sender that is made of others may pass on futures that depend on theirs.
        Throwable cause = Futures.cause(failure);
        if (cause instanceof MemcachedException known) {
            progress.failed(departure, known);
        } else {
            result.completeExceptionally(cause);
        }
    }
}
