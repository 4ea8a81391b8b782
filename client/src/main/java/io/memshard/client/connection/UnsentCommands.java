// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.FutureCompleter;
import io.memshard.client.link.InFlight;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commands that wait for a link, oldest first. A command stays until a link has accepted it, or its future is being
 * completed. After an {@link Error}, the timer can therefore still fail it. Threading: thread-safe.
 */
final class UnsentCommands {

    private static final ClientLog LOG = ClientLog.of(Connection.class);

    private final FutureCompleter futures;
    private final Deque<Exchange<?>> queued = new ArrayDeque<>();
    private final InFlight inFlight;

    /** First queued command, if {@link #inFlight} no longer counts it. Guarded by this object. */
    private @Nullable Exchange<?> leaving;

    private volatile boolean moving;

    UnsentCommands(FutureCompleter futures, InFlight inFlight) {
        this.futures = futures;
        this.inFlight = inFlight;
    }

    synchronized void add(Exchange<?> exchange) {
        String limit = inFlight.tryAdd(exchange.bytes);
        if (limit != null) {
            LinkFailure.refuseOverload(exchange, limit);
            return;
        }
        try {
            queued.add(exchange);
        } catch (Error e) {
            // ArrayDeque holds the element already when it has no memory to grow.
            if (queued.peekLast() == exchange) {
                queued.removeLast();
            }
            inFlight.remove(1, exchange.bytes);
            throw e;
        }
    }

    synchronized @Nullable Exchange<?> first() {
        return queued.peek();
    }

    void moveFirst(Exchange<?> first, Link link) {
        boolean sent = false;
        leaves(first);
        if (!first.isOver()) {
            try {
                link.send(first);
                first.wake();
                sent = true;
            } catch (Throwable e) {
                LOG.error("{}: a command was not sent, although a connection is open", first.context, e);
                link.close();
                LinkFailure.fail(first, e);
            }
        }
        if (!sent) {
            futures.complete(List.of(first));
        }
        synchronized (this) {
            if (queued.peek() == first) {
                queued.poll();
            }
            if (leaving == first) {
                leaving = null;
            }
        }
    }

    /** Stops counting a command before it is sent, so that the caller may send another command after the reply. */
    private synchronized void leaves(Exchange<?> first) {
        if (queued.peek() == first && leaving != first) {
            inFlight.remove(1, first.bytes);
            leaving = first;
        }
    }

    synchronized int size() {
        return (int) queued.stream().filter(exchange -> !exchange.isOver()).count();
    }

    boolean isEmpty() {
        return !moving && size() == 0;
    }

    long bytes() {
        return inFlight.bytes();
    }

    synchronized List<Exchange<?>> all() {
        return List.copyOf(queued);
    }

    /** Wakes all waiting callers before it completes the first future. */
    void fail(List<Exchange<?>> waiting, Function<Exchange<?>, MemcachedException> failure) {
        for (Exchange<?> exchange : waiting) {
            try {
                exchange.fail(failure.apply(exchange));
            } catch (Error e) {
                // Memory may be insufficient for a more specific failure.
                exchange.fail(e);
            }
            exchange.wake();
        }
        removeOver(waiting);
    }

    void failDue(long nowNanos) {
        List<Exchange<?>> waiting = all();
        waiting.stream().filter(exchange -> exchange.isDue(nowNanos)).forEach(LinkFailure::failDue);
        removeOver(waiting);
    }

    private void removeOver(List<Exchange<?>> waiting) {
        List<Exchange<?>> over = waiting.stream().filter(Exchange::isOver).toList();
        futures.complete(over);
        synchronized (this) {
            over.stream()
                    .filter(exchange -> queued.remove(exchange) && exchange != leaving)
                    .forEach(exchange -> inFlight.remove(1, exchange.bytes));
        }
    }

    /** Sets whether commands are being moved to a link, which then takes their bytes from the budget. */
    void setMoving(boolean moves) {
        moving = moves;
        if (moves) {
            inFlight.detachBudget();
        } else {
            inFlight.attachBudget();
        }
    }

    void adjustReservation() {
        inFlight.adjustReservation();
    }
}
