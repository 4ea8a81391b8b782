// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.MetaNoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a link, oldest first: one linked list with three cursors, so that a command is queued
 * once and never moved.
 *
 * <pre>
 *   removed | decoded, to be completed | written, awaiting reply | queued
 *           ^ read cursor              ^ decode cursor           ^ write cursor    ^ tail
 * </pre>
 *
 * <p>A command stays in the list until it is completed. So a link that fails at any moment, even for lack of
 * memory while it completes commands, finds here every command that it owes an outcome.
 *
 * <p>Threading: {@link #offer} by any thread. The write cursor belongs to the link's writer; the read cursor and the
 * decode cursor belong to its reader. Each of the two is one thread at a time. A link that passes these roles from
 * thread to thread hands them over with a release and an acquire.
 *
 * <p>Memory effects: {@code offer} publishes the exchange by a volatile write of its predecessor's {@code
 * next}. Between taking the tail and that write the list is broken for a moment: it then seems to end
 * early, and the thread that offers tells the writer afterwards. The decode cursor never overtakes the write
 * cursor, because only written commands are replied to. Source of the offer: D. Vyukov, "Intrusive MPSC
 * node-based queue", 1024cores.net.
 */
public final class ExchangeQueue {

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

    /** The last exchange whose reply is decoded, or that was skipped. */
    private Exchange<?> decoded;

    /** How many exchanges between the two cursors of the reader have a reply; the others were skipped. */
    private int decodedCount;

    /** The {@link Exchange#bytes} of these. */
    private long decodedBytes;

    /** The last exchange removed. Threads other than the reader read it for a hint only. */
    private volatile Exchange<?> read;

    ExchangeQueue(LinkContext context) {
        Exchange<?> stub = new Exchange<>(new MetaNoop(), context);
        tail = stub;
        written = stub;
        decoded = stub;
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
        Exchange<?> first = decoded.next;
        while (first != null && first.isSkipped()) {
            decoded = first;
            first = first.next;
        }
        return first == null || !first.isWritten() ? null : first;
    }

    /** Moves the decode cursor over {@code first}, which {@link #firstWritten} has returned. For the reader. */
    void advance(Exchange<?> first) {
        decoded = first;
        decodedCount++;
        decodedBytes += first.bytes;
    }

    /** How many exchanges {@link #completeDecoded} is going to complete. For the reader. */
    int decodedCount() {
        return decodedCount;
    }

    /** How many bytes these were of what was in flight. For the reader. */
    long decodedBytes() {
        return decodedBytes;
    }

    /**
     * Completes the exchanges whose replies are decoded, but for their futures. For the reader.
     *
     * @return whether some of them have futures to be completed
     */
    boolean completeDecoded() {
        boolean haveFutures = false;
        Exchange<?> e = read;
        while (e != decoded) {
            e = after(e);
            // One that was skipped may not have ended yet: the thread that withdrew it is about to end it.
            haveFutures |= e.isWritten() && e.complete();
        }
        return haveFutures;
    }

    /** Calls {@code action} with each exchange whose reply is decoded, oldest first. For the reader. */
    public void forEachDecoded(Consumer<Exchange<?>> action) {
        Exchange<?> e = read;
        while (e != decoded) {
            e = after(e);
            if (e.isWritten()) {
                action.accept(e);
            }
        }
    }

    /** Removes the exchanges up to the decode cursor. For the reader. */
    void removeDecoded() {
        decodedCount = 0;
        decodedBytes = 0;
        Exchange<?> e = read;
        read = decoded;
        while (e != decoded) {
            Exchange<?> following = after(e);
            // An old exchange that still points at a young one would keep the young generation alive.
            e.next = null;
            e = following;
        }
    }

    private static Exchange<?> after(Exchange<?> exchange) {
        Exchange<?> following = exchange.next;
        if (following == null) {
            throw new IllegalStateException("the queue ends before a reply");
        }
        return following;
    }

    /** Removes skipped exchanges that are the oldest, because nothing is to be read for them. For the reader. */
    public void removeSkipped() {
        firstWritten();
        if (decoded != read && decodedCount == 0) {
            removeDecoded();
        }
    }

    /** Whether the last exchange removed, which stays until the next is, has a command of a caller. As a hint. */
    boolean keepsLast() {
        return !(read.command instanceof MetaNoop);
    }

    /** Whether no exchange is seen after the read cursor. For any thread, as a hint. */
    public boolean isEmpty() {
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
    public Exchange<?> firstWaitedFor() {
        Exchange<?> e = read.next;
        while (e != null && e.waitingThread() == null) {
            e = e.next;
        }
        return e;
    }

    /** Whether an exchange is not one whose caller is still to come. For the reader; as a hint for any thread. */
    public boolean needsReader() {
        Exchange<?> e = read.next;
        while (e != null && e.isCallerExpected()) {
            e = e.next;
        }
        return e != null;
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
