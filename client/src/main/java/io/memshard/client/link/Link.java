// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.MemcachedUnsupportedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.options.Protocol;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.MetaRelease;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Established socket with the commands in flight on it. A link fails once, together with all its commands, and never
 * reconnects. A subclass, the transport, adds the socket and the threads that write and read.
 *
 * <p>Writing: a sender queues its command and then increments {@link #pendingOffers}. The sender that raises the count
 * from zero calls {@link #startWriting}. One thread is then the writer until the count is zero again. The writer reads
 * the count, empties the queue, and then subtracts the count that it read.
 *
 * <p>Failure: any thread may call {@link #fail}, because I/O threads may be blocked. The method sets {@link #failure},
 * closes the socket, notifies the listener, and then fails the commands in the queue. While the reader removes
 * commands, {@code fail} may miss some. The reader therefore fails the rest when it stops. A sender that has queued a
 * command and then finds {@code failure} set also fails the rest. If an {@link Error} interrupts {@code fail}, the next
 * {@link #tick} continues it.
 *
 * <p>Threading: thread-safe. One thread at a time is the writer, and uses the write side of the queue and {@link
 * #batch}. One thread at a time is the reader, and uses the read side and {@link #replies}. When another thread takes
 * over a role, a volatile write and read make the role's fields visible to it.
 */
public abstract class Link {

    /** Receiver of a link's events, which also completes the futures of the link's commands. */
    public interface Listener {

        /** Reports the failure of a link before any command fails because of it, perhaps repeatedly. Must not block. */
        void linkLost(Link link, Throwable cause);

        /** Reports that a command timed out although the reader could read. Must not block. */
        default void timedOut(Link link, long sentNanos, String why) {}

        default void failed(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /** Must not use the threads of {@link #failed}: functions attached to futures may wait for failing commands. */
        default void replied(List<Exchange<?>> exchanges) {
            exchanges.forEach(Exchange::completeFuture);
        }

        /** Gives back claims (rights to load a value) after a delay. Must not block. */
        default void release(List<MetaRelease> claims) {}
    }

    /** Number of ticks of a failed link, which fail commands that another thread may have left in the queue. */
    private static final int TICKS_AFTER_FAILURE = 40;

    final LinkContext context;
    final Listener listener;
    final ExchangeQueue queue;
    final Batch batch;
    final ReplyBuffer replies;
    final AtomicInteger pendingOffers = new AtomicInteger();

    private boolean isClassic;
    private final LinkHealth health;
    private final InFlight inFlight;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** Written before {@link #inFlight} refuses commands. */
    private volatile boolean refusing;

    /** Written by the reader. Makes {@link #completedInTime} and {@link #lastReadNanos} visible. */
    private volatile long completed;

    private long completedInTime;
    private final AtomicLong skipped = new AtomicLong();
    private long lastReadNanos = System.nanoTime();
    private volatile @Nullable Exchange<?> heartbeat;
    private final StallDetector timer = new StallDetector();
    private int ticksAfterFailure;

    Link(LinkContext context, Listener listener, RequestBuffer requests) {
        this.context = context;
        this.listener = listener;
        isClassic = context.protocol() == Protocol.CLASSIC;
        inFlight = new InFlight(context.options(), context.budget());
        queue = new ExchangeQueue(context);
        batch = new Batch(requests, queue, this::countSkipped);
        replies = new ReplyBuffer(context.options().maxValueBytes, context.options().hideKeys);
        health = new LinkHealth(context.options(), System.nanoTime());
    }

    /** Returns {@link Phase#WRITTEN} until the socket has accepted all bytes, and then {@link Phase#AWAITING_REPLY}. */
    abstract Phase writtenPhase();

    abstract void startWriting();

    void sent(Exchange<?> exchange) {}

    /** Wakes all callers whose wake-up was postponed. Called by the reader. */
    void wakeCallers() {}

    boolean readerCompletesFutures() {
        return false;
    }

    abstract void tickAlive(long nowNanos);

    /** Removes commands that will never be sent, and checks whether the server has closed an idle socket. */
    abstract void lookAtIdle();

    /** Closes the socket. Any thread may call this method and {@link #wakeTransport}, perhaps repeatedly. */
    abstract void closeSocket();

    abstract void wakeTransport();

    abstract String readerName();

    /** Returns the time for which other code kept the reader from reading; 0 if it is too short to report. */
    abstract long readerHeldUpNanos(long sinceNanos, long nowNanos, long silenceNanos);

    /** Makes the link use classic text. Must be called before other threads get the link. */
    public final void speakClassic() {
        isClassic = true;
    }

    public final boolean speaksClassic() {
        return isClassic;
    }

    public final <T extends @Nullable Object> T call(Exchange<T> exchange, long deadlineNanos) {
        exchange.registerCaller();
        send(exchange);
        return exchange.awaitAsRegistered(deadlineNanos - System.nanoTime());
    }

    void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        exchange.parkUntilOver(this, deadlineNanos);
    }

    /** Returns the {@link LinkReader} through which callers read; null if callers do not read. */
    @Nullable
    Object readFrom() {
        return null;
    }

    /** Makes another thread read, because the calling thread stops waiting. */
    void abandoned() {}

    public final void send(Exchange<?> exchange) {
        if (!admits(exchange)) {
            listener.failed(List.of(exchange));
            return;
        }
        try {
            exchange.setLink(this);
            offer(exchange);
            if (failure.get() != null) {
                failPending();
                // Another thread may have woken the caller to read, although the caller now has no reply to wait for.
                wakeTransport();
            } else {
                sent(exchange);
            }
        } catch (Throwable e) {
            // For lack of stack or memory, the command may not be queued, or no thread may write it.
            fail(e);
            LinkFailure.fail(exchange, e);
            listener.failed(List.of(exchange));
        }
    }

    final void timedOut(Exchange<?> exchange, long sentNanos, String why) {
        listener.timedOut(this, sentNanos, why);
        Exchange<?> oldest = queue.oldest();
        boolean isSilent = lastReadNanos - sentNanos < 0;
        if (oldest != null && oldest != exchange && isSilent && isAboutServer(oldest)) {
            fail(new SocketTimeoutException(
                    "no reply to " + oldest.command.verb() + ", and a later command has timed out"));
        }
    }

    private boolean isAboutServer(Exchange<?> exchange) {
        return exchange == heartbeat || exchange.command.keyCount() == 0;
    }

    private boolean admits(Exchange<?> exchange) {
        if (isClassic && !takesClassicForm(exchange)) {
            return false;
        }
        Throwable cause = reportedFailure();
        if (cause != null) {
            LinkFailure.fail(exchange, cause);
            return false;
        }
        String limit = inFlight.tryAdd(exchange.bytes);
        if (limit == null) {
            return true;
        }
        if (refusing) {
            LinkFailure.fail(exchange, closedHere());
        } else {
            LinkFailure.refuseOverload(exchange, limit);
        }
        return false;
    }

    private static <T> boolean takesClassicForm(Exchange<T> exchange) {
        try {
            exchange.command = exchange.command.classicForm();
            return true;
        } catch (NoClassicFormException e) {
            exchange.fail(new MemcachedUnsupportedException(
                    "protocol CLASSIC, which is in use, lacks this function: " + e.getMessage(),
                    exchange.commandContext(Phase.QUEUED),
                    e));
            return false;
        }
    }

    private void offer(Exchange<?> exchange) {
        queue.offer(exchange);
        if (pendingOffers.getAndIncrement() == 0) {
            startWriting();
        }
    }

    private void countSkipped(Exchange<?> exchange) {
        skipped.incrementAndGet();
        inFlight.remove(1, exchange.bytes);
    }

    /** Decodes all received replies before it wakes a caller, so that new commands find the right {@link #inFlight}. */
    final void takeReplies() throws MalformedReplyException {
        lastReadNanos = System.nanoTime();
        try {
            decode();
        } finally {
            completeDecoded();
        }
    }

    private void decode() throws MalformedReplyException {
        while (replies.hasBytes()) {
            Exchange<?> first = queue.firstWritten();
            if (first == null) {
                throw replies.unrequested();
            }
            if (!first.command.decode(replies, first.opaque())) {
                return;
            }
            List<MetaRelease> releases = first.command.releases();
            if (!releases.isEmpty()) {
                listener.release(releases);
            }
            queue.advance(first);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Written by the reader only.
    private void completeDecoded() {
        int count = queue.decodedCount();
        completedInTime += queue.inTimeCount();
        completed += count;
        inFlight.remove(count, queue.decodedBytes());
        boolean haveFutures = queue.completeDecoded();
        wakeCallers();
        if (haveFutures && readerCompletesFutures()) {
            queue.forEachDecoded(Exchange::completeFuture);
        } else if (haveFutures) {
            List<Exchange<?>> replied = new ArrayList<>();
            queue.forEachDecoded(replied::add);
            listener.replied(replied);
        }
        queue.removeDecoded();
    }

    final void fail(Throwable cause) {
        if (failure.compareAndSet(null, cause)) {
            completeFailure();
        }
    }

    private void completeFailure() {
        closeSocket();
        inFlight.detachBudget();
        failPending();
        wakeTransport();
    }

    final @Nullable Throwable reportedFailure() {
        Throwable cause = failure.get();
        if (cause != null) {
            listener.linkLost(this, cause);
        }
        return cause;
    }

    final void failPending() {
        Throwable cause = reportedFailure();
        if (cause != null) {
            LinkFailure.failAll(queue, cause, listener);
        }
    }

    public final @Nullable Throwable failure() {
        return failure.get();
    }

    public final boolean isAlive() {
        return failure.get() == null;
    }

    private static IOException closedHere() {
        return new IOException("the connection was closed by this client");
    }

    public final void refuse() {
        refusing = true;
        inFlight.refuseAll();
    }

    public final void close() {
        try {
            failure.compareAndSet(null, closedHere());
        } finally {
            completeFailure(); // Even without memory for the exception.
        }
    }

    public abstract void awaitClosed(long deadlineNanos);

    /** Returns whether further ticks are needed. Called by the timer. */
    public final boolean tick(long nowNanos) {
        timer.tick(nowNanos);
        if (!isAlive()) {
            completeFailure();
            // Counted last, so that the link gets further ticks while memory is insufficient.
            ticksAfterFailure++;
            return ticksAfterFailure < TICKS_AFTER_FAILURE;
        }
        try {
            inFlight.adjustReservation();
            failDue(nowNanos);
            tickAlive(nowNanos);
        } catch (Throwable e) {
            fail(e);
        }
        return true;
    }

    private void failDue(long nowNanos) {
        List<Exchange<?>> due = new ArrayList<>();
        queue.forEach(exchange -> {
            if (exchange.isDue(nowNanos)) {
                due.add(exchange);
            }
        });
        if (!due.isEmpty()) {
            callerIsDue();
        }
        listener.failed(due.stream().filter(LinkFailure::failDue).toList());
    }

    /** Wakes the reader, because the reader's own timeout may have expired. */
    void callerIsDue() {}

    final void checkHealth(long nowNanos) {
        switch (health.check(nowNanos, inFlight(), completed + skipped.get(), replies.received())) {
            case NOTHING -> {}
            case LOOK -> lookAtIdle();
            case HEARTBEAT -> {
                Exchange<?> next = new Exchange<>(new MetaNoop(), context);
                heartbeat = next;
                // The timer itself reads the reply, at a later tick.
                next.sendAhead();
                send(next);
            }
            case CLOSE ->
                fail(new SocketTimeoutException("the oldest command has had no reply for "
                        + context.options().livenessTimeout.toMillis() + " ms"));
        }
    }

    public final int inFlight() {
        return inFlight.commands();
    }

    /** Checks the queue too, because a command stops counting as in flight before it has ended. */
    public final boolean isEmpty() {
        return isAlive() ? inFlight() == 0 && queue.isEmpty() : queue.isOver();
    }

    public final long bytesInFlight() {
        return inFlight.bytes();
    }

    public final long completed() {
        return completed;
    }

    @SuppressWarnings("UnusedVariable") // The volatile read makes the plain read after it current.
    public final long completedInTime() {
        long seen = completed;
        return completedInTime;
    }

    @SuppressWarnings("UnusedVariable") // The volatile read makes the plain read after it current.
    final LinkSnapshot snapshot(Exchange<?> exchange, long sinceNanos, long nowNanos) {
        long seen = completed;
        long silence = Math.max(0, nowNanos - lastReadNanos);
        return new LinkSnapshot(
                queue.position(exchange),
                inFlight(),
                silence,
                readerName(),
                readerHeldUpNanos(sinceNanos, nowNanos, silence),
                timer.stalledNanos(sinceNanos, nowNanos));
    }
}
