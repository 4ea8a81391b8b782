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
 * Link without I/O: admission, the queue of commands in flight, encoding and decoding, and the end of commands and of
 * the link. A transport adds the socket, and the threads that write and read.
 *
 * <h2>Writing</h2>
 *
 * <p>A sender queues its command and then increments {@link #pendingOffers}. The sender that raises the count from zero
 * calls {@link #startWriting}, and some thread then has the writer's duty until the count is back at zero. The writer
 * reads the count before it empties the queue, and subtracts this count afterwards. It has therefore written all offers
 * that it subtracts.
 *
 * <h2>How a link fails</h2>
 *
 * <p>Any thread may call {@link #fail}, because the threads that do the I/O may be blocked. The method sets {@link
 * #failure}, closes the socket, and then fails every command that it sees in the queue. Each thread that fails a
 * command because of {@code failure} notifies the listener first. A caller whose command has failed therefore finds the
 * connection without this link.
 *
 * <p>The method can miss commands while the reader removes others. The reader therefore does the same when it stops,
 * and removes nothing afterwards. A sender checks {@code failure} after its offer and does the same. An {@link Error},
 * for lack of memory or stack, fails the link like an exception. If an {@code Error} interrupts the failing too, the
 * next {@link #tick} completes it.
 *
 * <p>Threading: thread-safe. The write side of the queue and {@link #batch} belong to the writer; the read side and
 * {@link #replies} belong to the reader. A transport passes these roles on with a volatile write and read.
 */
abstract class PipelinedLink implements Link {

    /** Number of ticks after a failure, each of which ends commands that another thread may have left. */
    private static final int TICKS_AFTER_FAILURE = 40;

    final LinkContext context;
    final Listener listener;
    final ExchangeQueue queue;
    final Batch batch;

    final ReplyBuffer replies;

    /** Number of offers that no writer has accounted for; above zero while some thread has the writer's duty. */
    final AtomicInteger pendingOffers = new AtomicInteger();

    /** Written before the link is passed to another thread. */
    private boolean isClassic;

    private final LinkHealth health;
    private final InFlight inFlight;

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** True if commands are rejected because the link is about to be closed. Written before the limit. */
    private volatile boolean refusing;

    /** Written by the reader. */
    private volatile long completed;

    /** Written by the reader, and made visible by {@link #completed}. */
    private long completedInTime;

    /** Number of commands that the writer has skipped because they had ended. */
    private final AtomicLong skipped = new AtomicLong();

    /** Written by the reader, and made visible by {@link #completed}. */
    private long lastReadNanos = System.nanoTime();

    /** Last heartbeat; null before the first. Written by the thread that checks the health. */
    private volatile @Nullable Exchange<?> heartbeat;

    private final StallDetector timer = new StallDetector();

    /** Written by the timer. */
    private int ticksAfterFailure;

    PipelinedLink(LinkContext context, Listener listener, RequestBuffer requests) {
        this.context = context;
        this.listener = listener;
        isClassic = context.protocol() == Protocol.CLASSIC;
        inFlight = new InFlight(context.options(), context.budget());
        queue = new ExchangeQueue(context);
        batch = new Batch(requests, queue, this::countSkipped);
        replies = new ReplyBuffer(
                context.options().maxValueBytes(), context.options().hidesKeys());
        health = new LinkHealth(context.options(), System.nanoTime());
    }

    /** Takes on the writer's duty, now or on another thread, after an offer has raised the count from zero. */
    abstract void startWriting();

    /** Reacts to a command that its sender has queued on a link that is alive. */
    void sent(Exchange<?> exchange) {}

    /** Wakes the callers of completed exchanges that {@link Exchange#complete} has not woken. Called by the reader. */
    void wakeCallers() {}

    /** Completes the futures of the decoded exchanges, or lets another thread do so. Called by the reader. */
    abstract void completeFutures();

    /** Passes the decoded exchanges to another thread, which completes their futures. Called by the reader. */
    final void passFuturesOn() {
        List<Exchange<?>> replied = new ArrayList<>();
        queue.forEachDecoded(replied::add);
        listener.replied(replied);
    }

    /** Does the timer's work, every few dozen milliseconds, on a link that is alive. Calls {@link #checkHealth}. */
    abstract void tickAlive(long nowNanos);

    /** Checks an idle link: removes skipped commands, and detects a socket that the server has closed. */
    abstract void lookAtIdle();

    /** Closes the socket. Called by any thread, perhaps repeatedly. */
    abstract void closeSocket();

    /** Notifies the threads of the transport that the link has failed. Called by any thread, perhaps repeatedly. */
    abstract void wakeTransport();

    abstract String readerName();

    /** Returns the time for which the reader was kept from reading; 0 if it is too short to report. */
    abstract long readerHeldUpNanos(long sinceNanos, long nowNanos, long silenceNanos);

    @Override
    public final void speakClassic() {
        isClassic = true;
    }

    @Override
    public final boolean speaksClassic() {
        return isClassic;
    }

    @Override
    public final void send(Exchange<?> exchange) {
        if (!admits(exchange)) {
            listener.failed(exchange);
            return;
        }
        try {
            exchange.setLink(this);
            offer(exchange);
            if (failure.get() != null) {
                failPending();
                // The caller, which has no reply to wait for now, may have been woken to read for others.
                wakeTransport();
            } else {
                sent(exchange);
            }
        } catch (Throwable e) {
            // For lack of stack or memory: the writer's duty may be lost, or the command may not be queued.
            fail(e);
            LinkFailure.fail(exchange, e);
            listener.failed(exchange);
        }
    }

    @Override
    public final void timedOut(Exchange<?> exchange, long sentNanos, String why) {
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

    /** Counts a command as in flight, or fails it and returns false. */
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
                    "protocol CLASSIC, which is in use, lacks this command: " + e.getMessage(),
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

    /**
     * Decodes all replies in {@link #replies}, and only then completes commands, so that the counts are right when a
     * caller wakes up and sends its next command. For the reader.
     */
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
        if (haveFutures) {
            completeFutures();
        }
        queue.removeDecoded();
    }

    /** Fails the link and every command on it with this cause. Has no effect on a failed link. */
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

    /** Returns the {@link #failure} after the listener has been notified; null while the link is alive. */
    final @Nullable Throwable reportedFailure() {
        Throwable cause = failure.get();
        if (cause != null) {
            listener.linkLost(this, cause);
        }
        return cause;
    }

    /** Fails every command in the queue of a failed link. Has no effect on a link that is alive. */
    final void failPending() {
        Throwable cause = reportedFailure();
        if (cause != null) {
            LinkFailure.failAll(queue, cause, listener);
        }
    }

    @Override
    public final @Nullable Throwable failure() {
        return failure.get();
    }

    @Override
    public final boolean isAlive() {
        return failure.get() == null;
    }

    private static IOException closedHere() {
        return new IOException("closed by this client");
    }

    @Override
    public final void refuse() {
        refusing = true;
        inFlight.refuseAll();
    }

    @Override
    public final void close() {
        failure.compareAndSet(null, closedHere());
        // Even if it has failed before: an Error may have interrupted its end.
        completeFailure();
    }

    @Override
    public final boolean tick(long nowNanos) {
        timer.tick(nowNanos);
        if (!isAlive()) {
            completeFailure();
            // Only now, so that the link gets further ticks while there is no memory for its end.
            ticksAfterFailure++;
            return ticksAfterFailure < TICKS_AFTER_FAILURE;
        }
        try {
            inFlight.settle();
            failDue(nowNanos);
            tickAlive(nowNanos);
        } catch (Throwable e) {
            // The futures of failed commands may not have been passed on.
            fail(e);
        }
        return true;
    }

    /** Fails the commands whose timeout has expired. Runs on the timer, because the I/O threads may be blocked. */
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

    /** Reacts to an expired timeout, because its caller may be waiting for bytes. Called by the timer. */
    void callerIsDue() {}

    final void checkHealth(long nowNanos) {
        switch (health.check(nowNanos, inFlight(), completed + skipped.get(), replies.received())) {
            case NOTHING -> {}
            case LOOK -> {
                releaseLast();
                lookAtIdle();
            }
            case HEARTBEAT -> {
                Exchange<?> next = new Exchange<>(new MetaNoop(), context);
                heartbeat = next;
                // The timer reads at a later tick, as the expected caller.
                next.sendAhead();
                send(next);
            }
            case CLOSE ->
                fail(new SocketTimeoutException("no reply for "
                        + context.options().livenessTimeout().toMillis() + " ms to the oldest command"));
        }
    }

    /** Queues an exchange without a caller, so that the queue does not keep the last caller's value in memory. */
    private void releaseLast() {
        if (queue.keepsLast()) {
            Exchange<?> nobodys = new Exchange<>(new MetaNoop(), context);
            nobodys.complete();
            inFlight.addUnlimited(nobodys.bytes);
            offer(nobodys);
        }
    }

    @Override
    public final int inFlight() {
        return inFlight.commands();
    }

    /** Checks the count and the queue: a command leaves the count shortly before its end, and the queue afterwards. */
    @Override
    public final boolean isEmpty() {
        return isAlive() ? inFlight() == 0 && queue.isEmpty() : queue.isOver();
    }

    @Override
    public final long bytesInFlight() {
        return inFlight.bytes();
    }

    @Override
    public final long completed() {
        return completed;
    }

    @Override
    @SuppressWarnings("UnusedVariable") // As in snapshot.
    public final long completedInTime() {
        long seen = completed;
        return completedInTime;
    }

    @Override
    @SuppressWarnings("UnusedVariable") // The volatile read makes the plain read after it current.
    public final LinkSnapshot snapshot(Exchange<?> exchange, long sinceNanos, long nowNanos) {
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
