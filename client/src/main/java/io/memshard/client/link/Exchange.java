// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.ErrorReply;
import io.memshard.client.protocol.MetaNoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A command in flight: the node its link queues, and what its caller waits for.
 *
 * <p>It ends once, by the thread that first replaces the null in {@link #outcome} ({@link #end}). The reader of the
 * link ends it with {@link #DECODED}. Any thread may end it with a {@link MemcachedException}, or with an {@link Error}
 * if there is no memory or stack for a failure that says more. The end wakes the thread that waits. A future is
 * completed afterwards, by {@link #completeFuture}, because what depends on it may block. An exchange that ended early
 * stays in its link's queue until its reply has been read and dropped, so that each reply meets its own command.
 *
 * <p>Memory effects: what the reader decoded into the command is written before {@link #outcome}, and read
 * by the caller after it. {@link #waiter} and {@link #outcome} are a pair of volatile flags. The caller writes {@code
 * waiter} and then reads {@code outcome}; the reader writes {@code outcome} and then reads {@code waiter}; so at least
 * one sees the other.
 */
public class Exchange<T> {

    /** The outcome of a reply that was decoded whole: a result or an error reply, which the command holds. */
    private static final Object DECODED = new Object();

    private static final VarHandle OUTCOME;
    private static final VarHandle WAITER;
    private static final VarHandle LINK;
    private static final VarHandle OPAQUE;
    private static final VarHandle DEADLINE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OUTCOME = lookup.findVarHandle(Exchange.class, "outcome", Object.class);
            WAITER = lookup.findVarHandle(Exchange.class, "waiter", Object.class);
            LINK = lookup.findVarHandle(Exchange.class, "link", Link.class);
            OPAQUE = lookup.findVarHandle(Exchange.class, "opaque", int.class);
            DEADLINE = lookup.findVarHandle(Exchange.class, "deadlineNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The opaque of a command that is not encoded yet. */
    private static final int UNWRITTEN = -1;
    /** The opaque of a command that ended before it could be encoded, and that the writer has passed over. */
    private static final int SKIPPED = -2;
    /** The opaque of a command that ends and is to be passed over. */
    private static final int WITHDRAWN = -3;

    /** Of a command with its key, its future and what links them, rounded up. */
    private static final int BYTES = 512;

    private static final long NO_DEADLINE = Long.MAX_VALUE;

    /**
     * A caller that waits at least this long parks without a time limit, and the timer wakes it. Timed parks are
     * expensive, especially on virtual threads; one 50 ms tick of delay does not matter to a wait this long. The
     * default time-out of 500 ms is one.
     */
    private static final long LONG_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /**
     * Replaced by its classic form, if at all, before it is offered to the queue of a link. Replaced by {@link
     * #release} when it has failed.
     */
    public Command<T> command;

    public final LinkContext context;

    /** What it counts for among the bytes in flight. */
    public final long bytes;

    /** The link it was sent on; null before. Written by the sender, once. */
    private volatile @Nullable Link link;

    /** Null, {@link #DECODED}, a {@link MemcachedException} or an {@link Error}. */
    private volatile @Nullable Object outcome;

    /** Null, the {@link Thread} that waits or has waited, or the {@link CompletableFuture} that was asked for. */
    private volatile @Nullable Object waiter;

    /** Whether its caller does something else before it waits. Written before it is sent and when the caller leaves. */
    private volatile boolean sentAhead;

    /** The next exchange in the link's queue. */
    volatile @Nullable Exchange<?> next;

    /**
     * The number that request and reply share, {@link #UNWRITTEN}, {@link #WITHDRAWN} or {@link #SKIPPED}. The writer
     * and a thread that ends it early decide by compare-and-set whether it is written, so that a failure says so truly.
     */
    @SuppressWarnings("UnusedVariable") // Read through OPAQUE.
    private volatile int opaque = UNWRITTEN;

    /** When the timer ends the wait, in {@link System#nanoTime()}. Written by the caller, once. */
    private volatile long deadlineNanos = NO_DEADLINE;

    public Exchange(Command<T> command, LinkContext context) {
        this.command = command;
        this.context = context;
        bytes = BYTES + command.requestBytes();
    }

    /** One that has ended and has no caller. */
    static Exchange<?> withoutCaller(LinkContext context) {
        Exchange<?> exchange = new Exchange<>(new MetaNoop(), context);
        exchange.outcome = DECODED;
        return exchange;
    }

    /** The context of a failure in {@code phase}. */
    public CommandContext commandContext(Phase phase) {
        return context.forCommand(command, phase);
    }

    // On its link.

    /** Tells that {@code sentOn} has it now. */
    void setLink(Link sentOn) {
        LINK.setRelease(this, sentOn);
    }

    /** How its link looks now; null if it was sent on none yet. */
    @Nullable
    LinkSnapshot snapshot() {
        Link sentOn = link;
        return sentOn == null ? null : sentOn.snapshot(this, System.nanoTime());
    }

    /** Tells the link that it had no reply in time. */
    void tellTimeout(long sentNanos, String why) {
        Link sentOn = link;
        if (sentOn != null) {
            sentOn.timedOut(sentNanos, why);
        }
    }

    int opaque() {
        return (int) OPAQUE.getAcquire(this);
    }

    /** Whether the request has been, or is being, written. */
    public boolean isWritten() {
        return opaque() >= 0;
    }

    /** Whether the writer has passed over it. */
    boolean isSkipped() {
        return opaque() == SKIPPED;
    }

    /** Called by the link's writer before it encodes the request; false if that must not be, because it has ended. */
    public boolean startWriting(int newOpaque) {
        return !isOver() && OPAQUE.compareAndSet(this, UNWRITTEN, newOpaque);
    }

    /** Called by the link's writer instead. */
    void skip() {
        OPAQUE.setRelease(this, SKIPPED);
    }

    /** How far it has come, for the failure that ends it now. A command that is still queued is never written then. */
    public Phase endingPhase() {
        Link sentOn = link;
        boolean unwritten = OPAQUE.compareAndSet(this, UNWRITTEN, WITHDRAWN) || !isWritten();
        return unwritten || sentOn == null ? Phase.QUEUED : sentOn.writtenPhase();
    }

    // The end.

    public boolean isOver() {
        return outcome != null;
    }

    /** The one way to end it, but for its future; false if it has ended already. */
    private boolean end(Object how) {
        if (!OUTCOME.compareAndSet(this, null, how)) {
            return false;
        }
        if (waiter instanceof Thread thread && thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    /**
     * Ends it with the reply that was just decoded. Called by the link's reader.
     *
     * @return whether there is a future to complete
     */
    public boolean complete() {
        end(DECODED);
        return hasFuture();
    }

    /** Ends it with a failure; false if it has ended already. */
    public boolean fail(MemcachedException failure) {
        return end(failure);
    }

    /**
     * Lets go of the values of the request after it has failed. Otherwise they would stay in memory for as long as the
     * exchange stays in its link's queue, or its future waits to be completed. Does nothing while a reply may come.
     */
    public void release() {
        Object how = outcome;
        Link sentOn = link;
        boolean isUnanswerable = opaque() <= SKIPPED || (sentOn != null && !sentOn.isAlive());
        if (how != null && how != DECODED && isUnanswerable && !(command instanceof ReleasedCommand)) {
            command = new ReleasedCommand<>(command);
        }
    }

    /** As {@link #fail(MemcachedException)}, for lack of memory or stack for one. */
    public boolean fail(Error failure) {
        return end(failure);
    }

    /** Whether a future was asked for, and is not completed yet. One that comes later finds the outcome there. */
    public boolean hasFuture() {
        return waiter instanceof CompletableFuture;
    }

    /** Whether some {@link FutureCompleter} has it, so that no other needs to. */
    boolean isPassedOn() {
        return waiter instanceof TimedFuture<?> future && future.isPassedOn;
    }

    /** Tells that a {@link FutureCompleter} has it now. */
    void passOn() {
        if (waiter instanceof TimedFuture<?> future) {
            future.isPassedOn = true;
        }
    }

    /** Completes the future, if one was asked for, after the end. */
    public void completeFuture() {
        if (waiter instanceof TimedFuture<?> waiting) {
            @SuppressWarnings("unchecked")
            TimedFuture<T> future = (TimedFuture<T>) waiting;
            completeFuture(future);
        }
    }

    /**
     * Completes the future. The caller and the finishing thread may race here; the compare-and-set lets one of them. If
     * there is no memory even for the failure, the future is there again for another attempt.
     */
    private void completeFuture(TimedFuture<T> future) {
        if (!WAITER.compareAndSet(this, future, null)) {
            return;
        }
        boolean done = false;
        try {
            future.complete(result());
            done = true;
        } catch (Throwable e) {
            done = goesOn(future, e, deadlineNanos - System.nanoTime()) || future.completeExceptionally(e);
        } finally {
            if (!done && !future.isDone()) {
                waiter = future;
            }
        }
    }

    /**
     * Whether another exchange is going to complete the future in this one's place, after this failure.
     *
     * @param restNanos what is left of the future's time
     */
    protected boolean goesOn(CompletableFuture<T> future, Throwable failure, long restNanos) {
        return false;
    }

    /** Whether it has failed without being sent, for its connection. */
    protected final boolean hasFailedUnsent() {
        return outcome instanceof MemcachedConnectionException failure && failure.isSafeToRetry();
    }

    /** The command's result, or the failure thrown. Called once, by the thread that takes the result. */
    public T result() {
        Object how = outcome;
        if (how instanceof MemcachedException failure) {
            // The trace of the thread that failed it says nothing to the caller, whose own shows the call.
            failure.fillInStackTrace();
            throw failure;
        }
        if (how instanceof Error failure) {
            throw failure;
        }
        ErrorReply error = command.errorReply();
        if (error == null) {
            try {
                return command.result();
            } catch (MemcachedDecodingException e) {
                throw e.at(commandContext(Phase.REPLIED));
            }
        }
        throw error.toException(commandContext(Phase.REPLIED));
    }

    // The timer.

    /**
     * If the time is over, wakes the caller, which then gives up, or fails the command whose future was asked for.
     * Called by the timer.
     *
     * @return whether there is a future to complete. That of a command with a reply is among them: the thread that has
     *     read the reply is held up
     */
    public boolean failIfDue(long nowNanos) {
        if (!isDue(nowNanos)) {
            return false;
        }
        // Also if it has ended: an Error may have met the thread that ended it before it could wake the caller.
        wake();
        if (!(waiter instanceof TimedFuture<?> future)) {
            return false;
        }
        LinkFailure.failTimedOut(this, future.timeoutNanos);
        return !future.isPassedOn;
    }

    /** Whether the time of its caller is over. */
    boolean isDue(long nowNanos) {
        long deadline = deadlineNanos;
        return deadline != NO_DEADLINE && deadline - nowNanos <= 0;
    }

    /** Wakes the thread that waits, so that it looks whether the exchange has ended, or has a link to wait on. */
    public void wake() {
        if (waiter instanceof Thread thread) {
            LockSupport.unpark(thread);
        }
    }

    // The caller.

    /** Registers the calling thread as the one that waits, before the command is sent. */
    public void registerCaller() {
        WAITER.setRelease(this, Thread.currentThread());
    }

    /** Registers the calling thread, which will wait no longer than until the timer or itself finds the time over. */
    public void registerCaller(long timeoutNanos) {
        DEADLINE.setRelease(this, System.nanoTime() + timeoutNanos);
        registerCaller();
    }

    /** Tells, before it is sent, that the calling thread will wait for it, after what it does first. */
    public void sendAhead() {
        sentAhead = true;
    }

    /** Whether its caller does, or did, something else before it waits. */
    public boolean isSentAhead() {
        return sentAhead;
    }

    /** Whether a thread is going to wait that does not yet. */
    public boolean isCallerExpected() {
        return sentAhead && waiter == null && outcome == null;
    }

    /** The thread that waits; null if none does, or not any more. */
    @Nullable
    public Thread waitingThread() {
        return outcome == null && waiter instanceof Thread thread ? thread : null;
    }

    /**
     * A future of the result, which fails when the time is over. Called at most once, and not beside {@link #await}.
     */
    public CompletableFuture<T> toFuture(Duration timeout) {
        TimedFuture<T> future = new TimedFuture<>(timeout.toNanos());
        deadlineNanos = System.nanoTime() + future.timeoutNanos;
        waiter = future;
        if (outcome != null) {
            completeFuture(future);
        }
        return future;
    }

    /** Waits for the result, and fails when the time is over. The waiting thread may be used to do the link's I/O. */
    public T await(long timeoutNanos) {
        if (outcome == null) {
            waiter = Thread.currentThread();
            awaitEnd(timeoutNanos);
        }
        return result();
    }

    /** As {@link #await}, for a caller that {@link #registerCaller} has made known. */
    public T awaitAsRegistered(long timeoutNanos) {
        if (outcome == null) {
            awaitEnd(timeoutNanos);
        }
        return result();
    }

    private void awaitEnd(long timeoutNanos) {
        long registered = deadlineNanos;
        long deadline = registered == NO_DEADLINE ? System.nanoTime() + timeoutNanos : registered;
        try {
            while (outcome == null) {
                Link sentOn = link;
                if (sentOn == null) {
                    parkUntilOver(null, deadline);
                } else {
                    sentOn.awaitEnd(this, deadline);
                }
                if (outcome == null) {
                    giveUpIfDue(deadline, timeoutNanos);
                }
            }
        } catch (Throwable e) {
            // A write needs no stack, a call may find none: so no thread counts on this one in any case.
            sentAhead = false;
            waiter = null;
            abandon();
            throw e;
        }
    }

    private void giveUpIfDue(long deadlineNanos, long timeoutNanos) {
        if (Thread.currentThread().isInterrupted()) {
            fail(new MemcachedInterruptedException("interrupted while waiting", commandContext(endingPhase()), null));
        } else if (deadlineNanos - System.nanoTime() <= 0) {
            LinkFailure.failTimedOut(this, timeoutNanos);
        } else {
            return;
        }
        abandon();
    }

    /** The calling thread, which was registered, waits no more. It may have had a duty to read until now. */
    public void abandon() {
        sentAhead = false;
        waiter = null;
        Link sentOn = link;
        if (sentOn != null) {
            sentOn.abandoned();
        }
    }

    /**
     * Parks until the exchange has ended, the deadline has passed, the thread is interrupted, or, for an
     * exchange that was not sent yet, until it is.
     *
     * @param parkedOn the link that the caller found it on; null if it was on none. Not to be read again here: the
     *     link may have come since, and with it the duty to read
     */
    public void parkUntilOver(@Nullable Link parkedOn, long deadline) {
        while (outcome == null && link == parkedOn && !Thread.currentThread().isInterrupted()) {
            long remaining = deadline - System.nanoTime();
            if (remaining <= 0) {
                return;
            }
            park(remaining);
        }
    }

    /** Parks the caller until it is woken, or the time is over. */
    public void park(long remainingNanos) {
        if (remainingNanos >= LONG_WAIT_NANOS && deadlineNanos != NO_DEADLINE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, remainingNanos);
        }
    }

    /** What {@link #toFuture} returns, and how long it may take. */
    private static final class TimedFuture<T> extends CompletableFuture<T> {

        final long timeoutNanos;

        /** A hint: without it the future is passed on once more, which does no harm. */
        boolean isPassedOn;

        TimedFuture(long timeoutNanos) {
            this.timeoutNanos = timeoutNanos;
        }
    }
}
