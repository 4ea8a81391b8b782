package io.memshard.client.connection;

import io.memshard.client.protocol.MetaNoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a link, oldest first: one linked list with two cursors, so that a command is queued
 * once and never moved.
 *
 * <pre>
 *   replied to | written, awaiting reply | queued
 *              ^ read cursor             ^ write cursor    ^ tail
 * </pre>
 *
 * <p>Threading: {@link #offer} by anybody; the write cursor belongs to the link's writer, the read cursor
 * to its reader, each one thread at a time. A link that lets these roles wander from thread to thread
 * hands them over with a release and an acquire.
 *
 * <p>Memory effects: {@code offer} publishes the exchange by a volatile write of its predecessor's {@code
 * next}. Between taking the tail and that write the list is broken for a moment: it then seems to end
 * early, and whoever offers tells the writer afterwards. The read cursor never overtakes the write
 * cursor, since only written commands are replied to. Source of the offer: D. Vyukov, "Intrusive MPSC
 * node-based queue", 1024cores.net.
 */
final class ExchangeQueue {

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(ExchangeQueue.class, "tail", Exchange.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // Read through TAIL.
    private volatile Exchange<?> tail;

    /** The last exchange written or skipped. */
    private Exchange<?> written;

    /** The last exchange replied to or skipped. Read by others than the reader for a hint only. */
    private volatile Exchange<?> read;

    ExchangeQueue(LinkIdentity identity) {
        Exchange<?> stub = new Exchange<>(new MetaNoop(), identity);
        tail = stub;
        written = stub;
        read = stub;
    }

    /** Appends an exchange. */
    void offer(Exchange<?> exchange) {
        Exchange<?> previous = (Exchange<?>) TAIL.getAndSet(this, exchange);
        previous.next = exchange;
    }

    /** The oldest exchange not written yet, which then counts as written. For the writer. */
    @Nullable
    Exchange<?> nextToWrite() {
        Exchange<?> first = written.next;
        if (first != null) {
            written = first;
        }
        return first;
    }

    /** The oldest exchange that awaits its reply; null if none does. For the reader. */
    @Nullable
    Exchange<?> firstWritten() {
        Exchange<?> first = read.next;
        while (first != null && first.isSkipped()) {
            removeFirst();
            first = read.next;
        }
        return first == null || !first.isWritten() ? null : first;
    }

    /** Removes the oldest exchange. For the reader. */
    void removeFirst() {
        Exchange<?> last = read;
        Exchange<?> first = last.next;
        if (first == null) {
            throw new IllegalStateException("removed from an empty queue");
        }
        read = first;
        // An old exchange that still points at a young one would keep the young generation alive.
        last.next = null;
    }

    /** Whether no exchange is seen behind the read cursor. For anybody, as a hint. */
    boolean isEmpty() {
        return read.next == null;
    }

    /** The place of an exchange, the oldest not replied to being 1; 0 if it is not seen. For anybody, as a hint. */
    int position(Exchange<?> exchange) {
        int position = 0;
        for (Exchange<?> e = read.next; e != null; e = e.next) {
            position++;
            if (e == exchange) {
                return position;
            }
        }
        return 0;
    }

    /** The oldest exchange that a thread waits for; null if there is none. For the reader. */
    @Nullable
    Exchange<?> firstWaitedFor() {
        Exchange<?> e = read.next;
        while (e != null && e.waitingThread() == null) {
            e = e.next;
        }
        return e;
    }

    /**
     * Calls {@code action} with each exchange not replied to, oldest first. For the reader; others may miss some
     * while the reader removes.
     */
    void forEach(Consumer<Exchange<?>> action) {
        for (Exchange<?> e = read.next; e != null; e = e.next) {
            action.accept(e);
        }
    }
}
