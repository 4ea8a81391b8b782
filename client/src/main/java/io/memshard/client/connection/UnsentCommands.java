package io.memshard.client.connection;

import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.link.LinkFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The commands that wait for a link, oldest first.
 *
 * <p>A command leaves the queue only after it was given to a link, or has ended and its future was passed on. So an
 * {@link Error} in between leaves it here, where the next call finds it.
 *
 * <p>Threading: thread-safe.
 */
final class UnsentCommands {

    /** Completes the futures of commands that have failed. */
    private final FutureCompleter futures;

    private final Deque<Exchange<?>> queued = new ArrayDeque<>();

    UnsentCommands(FutureCompleter futures) {
        this.futures = futures;
    }

    /** Adds a command; or fails it, if so many wait already. */
    synchronized void add(Exchange<?> exchange, int max) {
        if (queued.size() >= max) {
            queued.removeIf(other -> other.isOver() && !other.hasFuture());
        }
        if (queued.size() >= max) {
            LinkFailure.refuseOverload(exchange, max);
        } else {
            queued.add(exchange);
        }
    }

    /** The oldest; null if there is none. */
    synchronized @Nullable Exchange<?> first() {
        return queued.peek();
    }

    /** Removes what {@link #first} has returned, if it is still there. */
    synchronized void removeFirst(Exchange<?> first) {
        if (queued.peek() == first) {
            queued.poll();
        }
    }

    /** How many wait that have not ended. */
    synchronized int size() {
        return (int) queued.stream().filter(exchange -> !exchange.isOver()).count();
    }

    /** All that wait now. */
    synchronized List<Exchange<?>> all() {
        return List.copyOf(queued);
    }

    /** Fails commands that wait, first for callers, then for futures. */
    void fail(List<Exchange<?>> waiting, Function<Exchange<?>, MemcachedException> failure) {
        for (Exchange<?> exchange : waiting) {
            try {
                exchange.fail(failure.apply(exchange));
            } catch (Error e) {
                // As where there is no memory for a failure that says more.
                exchange.fail(e);
            }
            // Once more: an Error may have come between the end and the call that wakes.
            exchange.wake();
        }
        removeOver(waiting);
    }

    /** Ends the commands whose time is over. The timer's call. */
    void failDue(long nowNanos) {
        List<Exchange<?>> waiting = all();
        waiting.forEach(exchange -> exchange.failIfDue(nowNanos));
        removeOver(waiting);
    }

    private void removeOver(List<Exchange<?>> waiting) {
        futures.complete(waiting.stream().filter(Exchange::isOver).toList());
        synchronized (this) {
            queued.removeIf(Exchange::isOver);
        }
    }
}
