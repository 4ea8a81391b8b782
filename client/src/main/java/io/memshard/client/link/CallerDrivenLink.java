// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.FutexWaiter;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Link without an I/O thread: callers do the I/O. At any time at most one thread writes, and at most one reads, for all
 * callers. {@link LinkReader} decides which thread reads; this class has the socket. Threading: thread-safe.
 *
 * <h2>Who writes</h2>
 *
 * <p>The caller that raises {@link #pendingOffers} from zero has the writer's duty, as {@link PipelinedLink} describes.
 * It writes itself if the reader has a single link, or few commands are in flight. While the reader wakes the callers
 * whose replies it has read, it takes the duty if no other thread has it. It then sends the next commands of these
 * callers in one write.
 *
 * <p>If a reader of several links has many commands in flight, the caller leaves the duty to the reader, and writes
 * only if no thread reads. The reader wakes up often, and each time writes the commands that several callers have
 * queued.
 *
 * <h2>Why no command is left unwritten</h2>
 *
 * <p>The writer reads the count, empties the queue, then subtracts the count it read. An offer counted before this read
 * was in the queue. An offer counted later keeps the count above zero, and the writer makes another round.
 *
 * <p>On a link that is alive, a writer stops with the count above zero in three cases only. If the socket is full, the
 * reader takes the duty over, through {@link #socketFull}. If the writer has written for others long enough, or if the
 * reader is to write, {@link LinkReader} queues the link. Another thread then takes the duty from this queue.
 *
 * <h2>Why no caller is left waiting on a failed link</h2>
 *
 * <p>Closing the socket ends the reader's wait. Each time the reader has changed the queue, it checks {@link #failure},
 * and fails the commands that are left. If the reader finds no failure, the thread that fails the link does so later,
 * and then finds all these commands in the queue. A caller that checks for its reply on a failed link fails its own
 * command. The caller then hands over the reader's role, because it may have been woken to read.
 *
 * <p>Failure: an interrupt or a timeout of the reader does not affect the socket, which is read only when bytes are
 * available. An {@link Error} in a thread that reads or writes for a link fails this link.
 */
final class CallerDrivenLink extends PipelinedLink {

    /** Number of batches after which a writer lets another thread write, to look for its own reply. */
    private static final int MAX_BATCHES = 32;

    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final LinkSocket socket;
    private final LinkReader reader;

    /** True while the reader has the writer's duty: set by the writer if the socket is full, cleared by the reader. */
    private volatile boolean socketFull;

    /** Creates a link that has to be added to its reader by {@link LinkReader#add}. */
    CallerDrivenLink(LinkContext context, LinkSocket socket, Listener listener, LinkReader reader) {
        super(context, listener, new RequestBuffer());
        this.socket = socket;
        this.reader = reader;
    }

    LinkSocket socket() {
        return socket;
    }

    @Override
    void startWriting() {
        if (reader.writesForAll()) {
            reader.write(this);
        } else {
            write();
        }
    }

    /** Writes until no command is queued, or passes the duty on. Returns false if the stand-by writes instead. */
    boolean write() {
        try {
            int seen = pendingOffers.get();
            int batches = MAX_BATCHES;
            while (seen != 0 && isAlive()) {
                if (!socket.flush()) {
                    // In this order: once the flag is set, the reader may write everything, and undo both steps.
                    socket.selectWritable(true);
                    socketFull = true;
                    reader.wakeUp();
                    return true;
                }
                if (batches-- == 0) {
                    if (reader.leaveToStandby(this)) {
                        return false;
                    }
                    batches = MAX_BATCHES;
                }
                if (!batch.encode()) {
                    seen = pendingOffers.addAndGet(-seen);
                } else if (batch.requests.length() > 0) {
                    socket.write(batch);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
        return true;
    }

    @Override
    public Phase writtenPhase() {
        return socketFull ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    @Override
    void sent(Exchange<?> exchange) {
        if (!exchange.isOver() && exchange.waitingThread() == null && !exchange.isCallerExpected()) {
            reader.readUnattended();
        }
    }

    @Override
    public void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        while (!exchange.isAwaited() && !Thread.currentThread().isInterrupted()) {
            Throwable cause = reportedFailure();
            if (cause != null) {
                // No reply can arrive any more, and the thread that failed the link may have missed this command.
                LinkFailure.fail(exchange, cause);
                break;
            }
            long remaining = deadlineNanos - System.nanoTime();
            if (remaining <= 0) {
                break;
            }
            if (!reader.tryRead(this, exchange, deadlineNanos)) {
                sleep(exchange, remaining, deadlineNanos);
            }
        }
        if (!isAlive()) {
            reader.handOver();
        }
    }

    private void sleep(Exchange<?> exchange, long remainingNanos, long deadlineNanos) {
        FutexWaiter place = exchange.sleepsAtPlace() ? reader.waiters.take() : null;
        if (place == null) {
            exchange.park(remainingNanos);
            return;
        }
        try {
            exchange.sleepAt(place);
            // Checked after sleepAt: a thread that changes one of these later finds the place, and wakes this thread.
            if (!exchange.isAwaited()
                    && reader.hasReader()
                    && !Thread.currentThread().isInterrupted()) {
                place.await(deadlineNanos, remainingNanos < Exchange.LONG_WAIT_NANOS);
            }
        } finally {
            try {
                exchange.sleepAt(null);
            } finally {
                place.release();
            }
        }
    }

    /** Returns false if the socket has no bytes to read. Called by the reader. */
    boolean readAvailable() {
        try {
            int read = socket.read(replies);
            if (read == 0) {
                return false;
            }
            if (read < 0) {
                throw new EOFException("closed by the server");
            }
            boolean writesToo = !reader.writesForAll() && pendingOffers.compareAndSet(0, 1);
            takeReplies();
            if (writesToo) {
                write();
            }
        } catch (IOException | MalformedReplyException | RuntimeException | Error e) {
            fail(e);
        }
        failPending();
        return true;
    }

    /** Continues to write if a writer has left its duty because the socket was full. Called by the reader. */
    void writeAgain() {
        if (socketFull) {
            socket.selectWritable(false);
            socketFull = false;
            write();
        }
    }

    /** Returns the oldest command that a thread waits for; null if there is none. Called by the reader. */
    @Nullable
    Exchange<?> firstWaitedFor() {
        queue.removeSkipped();
        failPending();
        return queue.firstWaitedFor();
    }

    @Override
    void wakeCallers() {
        reader.waiters.wakeAll();
    }

    /** Uses another thread, because dependent stages may block the reader, which reads and writes for all callers. */
    @Override
    void completeFutures() {
        passFuturesOn();
    }

    @Override
    public Object readFrom() {
        return reader;
    }

    @Override
    public void abandoned() {
        reader.handOver();
    }

    @Override
    void tickAlive(long nowNanos) {
        reader.check(nowNanos);
        reader.sample(inFlight());
        if (isLeftToTimer()) {
            reader.readOnce(this);
        }
        checkHealth(nowNanos);
    }

    /** Returns whether commands are in flight for which neither a caller nor a stand-by reads now. */
    private boolean isLeftToTimer() {
        if (queue.isEmpty() || reader.hasReader()) {
            return false;
        }
        boolean nobodyWaits = queue.firstWaitedFor() == null;
        return !reader.hasStandby() || (nobodyWaits && !queue.needsReader());
    }

    @Override
    void callerIsDue() {
        reader.wakeUp();
    }

    /** Reads, because no other thread reads on an idle link. */
    @Override
    void lookAtIdle() {
        reader.readOnce(this);
    }

    @Override
    void closeSocket() {
        socket.close();
        reader.remove(this);
    }

    @Override
    void wakeTransport() {
        reader.waiters.wakeEvery();
        // The reader may have checked its command before the command failed.
        reader.wakeUp();
        reader.handOver();
    }

    @Override
    public void awaitClosed(long deadlineNanos) {
        while (socket.isRegistered() && deadlineNanos - System.nanoTime() > 0) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            LockSupport.parkNanos(this, POLL_NANOS);
        }
    }

    @Override
    String readerName() {
        return "reading thread";
    }

    @Override
    long readerHeldUpNanos(long sinceNanos, long nowNanos, long silenceNanos) {
        // At most the silence: a reader that finds bytes at each attempt never selects, and records no time.
        long heldUp = Math.min(reader.heldUpNanos(nowNanos), silenceNanos);
        return heldUp >= StallDetector.NOTEWORTHY_NANOS ? heldUp : 0;
    }
}
