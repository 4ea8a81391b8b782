// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link.callers;

import io.memshard.client.concurrent.DaemonThread;
import io.memshard.client.exception.Phase;
import io.memshard.client.link.Exchange;
import io.memshard.client.link.Link;
import io.memshard.client.link.LinkContext;
import io.memshard.client.link.LinkFailure;
import io.memshard.client.link.PipelinedLink;
import io.memshard.client.link.StallDetector;
import io.memshard.client.options.KeepAlive;
import io.memshard.client.protocol.MalformedReplyException;
import io.memshard.client.protocol.RequestBuffer;
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
 * A link without an I/O thread: the callers that wait do the I/O, one at a time, for all.
 *
 * <h2>Roles</h2>
 *
 * <p><b>Writer.</b> A caller queues its command and increments {@link #pendingOffers}. If that was zero, it is the
 * writer: it writes all that is queued, in batches, until the count is back at zero. Others leave theirs to it.
 *
 * <p><b>Reader.</b> A caller without its reply tries to set {@link #reading}. If it succeeds, it waits on the socket,
 * decodes what comes and wakes the owners, until its own reply is there. Then it hands the role over ({@link
 * #stopReading}). If it does not succeed, it parks.
 *
 * <p><b>Stand-by.</b> A thread of the link, started when it is needed. It reads when commands are in flight that nobody
 * waits for: asynchronous ones, and those whose caller has given up. It ends after five seconds without such.
 *
 * <p><b>Expected caller.</b> A caller may send commands on several links, and then wait for one reply after the other.
 * Its commands need no reader while it is still to come, because it will try to be one.
 *
 * <p><b>Timer.</b> At each tick it reads what has come for expected callers, in case they are kept elsewhere. It is one
 * itself, for heartbeats: so many idle connections need no threads. It also reads where no stand-by can be started.
 *
 * <p>While the reader wakes the owners of a batch of replies, it is the writer too, if no other thread is. Their next
 * commands are queued meanwhile, and leave in one write before the reader reads again.
 *
 * <h2>Why no command is left unwritten</h2>
 *
 * <p>An offer precedes its increment. The writer reads the count, empties the queue, then subtracts what it read. An
 * offer counted before that read was in the queue. One counted later keeps the count above zero, and the writer goes
 * round again. The queue can seem to end early at an offer that is half done. Its increment brings the writer back.
 *
 * <p>A writer leaves with the count above zero in two cases only, and passes its duty on first. If the socket takes no
 * more, the reader takes the duty over, through {@link #socketFull}. If the writer has written for others long enough,
 * the stand-by does, through {@link #standbyWrites}; without a stand-by the writer goes on.
 *
 * <h2>Why no reply is left unread</h2>
 *
 * <p>Invariant: if {@code reading} is false and a command is in flight, a thread is running or unparked that will try
 * to set it, or the caller is expected. A sender tries after its offer: a caller by waiting, an asynchronous one by
 * waking the stand-by if nobody reads. An expected caller tries when it comes. If it finds {@code reading} set, the
 * reader clears it later, and looks at the queue after that; so it finds the command there. The reader that leaves
 * wakes the oldest command's waiting thread, or the stand-by if no thread waits. The stand-by takes the role whatever
 * it finds. A caller that began to wait meanwhile found {@code reading} set, and is woken by the stand-by's own
 * hand-over. A thread that was woken may leave instead, on a timeout or an interrupt. Then {@link #abandoned} makes it
 * reader for a moment, so that it hands over once more. It may also find its reply there. Then another thread has read
 * it, and owes the same hand-over. Offers, {@code reading}, {@code outcome} and {@code waiter} are volatile. So of two
 * threads that each write one and then read the other's, one sees the other.
 *
 * <h2>Why no wake-up is lost when the stand-by ends</h2>
 *
 * <p>Who wakes it writes an offer, {@code reading} or {@code standbyWrites}, and then reads {@link #standby}. A
 * stand-by that ends clears {@code standby}, and then looks for each of these. All are volatile. So if the waking
 * thread still found this stand-by, that looks later and finds the work. Otherwise the waking thread starts another.
 * What both find is done once, because {@code reading} and {@code standbyWrites} are taken by compare-and-set.
 *
 * <h2>Why nobody is left waiting on a failed link</h2>
 *
 * <p>{@link PipelinedLink} says how a link fails. Closing the socket ends the reader's wait. The reader fails what is
 * pending when it stops: it looks at {@code failure} after it has cleared {@code reading}, and no thread removes
 * commands after that. A caller that looks for its reply on a failed link fails its own command.
 *
 * <p>Threading: thread-safe.
 *
 * <p>Failure: an interrupt or a timeout of the reader leaves the socket alone, because it is read only when there is
 * something to read. The reply of a caller that has given up is read and dropped in its turn. An {@link Error} in a
 * thread that reads or writes fails the link, because the role may not have been passed on.
 */
public final class CallerDrivenLink extends PipelinedLink {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /** After so many batches a writer, whose reply may be there already, leaves the rest to the stand-by. */
    private static final int MAX_BATCHES = 32;

    private static final long STANDBY_WAIT_NANOS = 1_000_000_000L;

    /** After so long without anything to do the stand-by ends. */
    private static final long STANDBY_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LinkSocket socket;

    /** Whether some thread is the reader. */
    private final AtomicBoolean reading = new AtomicBoolean();

    /** Set by a writer that leaves its duty to the reader, cleared by the reader that takes it up. */
    private volatile boolean socketFull;

    /** Set by a writer that leaves its duty to the stand-by, cleared by the stand-by. */
    private final AtomicBoolean standbyWrites = new AtomicBoolean();

    private final ThreadFactory standbyThreads;

    /** Null while none is there. Written under the monitor of this: when it runs, and by itself when it ends. */
    private volatile @Nullable Thread standby;

    /** Whether the reader waits on the socket. */
    private volatile boolean atSocket;

    CallerDrivenLink(LinkContext context, LinkSocket socket, Listener listener, ThreadFactory standbyThreads) {
        super(context, listener, new RequestBuffer());
        this.socket = socket;
        this.standbyThreads = standbyThreads;
    }

    /** Connects. See {@link LinkOpener#open}. */
    public static Link open(SocketAddress address, LinkContext context, long timeoutNanos, Listener listener)
            throws IOException {
        KeepAlive keepAlive = context.options().access().keepAlive();
        LinkSocket socket = LinkSocket.connect(address, timeoutNanos, keepAlive);
        try {
            return new CallerDrivenLink(
                    context, socket, listener, task -> new DaemonThread(task, "memshard-standby-" + context));
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    // The writer.

    @Override
    protected void startWriting() {
        write(MAX_BATCHES);
    }

    /** Writes what is queued until nothing is, or passes the writer's duty on. */
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

    /** Passes the writer's duty to the stand-by; false if there is none. */
    private boolean leaveToStandby() {
        standbyWrites.set(true);
        if (!wakeStandby() && standbyWrites.compareAndSet(true, false)) {
            return false;
        }
        // It may be waiting as the reader.
        socket.wakeUp();
        return true;
    }

    @Override
    public Phase writtenPhase() {
        return socketFull ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    // The reader.

    @Override
    protected void sent(Exchange<?> exchange) {
        if (!reading.get() && exchange.waitingThread() == null && !exchange.isCallerExpected()) {
            wakeStandby();
        }
    }

    @Override
    public void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        while (!exchange.isOver() && !Thread.currentThread().isInterrupted()) {
            Throwable cause = failure();
            if (cause != null) {
                // No reply can come any more, and the thread that failed the link may have missed this command.
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

    /** Reads until the reader's own reply is there, or it gives up, or the link has failed. */
    private void readUntilOver(Exchange<?> own, long deadlineNanos) {
        // With nothing but its own command in flight, sent just now, there is hardly anything to read yet.
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

    /** Reads and handles what the socket has; false if it has nothing. */
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

    /** Not on this thread, which may be a caller, and reads and writes for all: what depends on futures may block. */
    @Override
    protected void completeFutures() {
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

    /** Takes up the writer's duty, which a writer has left to the reader. */
    private void writeAgain() {
        socketFull = false;
        write(MAX_BATCHES);
    }

    /** Gives the reader's role up, and wakes a thread to take it if there is use for it. */
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
            // For lack of stack or memory: the reader's role may not have been passed on.
            fail(e);
        }
    }

    // The stand-by.

    /** Wakes the stand-by; false, and so leaves it to the timer, if no thread can be started. */
    private boolean wakeStandby() {
        Thread there = standby;
        Thread thread = there == null ? startStandby() : there;
        LockSupport.unpark(thread);
        return thread != null;
    }

    /** Null if no thread can be started now. */
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
            // hand it over. The thread that is handed the role is unparked, so one attempt is enough.
            long rest = STANDBY_IDLE_NANOS - (System.nanoTime() - idleSince);
            if (rest > 0 && !standbyWrites.get() && isAlive()) {
                LockSupport.parkNanos(this, rest);
            }
            retired = rest <= 0 && hasRetired();
        }
    }

    /** Writes if that is left to the stand-by, and reads if nobody else does; whether it had to. */
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

    /** Gives the stand-by's place up; false if there was still something to do, and the place is its own again. */
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

    /** Reads until a thread waits that can read, which may be at once, or nothing is in flight that needs a reader. */
    private void readUntilWaitedFor() {
        queue.removeSkipped();
        while (isAlive() && !standbyWrites.get() && queue.needsReader() && queue.firstWaitedFor() == null) {
            if (!readAvailable()) {
                awaitSocket(STANDBY_WAIT_NANOS);
            }
            queue.removeSkipped();
        }
    }

    // The timer, and the end.

    @Override
    protected void tickAlive(long nowNanos) {
        Thread thread = standby;
        if (thread != null && !thread.isAlive() && thread == standby) {
            throw new IllegalStateException("an Error has ended the stand-by thread");
        }
        if (isLeftToTimer()) {
            readOnce();
        }
        checkHealth(nowNanos);
    }

    /** Whether commands are in flight for which no caller and no stand-by reads now. */
    private boolean isLeftToTimer() {
        boolean nobodyWaits = !queue.isEmpty() && queue.firstWaitedFor() == null;
        return nobodyWaits && (standby == null || !queue.needsReader());
    }

    /** On an idle link nobody waits, so nobody else reads. */
    @Override
    protected void lookAtIdle() {
        readOnce();
    }

    /** Does what is left for a reader to do now, if no other thread reads. */
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
    protected void closeSocket() {
        socket.close();
    }

    @Override
    protected void wakeTransport() {
        LockSupport.unpark(standby);
    }

    /** Waits for the stand-by; the socket is closed. */
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
    protected String readerName() {
        return "reading thread";
    }

    @Override
    protected long readerHeldUpNanos(long nowNanos, long silenceNanos) {
        // The thread that asks has given the role up. So the reader is another, busy with the replies of its last read.
        boolean busy = reading.get() && !atSocket;
        return busy && silenceNanos >= StallDetector.NOTEWORTHY_NANOS ? silenceNanos : 0;
    }
}
