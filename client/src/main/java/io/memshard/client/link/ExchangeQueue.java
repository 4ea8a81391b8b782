// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.protocol.MetaNoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Linked list of a link's commands, oldest first. Three cursors divide the list:
 *
 * <pre>
 *   removed | decoded, to be completed | written, awaiting reply | queued
 *           ^ read cursor              ^ decode cursor           ^ write cursor    ^ tail
 * </pre>
 *
 * <p>A command stays in the list until it is completed. If the link fails, even for lack of memory, the list therefore
 * has every command that still needs an outcome.
 *
 * <p>Threading: any thread may call {@link #offer}. The link's writer uses the write cursor, and the link's reader uses
 * the other two cursors. A link has one writer and one reader at a time. A thread that takes over a role sees its
 * predecessor's writes, by a release and an acquire. Queries on threads other than the reader may return outdated
 * results.
 *
 * <p>Memory effects: {@code offer} publishes the exchange by a volatile write of its predecessor's {@code next}. Until
 * this write, the list seems to end before the exchange. The offering thread notifies the writer after this write. The
 * decode cursor never overtakes the write cursor, because only written commands get replies. Source of the offer: D.
 * Vyukov, "Intrusive MPSC node-based queue", 1024cores.net.
 */
final class ExchangeQueue {

    /** Last position that {@link #position} searches, because thousands of commands may time out at once. */
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

    /** Write cursor: the last exchange that was written or skipped. */
    private Exchange<?> written;

    /** Decode cursor: the last exchange that was decoded or skipped. */
    private Exchange<?> decoded;

    private int decodedCount;
    private int inTimeCount;
    private long decodedBytes;

    /** Read cursor: the last removed exchange. */
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

    @Nullable
    Exchange<?> nextToWrite() {
        Exchange<?> first = written.next;
        if (first != null) {
            written = first;
        }
        return first;
    }

    @Nullable
    Exchange<?> nextPassed(Exchange<?> e) {
        return e == written ? null : after(e);
    }

    @Nullable
    Exchange<?> firstWritten() {
        Exchange<?> first = decoded.next;
        while (first != null && first.isSkipped()) {
            decoded = first;
            first = first.next;
        }
        return first == null || !first.isWritten() ? null : first;
    }

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

    boolean completeDecoded() {
        boolean haveFutures = false;
        Exchange<?> e = read;
        while (e != decoded) {
            e = after(e);
            // The thread that withdrew a skipped exchange ends it.
            haveFutures |= e.isWritten() && e.complete();
        }
        return haveFutures;
    }

    void forEachDecoded(Consumer<Exchange<?>> action) {
        Exchange<?> e = read;
        while (e != decoded) {
            e = after(e);
            if (e.isWritten()) {
                action.accept(e);
            }
        }
    }

    void removeDecoded() {
        decodedCount = 0;
        inTimeCount = 0;
        decodedBytes = 0;
        Exchange<?> e = read;
        read = decoded;
        while (e != decoded) {
            Exchange<?> following = after(e);
            // Otherwise a removed exchange in the old generation could keep all later ones in memory.
            e.next = null;
            e = following;
        }
    }

    private static Exchange<?> after(Exchange<?> exchange) {
        Exchange<?> following = exchange.next;
        if (following == null) {
            throw new IllegalStateException("the queue has no command for a received reply");
        }
        return following;
    }

    void removeSkipped() {
        firstWritten();
        if (decoded != read && decodedCount == 0) {
            removeDecoded();
        }
    }

    boolean isEmpty() {
        return read.next == null;
    }

    @Nullable
    Exchange<?> oldest() {
        Exchange<?> oldest = read.next;
        while (oldest != null && oldest.isSkipped()) {
            oldest = oldest.next;
        }
        return oldest;
    }

    /** Returns the position, 1 for the oldest exchange; 0 if not among the first {@link #LAST_POSITION}. */
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

    @Nullable
    Exchange<?> firstWaitedFor() {
        Exchange<?> e = read.next;
        while (e != null && e.waitingThread() == null) {
            e = e.next;
        }
        return e;
    }

    boolean needsReader() {
        Exchange<?> e = read.next;
        while (e != null && e.isCallerExpected()) {
            e = e.next;
        }
        return e != null;
    }

    void forEach(Consumer<Exchange<?>> action) {
        for (Exchange<?> e = read.next; e != null; e = e.next) {
            action.accept(e);
        }
    }

    boolean isOver() {
        for (Exchange<?> e = read.next; e != null; e = e.next) {
            if (!e.isOver() || e.hasFuture()) {
                return false;
            }
        }
        return true;
    }
}
