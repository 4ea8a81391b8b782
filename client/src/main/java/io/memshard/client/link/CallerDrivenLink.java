// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Link without an I/O thread: waiting callers do the I/O, one at a time, for all callers.
 *
 * <h2>Roles</h2>
 *
 * <p><b>Writer.</b> A caller queues its command and increments {@link #pendingOffers}. If the count was zero, it is the
 * writer: it writes all queued commands, in batches, until the count is back at zero. Others leave theirs to it.
 *
 * <p><b>Reader.</b> A caller without its reply tries to set {@link #reading}. If it succeeds, it waits on the socket,
 * decodes replies and wakes their owners, until its own reply has arrived. Then it hands the role over ({@link
 * #stopReading}). If it does not succeed, it parks.
 *
 * <p><b>Stand-by.</b> A thread of the link, started on demand. It reads while commands are in flight that no thread
 * waits for: asynchronous ones, and those whose caller has given up. It ends after five seconds without any.
 *
 * <p><b>Expected caller.</b> A caller may send commands on several links, and then wait for one reply after another.
 * Until it waits, its commands need no reader, because it will try to become the reader.
 *
 * <p><b>Timer.</b> At each tick the timer reads for expected callers, in case they are delayed elsewhere. It is one
 * itself, for heartbeats, so that many idle connections need no threads. It also reads if no stand-by can start.
 *
 * <p>While the reader wakes the owners of a batch of replies, it is also the writer, unless another thread is. The next
 * commands of these owners are queued in the meantime, and sent in one write before the reader reads again.
 *
 * <h2>Why no command is left unwritten</h2>
 *
 * <p>An offer precedes its increment. The writer reads the count, empties the queue, then subtracts the count it read.
 * An offer counted before this read was in the queue. An offer counted later keeps the count above zero, and the writer
 * makes another round. The queue can seem to end early at a half-done offer, whose increment brings the writer back.
 *
 * <p>A writer stops with the count above zero in two cases only, and passes its duty on first. If the socket is full,
 * the reader takes the duty over, through {@link #socketFull}. If the writer has written for others long enough, the
 * stand-by takes the duty over, through {@link #standbyWrites}; without a stand-by the writer continues.
 *
 * <h2>Why no reply is left unread</h2>
 *
 * <p>Invariant: if {@code reading} is false and a command is in flight, a thread is running or unparked that will try
 * to set {@code reading}, or the caller is expected. A sender tries after its offer: a blocking caller by waiting, an
 * asynchronous one by waking the stand-by if no thread reads. An expected caller tries when it starts to wait. If it
 * finds {@code reading} set, the reader clears the flag later, checks the queue after that, and so finds the command
 * there. A reader that stops wakes the waiting thread of the oldest command that has one, or else the stand-by. The
 * stand-by takes the role regardless of what it finds. A caller that started to wait meanwhile found {@code reading}
 * set, and the stand-by's own hand-over wakes it. A woken thread may leave, after a timeout or an interrupt. Then
 * {@link #abandoned} makes it the reader briefly, so that it hands over again. It may also find its reply. Then another
 * thread has read the reply, and owes the same hand-over. Offers, {@code reading}, {@code outcome} and {@code waiter}
 * are volatile. Of two threads that each write one and then read the other's, at least one sees the other's write.
 *
 * <h2>Why no wake-up is lost when the stand-by ends</h2>
 *
 * <p>A thread that wakes the stand-by writes an offer, {@code reading} or {@code standbyWrites}, and then reads {@link
 * #standby}. A stand-by that ends clears {@code standby}, and then checks each of these. All are volatile. If the
 * waking thread still found this stand-by, the stand-by checks later and finds the work; else that thread starts
 * another. Work found by both is done once, because a compare-and-set takes {@code reading} and {@code standbyWrites}.
 *
 * <h2>Why no caller is left waiting on a failed link</h2>
 *
 * <p>{@link PipelinedLink} describes how a link fails. Closing the socket ends the reader's wait. The reader fails the
 * pending commands when it stops: it checks {@code failure} after it has cleared {@code reading}, and no thread removes
 * commands after that. A caller that checks for its reply on a failed link fails its own command.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: an interrupt or a timeout of the reader does not affect the socket, which is read only when bytes are
 * available. The reply of a caller that has given up is read and discarded in its turn. An {@link Error} in a thread
 * that reads or writes fails the link, because the role may not have been passed on.
 */
public final class CallerDrivenLink extends PipelinedLink {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** Number of batches after which a writer, whose reply may have arrived, leaves the rest to the stand-by. */
    private static final int MAX_BATCHES = 32;

    private static final long STANDBY_WAIT_NANOS = 1_000_000_000L;

    /** Time without work after which the stand-by ends. */
    private static final long STANDBY_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LinkSocket socket;

    /** True if some thread is the reader. */
    private final AtomicBoolean reading = new AtomicBoolean();

    /** Set by a writer that leaves its duty to the reader, cleared by the reader that takes the duty. */
    private volatile boolean socketFull;

    /** Set by a writer that leaves its duty to the stand-by, cleared by the stand-by. */
    private final AtomicBoolean standbyWrites = new AtomicBoolean();

    private final ThreadFactory standbyThreads;

    /** Null while none runs. Written under the monitor of this object: once it runs, and by itself when it ends. */
    private volatile @Nullable Thread standby;

    /** True while the reader waits on the socket. */
    private volatile boolean atSocket;

    CallerDrivenLink(LinkContext context, LinkSocket socket, Listener listener, ThreadFactory standbyThreads) {
        super(context, listener, new RequestBuffer());
        this.socket = socket;
        this.standbyThreads = standbyThreads;
    }

    /** Connects. See {@link LinkOpener#open}. */
    public static Link open(SocketAddress address, LinkContext context, long timeoutNanos, Listener listener)
            throws IOException {
        LinkSocket socket = LinkSocket.connect(address, timeoutNanos, context.options());
        try {
            return new CallerDrivenLink(
                    context, socket, listener, task -> new DaemonThread(task, "memshard-standby-" + context));
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    // Writer.

    @Override
    void startWriting() {
        write(MAX_BATCHES);
    }

    /** Writes queued commands until none is left, or passes the writer's duty on. */
    private void write(int maxBatches) {
        try {
            int seen = pendingOffers.get();
            int batches = maxBatches;
            while (seen != 0 && isAlive()) {
                if (!socket.flush()) {
                    socketFull = true;
                    socket.wakeUp();
                    return;
                }
                if (batches-- == 0) {
                    if (leaveToStandby()) {
                        return;
                    }
                    batches = maxBatches;
                }
                if (!encodeBatch()) {
                    seen = pendingOffers.addAndGet(-seen);
                } else if (requests.length() > 0) {
                    socket.write(requests);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Passes the writer's duty to the stand-by. Returns false if none can be started. */
    private boolean leaveToStandby() {
        standbyWrites.set(true);
        if (!wakeStandby() && standbyWrites.compareAndSet(true, false)) {
            return false;
        }
        // The stand-by may be waiting as the reader.
        socket.wakeUp();
        return true;
    }

    @Override
    public Phase writtenPhase() {
        return socketFull ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    // Reader.

    @Override
    void sent(Exchange<?> exchange) {
        if (!reading.get() && exchange.waitingThread() == null && !exchange.isCallerExpected()) {
            wakeStandby();
        }
    }

    @Override
    public void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        while (!exchange.isOver() && !Thread.currentThread().isInterrupted()) {
            Throwable cause = failure();
            if (cause != null) {
                // No reply can arrive any more, and the thread that failed the link may have missed this command.
                LinkFailure.fail(exchange, cause);
                return;
            }
            long remaining = deadlineNanos - System.nanoTime();
            if (remaining <= 0) {
                return;
            }
            try {
                readOrPark(exchange, remaining, deadlineNanos);
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    private void readOrPark(Exchange<?> exchange, long remainingNanos, long deadlineNanos) {
        if (startReading()) {
            try {
                readUntilOver(exchange, deadlineNanos);
            } finally {
                stopReading();
            }
        } else {
            exchange.park(remainingNanos);
        }
    }

    private boolean startReading() {
        return !reading.get() && reading.compareAndSet(false, true);
    }

    /** Reads until the reader's own reply has arrived, or the reader gives up, or the link has failed. */
    private void readUntilOver(Exchange<?> own, long deadlineNanos) {
        // With only its own command in flight, which was just sent, bytes have hardly arrived yet.
        boolean mayHaveBytes = inFlight() > 1 || own.isSentAhead();
        while (!own.isOver() && isAlive() && !Thread.currentThread().isInterrupted()) {
            boolean hasRead = mayHaveBytes && readAvailable();
            if (hasRead && own.isOver()) {
                return;
            }
            long remaining = deadlineNanos - System.nanoTime();
            if (remaining <= 0) {
                return;
            }
            if (!hasRead) {
                awaitSocket(remaining);
            }
            mayHaveBytes = true;
        }
    }

    /** Reads and processes available bytes. Returns false if the socket has none. */
    private boolean readAvailable() {
        try {
            int read = socket.read(replies);
            if (read == 0) {
                return false;
            }
            if (read < 0) {
                throw new EOFException("closed by the server");
            }
            boolean writesToo = pendingOffers.compareAndSet(0, 1);
            takeReplies();
            if (writesToo) {
                write(MAX_BATCHES);
            }
        } catch (IOException | MalformedReplyException | RuntimeException | Error e) {
            fail(e);
        }
        return true;
    }

    /** Uses another thread, because dependent stages may block this one, which reads and writes for all. */
    @Override
    void completeFutures() {
        passFuturesOn();
    }

    private void awaitSocket(long nanos) {
        atSocket = true;
        try {
            if (!socket.await(nanos, socketFull)) {
                return;
            }
        } catch (IOException e) {
            fail(e);
            return;
        } finally {
            atSocket = false;
        }
        writeAgain();
    }

    /** Takes the writer's duty that a writer has left to the reader. */
    private void writeAgain() {
        socketFull = false;
        write(MAX_BATCHES);
    }

    /** Gives up the reader's role, and wakes a thread to take it if a reader is needed. */
    private void stopReading() {
        while (true) {
            queue.removeSkipped();
            Exchange<?> successor = queue.firstWaitedFor();
            boolean inFlightUnattended = successor == null && queue.needsReader();
            reading.set(false);
            if (!isAlive()) {
                failPending();
                return;
            }
            Thread next = successor == null ? null : successor.waitingThread();
            if (next != null) {
                LockSupport.unpark(next);
                return;
            }
            if (inFlightUnattended) {
                wakeStandby();
                return;
            }
            if (!queue.needsReader() || !startReading()) {
                return;
            }
        }
    }

    @Override
    public void abandoned() {
        try {
            if (startReading()) {
                stopReading();
            }
        } catch (Throwable e) {
            // For lack of stack or memory, the reader's role may not have been passed on.
            fail(e);
        }
    }

    // Stand-by.

    /** Wakes the stand-by. Returns false, which leaves the work to the timer, if no thread can be started. */
    private boolean wakeStandby() {
        Thread there = standby;
        Thread thread = there == null ? startStandby() : there;
        LockSupport.unpark(thread);
        return thread != null;
    }

    /** Returns the stand-by; null if no thread can be started now. */
    private synchronized @Nullable Thread startStandby() {
        if (standby == null) {
            try {
                Thread thread = standbyThreads.newThread(this::standBy);
                thread.start();
                standby = thread;
            } catch (Throwable e) {
                LOG.debug("{}: no stand-by thread can be started", context, e);
            }
        }
        return standby;
    }

    private void standBy() {
        boolean retired = false;
        for (long idleSince = System.nanoTime(); isAlive() && !retired; ) {
            idleSince = helps() ? System.nanoTime() : idleSince;
            // Either this thread has handed the reader's role over, perhaps to itself, or another thread reads and will
            // hand it over. The thread that gets the role is unparked, so that one attempt is enough.
            long rest = STANDBY_IDLE_NANOS - (System.nanoTime() - idleSince);
            if (rest > 0 && !standbyWrites.get() && isAlive()) {
                LockSupport.parkNanos(this, rest);
            }
            retired = rest <= 0 && hasRetired();
        }
    }

    /** Writes if that is the stand-by's duty, and reads if no other thread does. Returns whether it did either. */
    private boolean helps() {
        boolean writes = standbyWrites.compareAndSet(true, false);
        if (writes) {
            write(Integer.MAX_VALUE);
        }
        if (!queue.needsReader() || !startReading()) {
            return writes;
        }
        try {
            readUntilWaitedFor();
        } finally {
            stopReading();
        }
        return true;
    }

    /** Gives up the stand-by's place. Returns false if work was left, and this thread is the stand-by again. */
    private boolean hasRetired() {
        synchronized (this) {
            standby = null;
        }
        if (!helps()) {
            return true;
        }
        synchronized (this) {
            standby = standby == null ? Thread.currentThread() : standby;
            return standby != Thread.currentThread();
        }
    }

    /** Reads until a waiting thread can read, perhaps immediately, or no command in flight needs a reader. */
    private void readUntilWaitedFor() {
        queue.removeSkipped();
        while (isAlive() && !standbyWrites.get() && queue.needsReader() && queue.firstWaitedFor() == null) {
            if (!readAvailable()) {
                awaitSocket(STANDBY_WAIT_NANOS);
            }
            queue.removeSkipped();
        }
    }

    // Timer and end.

    @Override
    void tickAlive(long nowNanos) {
        Thread thread = standby;
        if (thread != null && !thread.isAlive() && thread == standby) {
            throw new IllegalStateException("an Error has ended the stand-by thread");
        }
        if (isLeftToTimer()) {
            readOnce();
        }
        checkHealth(nowNanos);
    }

    /** Returns whether commands are in flight for which neither a caller nor a stand-by reads now. */
    private boolean isLeftToTimer() {
        boolean nobodyWaits = !queue.isEmpty() && queue.firstWaitedFor() == null;
        return nobodyWaits && (standby == null || !queue.needsReader());
    }

    /** Reads, because no other thread waits or reads on an idle link. */
    @Override
    void lookAtIdle() {
        readOnce();
    }

    /** Does the pending work of a reader, if no other thread reads. */
    private void readOnce() {
        if (startReading()) {
            try {
                if (socketFull) {
                    writeAgain();
                }
                readAvailable();
            } finally {
                stopReading();
            }
        }
    }

    @Override
    void closeSocket() {
        socket.close();
    }

    @Override
    void wakeTransport() {
        LockSupport.unpark(standby);
    }

    /** Waits for the end of the stand-by; the socket is already closed. */
    @Override
    public void awaitClosed(long deadlineNanos) {
        Thread thread = standby;
        if (thread != null && thread != Thread.currentThread()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, deadlineNanos - System.nanoTime());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    String readerName() {
        return "reading thread";
    }

    @Override
    long readerHeldUpNanos(long nowNanos, long silenceNanos) {
        // The calling thread has given up the role. The reader is thus another, busy with the replies of its last read.
        boolean busy = reading.get() && !atSocket;
        return busy && silenceNanos >= StallDetector.NOTEWORTHY_NANOS ? silenceNanos : 0;
    }
}
