// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.FutexWaiters;
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
 * Command in flight.
 *
 * <p>The first thread that sets {@link #outcome} ends the exchange. The link's reader sets {@link #DECODED}, and any
 * thread may set a failure. An exchange that ended before its reply arrived stays queued until this reply is read and
 * discarded. Otherwise another command would get this reply.
 *
 * <p>Memory effects: the reader decodes the reply into the command before it writes {@link #outcome}. The caller reads
 * {@code outcome} before it reads the reply. The caller writes {@link #waiter} and then reads {@code outcome}; the
 * reader writes {@code outcome} and then reads {@code waiter}. Both fields are volatile, so at least one of the two
 * threads sees the other's write.
 */
public class Exchange<T> {

    private static final Object DECODED = new Object();
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

    // A withdrawn command has ended before the writer reached it. The writer marks it as skipped.
    private static final int UNWRITTEN = -1;
    private static final int SKIPPED = -2;
    private static final int WITHDRAWN = -3;

    /** Estimated memory in bytes of a command with its key and its future. */
    private static final int BYTES = 512;

    private static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Shortest wait that the timer ends, up to 50 ms late, because parking with a time limit is expensive. */
    static final long LONG_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    public Command<T> command;
    public final LinkContext context;
    public final int bytes;

    private volatile @Nullable Link link;

    /** Null until the exchange ends; then {@link #DECODED}, a {@link MemcachedException} or an {@link Error}. */
    private volatile @Nullable Object outcome;

    /** Caller's thread, {@link JointWait}, {@link FutexWaiters.Place} or {@link TimedFuture}; null if no one waits. */
    private volatile @Nullable Object waiter;

    /** {@link #SENT_AHEAD} or the {@link JointWait} that counts this exchange; null if the caller waits immediately. */
    private volatile @Nullable Object ahead;

    volatile @Nullable Exchange<?> next;

    /** Opaque of the request; negative while the request is not written. */
    @SuppressWarnings("UnusedVariable") // Read through OPAQUE.
    private volatile int opaque = UNWRITTEN;

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

    boolean isWritten() {
        return opaque() >= 0;
    }

    boolean isSkipped() {
        return opaque() == SKIPPED;
    }

    boolean startWriting(int newOpaque) {
        return !isOver() && OPAQUE.compareAndSet(this, UNWRITTEN, newOpaque);
    }

    void skip() {
        OPAQUE.setRelease(this, SKIPPED);
    }

    /** Prevents the writing of a queued command. Returns the phase to report if the exchange fails now. */
    public Phase endingPhase() {
        boolean unwritten = OPAQUE.compareAndSet(this, UNWRITTEN, WITHDRAWN) || !isWritten();
        Link sentOn = link; // Read after the check, because the link is set before the command is written.
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
            FutexWaiters.Place.wake(sleeper, how == DECODED);
        }
        return true;
    }

    private void leaveJointWait(boolean batched) {
        if (ahead instanceof JointWait wait && AHEAD.compareAndSet(this, wait, SENT_AHEAD)) {
            wait.end(outcome != DECODED, batched);
        }
    }

    /** Returns whether a future has to be completed. Called by the reader. */
    public boolean complete() {
        end(DECODED);
        return hasFuture();
    }

    public boolean fail(MemcachedException failure) {
        return end(failure);
    }

    public boolean fail(Error failure) {
        return end(failure);
    }

    /** Drops the values of a failed command without a reply, because the queue may keep the exchange in memory. */
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

    protected boolean startSecondAttempt(CompletableFuture<T> future, Throwable failure, long restNanos) {
        return false;
    }

    protected final boolean hasFailedUnsent() {
        return outcome instanceof MemcachedConnectionException failure && failure.isSafeToRetry();
    }

    /** Returns the command's result, or throws the failure. Must be called only once. */
    public T result() {
        Object how = outcome;
        VarHandle.releaseFence(); // Orders this read before the caller's writes to its arrays; see Batch.
        if (how instanceof MemcachedException failure) {
            // The caller needs the stack trace of its own call, not of the thread that failed the command.
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

    public void wake() {
        if (outcome != null) {
            leaveJointWait(false);
        }
        FutexWaiters.Place.wake(sleeper(), false);
    }

    /** Makes the reply wake the calling thread. Must be called before the command is sent. */
    public void registerCaller() {
        WAITER.setRelease(this, Thread.currentThread());
    }

    public void registerCaller(long timeoutNanos) {
        DEADLINE.setRelease(this, System.nanoTime() + timeoutNanos);
        registerCaller();
    }

    /** Declares that the calling thread will wait for the reply later. Must be called before the command is sent. */
    public void sendAhead() {
        ahead = SENT_AHEAD;
    }

    /** Adds the exchange to {@code wait}. Must be called after {@link #sendAhead}. */
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

    boolean isCallerExpected() {
        return ahead != null && outcome == null && waiter == null && waitingThread() == null;
    }

    @Nullable
    Thread waitingThread() {
        Object sleeper = outcome == null ? sleeper() : null;
        return sleeper instanceof FutexWaiters.Place place
                ? place.thread()
                : sleeper instanceof Thread thread ? thread : null;
    }

    private @Nullable Object sleeper() {
        Object by = waiter == null ? ahead : waiter;
        return by instanceof JointWait wait ? wait.sleeper() : by;
    }

    boolean isAwaited() {
        return outcome != null && !(waiter instanceof JointWait wait && wait.isLeft());
    }

    /** Returns a future that fails when the timeout expires. Must not be combined with {@link #await}. */
    public CompletableFuture<T> toFuture(Duration timeout) {
        TimedFuture<T> future = new TimedFuture<>(timeout.toMillis(), context.isIoThread());
        deadlineNanos = System.nanoTime() + timeout.toNanos();
        waiter = future;
        if (outcome != null) {
            completeFuture();
        }
        return future;
    }

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
                    // Another thread may have woken this thread to read for an exchange that it no longer awaits.
                    sentOn.abandoned();
                }
            }
        }
        return result();
    }

    public T awaitAsRegistered(long timeoutNanos) {
        if (outcome == null) {
            awaitEnd(timeoutNanos, 0);
        }
        return result();
    }

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
            // The fields first, because the call may run out of stack.
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

    /** Ends the wait. Makes another thread read, because the calling thread may have been woken to read. */
    public void abandon() {
        leaveJointWait(false);
        ahead = null;
        waiter = null;
        Link sentOn = link;
        if (sentOn != null) {
            sentOn.abandoned();
        }
    }

    void parkUntilOver(@Nullable Link parkedOn, long deadline) {
        while (!isAwaited() && link == parkedOn && !Thread.currentThread().isInterrupted()) {
            long remaining = deadline - System.nanoTime();
            if (remaining <= 0) {
                return;
            }
            park(remaining);
        }
    }

    boolean sleepsAtPlace() {
        return deadlineNanos != NO_DEADLINE || waiter instanceof JointWait;
    }

    boolean isEndedByTimer(long remainingNanos) {
        return remainingNanos >= LONG_WAIT_NANOS && deadlineNanos != NO_DEADLINE;
    }

    public void sleepAt(FutexWaiters.@Nullable Place where) {
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
