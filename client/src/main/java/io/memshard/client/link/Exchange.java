// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.FutexWaiter;
import io.memshard.client.concurrent.JointWait;
import io.memshard.client.exception.CommandContext;
import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.Command;
import io.memshard.client.protocol.wire.ErrorReply;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Command in flight: a node in its link's queue, and the object its caller waits on.
 *
 * <p>An exchange ends once: the first thread that replaces the null in {@link #outcome} ends it. The link's reader ends
 * it with {@link #DECODED}. Any thread may end it with a {@link MemcachedException}, or with an {@link Error} if memory
 * or stack is insufficient for such an exception. The end wakes the waiting thread. A future is completed afterwards,
 * by {@link #completeFuture}, because its dependent stages may block. An exchange that ended early stays queued until
 * its reply has been read and discarded, so that no command gets another's reply.
 *
 * <p>Memory effects: the reader writes the decoded reply into the command before it writes {@link #outcome}, and the
 * caller reads the reply after {@code outcome}. The caller writes {@link #waiter} and then reads {@code outcome}; the
 * reader writes {@code outcome} and then reads {@code waiter}. Both fields are volatile, so at least one of the two
 * threads sees the other's write.
 */
public class Exchange<T> {

    /** Outcome of a completely decoded reply: a result or an error reply, which the command holds. */
    private static final Object DECODED = new Object();

    /** Mark of an exchange whose caller does something else before it waits. */
    private static final Object SENT_AHEAD = new Object();

    private static final VarHandle OUTCOME = handle("outcome", Object.class);
    private static final VarHandle WAITER = handle("waiter", Object.class);
    private static final VarHandle AHEAD = handle("ahead", Object.class);
    private static final VarHandle LINK = handle("link", Link.class);
    private static final VarHandle OPAQUE = handle("opaque", int.class);
    private static final VarHandle DEADLINE = handle("deadlineNanos", long.class);

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Exchange.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Opaques of commands that are not encoded yet, that were skipped by the writer, and that are to be skipped.
    private static final int UNWRITTEN = -1;
    private static final int SKIPPED = -2;
    private static final int WITHDRAWN = -3;

    /** Bytes of heap of a command with its key, its future and the objects that link them, rounded up. */
    private static final int BYTES = 512;

    private static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Shortest wait that parks without a limit; the timer ends it, up to 50 ms late. Timed parks are expensive. */
    static final long LONG_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** Command of this exchange. May become its classic form before it is queued; {@link #release} may replace it. */
    public Command<T> command;

    public final LinkContext context;

    /** Number of bytes that the command adds to the bytes in flight, {@link Integer#MAX_VALUE} at most. */
    public final int bytes;
    /** Link that the command was sent on; null before. Written once, by the sender. */
    private volatile @Nullable Link link;

    /** Null, {@link #DECODED}, a {@link MemcachedException} or an {@link Error}. */
    private volatile @Nullable Object outcome;

    /**
     * One of: null; the {@link Thread} that waits or has waited; this thread's {@link JointWait}; the {@link
     * FutexWaiter} where it sleeps; the requested {@link TimedFuture}.
     */
    private volatile @Nullable Object waiter;

    /** {@link #SENT_AHEAD}, or the {@link JointWait} that still counts this exchange, or null. */
    private volatile @Nullable Object ahead;

    volatile @Nullable Exchange<?> next;

    /**
     * Number shared by request and reply, {@link #UNWRITTEN}, {@link #WITHDRAWN} or {@link #SKIPPED}. Changed by
     * compare-and-set, so that the writer and a thread that reports a failure agree whether the request is written.
     */
    @SuppressWarnings("UnusedVariable") // Read through OPAQUE.
    private volatile int opaque = UNWRITTEN;

    /** Time when the timer ends the wait, in {@link System#nanoTime()}. Written once, by the caller. */
    private volatile long deadlineNanos = NO_DEADLINE;

    public Exchange(Command<T> command, LinkContext context) {
        this.command = command;
        this.context = context;
        bytes = (int) Math.min(BYTES + command.requestBytes(), Integer.MAX_VALUE);
    }

    public CommandContext commandContext(Phase phase) {
        return context.forCommand(command, phase);
    }

    void setLink(Link sentOn) {
        LINK.setRelease(this, sentOn);
    }

    @Nullable
    Link link() {
        return link;
    }

    int opaque() {
        return (int) OPAQUE.getAcquire(this);
    }

    /** Returns whether the request has been, or is being, written. */
    boolean isWritten() {
        return opaque() >= 0;
    }

    boolean isSkipped() {
        return opaque() == SKIPPED;
    }

    /** Marks the command as written, unless it has ended. Returns whether the writer has to encode it. */
    boolean startWriting(int newOpaque) {
        return !isOver() && OPAQUE.compareAndSet(this, UNWRITTEN, newOpaque);
    }

    void skip() {
        OPAQUE.setRelease(this, SKIPPED);
    }

    /** Returns the phase of a failure that ends the exchange now. A queued command is never written afterwards. */
    public Phase endingPhase() {
        Link sentOn = link;
        boolean unwritten = OPAQUE.compareAndSet(this, UNWRITTEN, WITHDRAWN) || !isWritten();
        return unwritten || sentOn == null ? Phase.QUEUED : sentOn.writtenPhase();
    }

    public boolean isOver() {
        return outcome != null;
    }

    private boolean end(Object how) {
        if (!OUTCOME.compareAndSet(this, null, how)) {
            return false;
        }
        leaveJointWait(how == DECODED);
        Object sleeper = waiter;
        if (sleeper != Thread.currentThread()) {
            FutexWaiter.wake(sleeper, how == DECODED);
        }
        return true;
    }

    private void leaveJointWait(boolean batched) {
        if (ahead instanceof JointWait wait && AHEAD.compareAndSet(this, wait, SENT_AHEAD)) {
            wait.end(outcome != DECODED, batched);
        }
    }

    /** Ends the exchange with its reply. Returns whether a future has to be completed. Called by the reader. */
    public boolean complete() {
        end(DECODED);
        return hasFuture();
    }

    /** Ends the exchange with a failure. Returns false if the exchange has already ended. */
    public boolean fail(MemcachedException failure) {
        return end(failure);
    }

    /** Same as {@link #fail(MemcachedException)}, if memory or stack is insufficient for such an exception. */
    public boolean fail(Error failure) {
        return end(failure);
    }

    /** Releases the values of a failed request that cannot get a reply, which its queue would keep in memory. */
    public void release() {
        Object how = outcome;
        Link sentOn = link;
        boolean isUnanswerable = opaque() <= SKIPPED || (sentOn != null && !sentOn.isAlive());
        if (how != null && how != DECODED && isUnanswerable && !(command instanceof ReleasedCommand)) {
            command = new ReleasedCommand<>(command);
        }
    }

    public boolean hasFuture() {
        return future() != null;
    }

    @Nullable
    @SuppressWarnings("unchecked")
    TimedFuture<T> future() {
        return waiter instanceof TimedFuture<?> future ? (TimedFuture<T>) future : null;
    }

    /**
     * Completes the future, if one was requested. Called after the end, perhaps by several threads: one of them
     * completes the future. A call that lacks memory even for a failure leaves the future to another call.
     */
    public void completeFuture() {
        TimedFuture<T> future = future();
        if (future == null || !WAITER.compareAndSet(this, future, null)) {
            return;
        }
        boolean done = false;
        try {
            future.complete(result());
            done = true;
        } catch (Throwable e) {
            done = startSecondAttempt(future, e, deadlineNanos - System.nanoTime()) || future.completeExceptionally(e);
        } finally {
            if (!done && !future.isDone()) {
                waiter = future;
            }
        }
    }

    /** Starts a second attempt, which completes {@code future}. Returns false if none is possible. */
    protected boolean startSecondAttempt(CompletableFuture<T> future, Throwable failure, long restNanos) {
        return false;
    }

    protected final boolean hasFailedUnsent() {
        return outcome instanceof MemcachedConnectionException failure && failure.isSafeToRetry();
    }

    /** Returns the command's result, or throws its failure. Called once, by the thread that takes the result. */
    public T result() {
        Object how = outcome;
        VarHandle.releaseFence(); // Before the caller's later writes to its arrays: see Batch.
        if (how instanceof MemcachedException failure) {
            // The trace of the thread that failed the command is useless to the caller, whose own trace shows the call.
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

    public boolean isDue(long nowNanos) {
        long deadline = deadlineNanos;
        return deadline != NO_DEADLINE && deadline - nowNanos <= 0;
    }

    /** Wakes the waiting thread, so that it checks whether the exchange has ended or has a link to wait on. */
    public void wake() {
        if (outcome != null) {
            leaveJointWait(false);
        }
        FutexWaiter.wake(sleeper(), false);
    }

    /** Registers the calling thread as the waiting thread, before the command is sent. */
    public void registerCaller() {
        WAITER.setRelease(this, Thread.currentThread());
    }

    /** Same as {@link #registerCaller()}, with a timeout that the timer checks too. */
    public void registerCaller(long timeoutNanos) {
        DEADLINE.setRelease(this, System.nanoTime() + timeoutNanos);
        registerCaller();
    }

    /** Declares, before the command is sent, that the calling thread will wait for it after doing something else. */
    public void sendAhead() {
        ahead = SENT_AHEAD;
    }

    /** Lets the caller, which has sent this exchange ahead, await it together with other exchanges. */
    public void join(JointWait wait) {
        Link sentOn = link;
        if (sentOn == null) {
            wait.divide();
            return;
        }
        wait.add(sentOn.readFrom());
        ahead = wait;
        if (outcome != null) {
            leaveJointWait(false);
        }
    }

    boolean isSentAhead() {
        return ahead != null;
    }

    /** Returns whether a thread is going to wait but does not yet. */
    boolean isCallerExpected() {
        return ahead != null && outcome == null && waiter == null && waitingThread() == null;
    }

    @Nullable
    Thread waitingThread() {
        Object sleeper = outcome == null ? sleeper() : null;
        return sleeper instanceof FutexWaiter place ? place.thread() : sleeper instanceof Thread thread ? thread : null;
    }

    /** Returns the thread that waits or has waited, or the place where it sleeps; else null or another object. */
    private @Nullable Object sleeper() {
        Object by = waiter == null ? ahead : waiter;
        return by instanceof JointWait wait ? wait.sleeper() : by;
    }

    /** Returns whether the caller may continue: the exchange has ended, and its {@link JointWait}, if any, too. */
    boolean isAwaited() {
        return outcome != null && !(waiter instanceof JointWait wait && wait.isLeft());
    }

    /** Returns a future of the result, which fails at the timeout. Call this or {@link #await}, and only once. */
    public CompletableFuture<T> toFuture(Duration timeout) {
        TimedFuture<T> future = new TimedFuture<>(timeout.toMillis(), context.isIoThread());
        deadlineNanos = System.nanoTime() + timeout.toNanos();
        waiter = future;
        if (outcome != null) {
            completeFuture();
        }
        return future;
    }

    /** Waits for the result, and fails when the timeout expires. The waiting thread may do the link's I/O. */
    public T await(long timeoutNanos) {
        if (outcome == null) {
            long waitedNanos = ahead instanceof JointWait wait ? wait.waitedNanos() : 0;
            JointWait joint = ahead instanceof JointWait wait && wait.begin() ? wait : null;
            waiter = joint == null ? Thread.currentThread() : joint;
            try {
                awaitEnd(timeoutNanos, waitedNanos);
            } finally {
                Link sentOn = link;
                if (joint != null && joint.stop() && sentOn != null) {
                    // This thread may have been woken to read, for an exchange that it does not await any more.
                    sentOn.abandoned();
                }
            }
        }
        return result();
    }

    /** Same as {@link #await}, but for a caller registered by {@link #registerCaller}. */
    public T awaitAsRegistered(long timeoutNanos) {
        if (outcome == null) {
            awaitEnd(timeoutNanos, 0);
        }
        return result();
    }

    /** Waits for the end, up to the timeout. The failure names the longer of the timeout and {@code waitedNanos}. */
    private void awaitEnd(long timeoutNanos, long waitedNanos) {
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
                    giveUpIfDue(deadline, Math.max(timeoutNanos, waitedNanos));
                }
            }
        } catch (Throwable e) {
            // First the fields, because a call may run out of stack: no other thread may count on this one to read.
            ahead = null;
            waiter = null;
            abandon();
            throw e;
        }
    }

    private void giveUpIfDue(long deadlineNanos, long timeoutNanos) {
        if (Thread.currentThread().isInterrupted()) {
            fail(new MemcachedInterruptedException("interrupted while waiting", commandContext(endingPhase()), null));
            abandon();
        } else if (deadlineNanos - System.nanoTime() <= 0) {
            LinkFailure.failTimedOut(this, timeoutNanos);
            abandon();
        }
    }

    /** Ends the wait of the calling thread, which may have been woken to read for other callers. */
    public void abandon() {
        leaveJointWait(false);
        ahead = null;
        waiter = null;
        Link sentOn = link;
        if (sentOn != null) {
            sentOn.abandoned();
        }
    }

    /** Parks until the exchange has ended, or its link is no longer {@code parkedOn}: the caller may have to read. */
    void parkUntilOver(@Nullable Link parkedOn, long deadline) {
        while (!isAwaited() && link == parkedOn && !Thread.currentThread().isInterrupted()) {
            long remaining = deadline - System.nanoTime();
            if (remaining <= 0) {
                return;
            }
            park(remaining);
        }
    }

    /** Returns whether the caller may sleep at a {@link FutexWaiter}: only if the timer can end the wait. */
    boolean sleepsAtPlace() {
        return deadlineNanos != NO_DEADLINE || waiter instanceof JointWait;
    }

    /** Returns whether the caller parks without a time limit, because the timer ends a wait of this length. */
    boolean isEndedByTimer(long remainingNanos) {
        return remainingNanos >= LONG_WAIT_NANOS && deadlineNanos != NO_DEADLINE;
    }

    /** Declares where the calling thread sleeps; null if this thread parks. */
    public void sleepAt(@Nullable FutexWaiter where) {
        if (waiter instanceof JointWait wait) {
            wait.sleepAt(where);
        } else {
            waiter = where == null ? Thread.currentThread() : where;
        }
    }

    public void park(long remainingNanos) {
        if (isEndedByTimer(remainingNanos)) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, remainingNanos);
        }
    }
}
