// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.MetaNoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commands of a link, oldest first: one linked list with three cursors, so that a command is queued once and never
 * moved.
 *
 * <pre>
 *   removed | decoded, to be completed | written, awaiting reply | queued
 *           ^ read cursor              ^ decode cursor           ^ write cursor    ^ tail
 * </pre>
 *
 * <p>A command stays in the list until it is completed. A link that fails at any moment, even for lack of memory while
 * it completes commands, therefore finds here every command that still needs an outcome.
 *
 * <p>Threading: any thread may call {@link #offer}. The write cursor belongs to the link's writer; the read cursor and
 * the decode cursor belong to its reader. Each role has one thread at a time. A link that passes the roles from thread
 * to thread hands them over with a release and an acquire.
 *
 * <p>Memory effects: {@code offer} publishes the exchange by a volatile write of its predecessor's {@code next}.
 * Between the replacement of the tail and this write, the list seems to end early. The offering thread notifies the
 * writer only afterwards. The decode cursor never overtakes the write cursor, because only written commands get
 * replies. Source of the offer: D. Vyukov, "Intrusive MPSC node-based queue", 1024cores.net.
 */
final class ExchangeQueue {

    /** Last position that {@link #position} searches, to limit its cost when thousands of commands time out. */
    static final int LAST_POSITION = 1_000;

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

    /** Last exchange written or skipped. */
    private Exchange<?> written;

    /** Last exchange whose reply is decoded, or that was skipped. */
    private Exchange<?> decoded;

    /** Number of exchanges between the reader's two cursors that have a reply; the others were skipped. */
    private int decodedCount;

    /** Number of exchanges in {@link #decodedCount} that had not ended before their reply was decoded. */
    private int inTimeCount;

    private long decodedBytes;

    /** Last exchange removed. Only a hint to threads other than the reader. */
    private volatile Exchange<?> read;

    ExchangeQueue(LinkContext context) {
        Exchange<?> stub = new Exchange<>(new MetaNoop(), context);
        tail = stub;
        written = stub;
        decoded = stub;
        read = stub;
    }

    void offer(Exchange<?> exchange) {
        Exchange<?> previous = (Exchange<?>) TAIL.getAndSet(this, exchange);
        previous.next = exchange;
    }

    /** Returns the oldest exchange not written yet, which then counts as written. Called by the writer. */
    @Nullable
    Exchange<?> nextToWrite() {
        Exchange<?> first = written.next;
        if (first != null) {
            written = first;
        }
        return first;
    }

    /** Returns the exchange written or skipped after {@code e}. Called by the writer, before this batch is sent. */
    @Nullable
    Exchange<?> nextPassed(Exchange<?> e) {
        return e == written ? null : after(e);
    }

    /** Returns the oldest exchange that awaits its reply; null if none does. Called by the reader. */
    @Nullable
    Exchange<?> firstWritten() {
        Exchange<?> first = decoded.next;
        while (first != null && first.isSkipped()) {
            decoded = first;
            first = first.next;
        }
        return first == null || !first.isWritten() ? null : first;
    }

    /** Moves the decode cursor over {@code first}, the result of {@link #firstWritten}. Called by the reader. */
    void advance(Exchange<?> first) {
        decoded = first;
        decodedCount++;
        inTimeCount += first.isOver() ? 0 : 1;
        decodedBytes += first.bytes;
    }

    int decodedCount() {
        return decodedCount;
    }

    int inTimeCount() {
        return inTimeCount;
    }

    long decodedBytes() {
        return decodedBytes;
    }

    /** Completes the decoded exchanges. Returns whether any has a future to complete. Called by the reader. */
    boolean completeDecoded() {
        boolean haveFutures = false;
        Exchange<?> e = read;
        while (e != decoded) {
            e = after(e);
            // A skipped exchange may not have ended yet: the thread that withdrew it is about to end it.
            haveFutures |= e.isWritten() && e.complete();
        }
        return haveFutures;
    }

    /** Calls {@code action} with each exchange whose reply is decoded, oldest first. Called by the reader. */
    void forEachDecoded(Consumer<Exchange<?>> action) {
        Exchange<?> e = read;
        while (e != decoded) {
            e = after(e);
            if (e.isWritten()) {
                action.accept(e);
            }
        }
    }

    /** Removes the exchanges up to the decode cursor. Called by the reader. */
    void removeDecoded() {
        decodedCount = 0;
        inTimeCount = 0;
        decodedBytes = 0;
        Exchange<?> e = read;
        read = decoded;
        while (e != decoded) {
            Exchange<?> following = after(e);
            // Otherwise a dead exchange in the old generation would keep the young ones after it alive.
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

    /** Removes skipped exchanges at the head of the queue, which have no reply to read. Called by the reader. */
    void removeSkipped() {
        firstWritten();
        if (decoded != read && decodedCount == 0) {
            removeDecoded();
        }
    }

    /** Returns whether the last removed exchange, which the queue still refers to, has a caller's command. A hint. */
    boolean keepsLast() {
        return !(read.command instanceof MetaNoop);
    }

    /** Returns whether no exchange is visible after the read cursor. Only a hint to threads other than the reader. */
    boolean isEmpty() {
        return read.next == null;
    }

    /** Returns the oldest exchange neither removed nor skipped. Only a hint to threads other than the reader. */
    @Nullable
    Exchange<?> oldest() {
        Exchange<?> oldest = read.next;
        while (oldest != null && oldest.isSkipped()) {
            oldest = oldest.next;
        }
        return oldest;
    }

    /** Returns the position, from 1; 0 if unknown or beyond {@link #LAST_POSITION}. Only a hint to other threads. */
    int position(Exchange<?> exchange) {
        int position = 0;
        for (Exchange<?> e = read.next; e != null; e = e.next) {
            position++;
            if (e == exchange) {
                return position;
            }
            if (position == LAST_POSITION) {
                break;
            }
        }
        return 0;
    }

    /** Returns the oldest exchange that a thread waits for; null if no thread waits. Called by the reader. */
    @Nullable
    Exchange<?> firstWaitedFor() {
        Exchange<?> e = read.next;
        while (e != null && e.waitingThread() == null) {
            e = e.next;
        }
        return e;
    }

    /** Returns whether any exchange is without an expected caller. Only a hint to threads other than the reader. */
    boolean needsReader() {
        Exchange<?> e = read.next;
        while (e != null && e.isCallerExpected()) {
            e = e.next;
        }
        return e != null;
    }

    /** Calls {@code action} with each exchange, oldest first. Threads other than the reader may miss some. */
    void forEach(Consumer<Exchange<?>> action) {
        for (Exchange<?> e = read.next; e != null; e = e.next) {
            action.accept(e);
        }
    }

    /** Returns whether each exchange has ended, and its future, if any, is completed. Called on a failed link. */
    boolean isOver() {
        for (Exchange<?> e = read.next; e != null; e = e.next) {
            if (!e.isOver() || e.hasFuture()) {
                return false;
            }
        }
        return true;
    }
}
