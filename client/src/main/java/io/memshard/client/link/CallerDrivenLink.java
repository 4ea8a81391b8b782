// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.FutexWaiters;
import io.memshard.client.exception.Phase;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.RequestBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Link without an I/O thread: callers write and read. At any time at most one thread writes and at most one thread
 * reads, for all callers. {@link LinkReader} decides which thread reads. Threading: thread-safe.
 *
 * <h2>Who writes</h2>
 *
 * <p>The caller that raises {@link #pendingOffers} from zero becomes the writer, as {@link Link} describes. This caller
 * writes itself if its {@link LinkReader} has a single link, or if few commands are in flight. After each read, the
 * reader becomes the writer unless another thread writes. It then sends, in one write, the next commands of the callers
 * that it has woken.
 *
 * <p>If a reader of several links has many commands in flight, callers leave the writes to the reader, and write only
 * if no thread reads. The reader wakes up often, and sends the commands of several callers together.
 *
 * <h2>Why no command is left unwritten</h2>
 *
 * <p>The writer reads the count of pending commands, empties the queue, and then subtracts the count that it read. A
 * command counted before this read was already queued. A command counted later keeps the count above zero, and the
 * writer continues.
 *
 * <p>On a link that is alive, a writer stops with the count above zero in three cases only. If the socket is full, the
 * writer sets {@link #socketFull}, and the reader writes later. If the writer has written long enough, or the reader
 * has to write, {@link LinkReader} queues the link for another thread.
 *
 * <h2>Why no caller is left waiting on a failed link</h2>
 *
 * <p>Closing the socket ends the reader's wait. After each change of the queue, the reader checks {@link #failure}, and
 * if it is set, fails the commands that are left. If {@link #failure} is set later, the thread that sets it finds these
 * commands in the queue, and fails them. A caller fails its own command if it finds that the link has failed. The
 * caller then calls {@link LinkReader#handOver}, because another thread may have woken it to read.
 *
 * <p>Failure: an interrupt or a timeout of the reader does not affect the socket, because the reader reads only
 * available bytes. An {@link Error} in a thread that reads or writes for a link fails this link.
 */
final class CallerDrivenLink extends Link {

    private static final int MAX_BATCHES = 32;
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final LinkSocket socket;
    private final LinkReader reader;
    private volatile boolean socketFull;

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

    /** Returns false if the stand-by thread continues to write. */
    boolean write() {
        try {
            int seen = pendingOffers.get();
            int batches = MAX_BATCHES;
            while (seen != 0 && isAlive()) {
                if (!socket.flush()) {
                    // The flag is set last, because the reader may then write everything, and undo both steps.
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
    Phase writtenPhase() {
        return socketFull ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    @Override
    void sent(Exchange<?> exchange) {
        if (!exchange.isOver() && exchange.waitingThread() == null && !exchange.isCallerExpected()) {
            reader.readUnattended();
        }
    }

    @Override
    void awaitEnd(Exchange<?> exchange, long deadlineNanos) {
        while (!exchange.isAwaited() && !Thread.currentThread().isInterrupted()) {
            Throwable cause = reportedFailure();
            if (cause != null) {
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
        FutexWaiters.Place place = exchange.sleepsAtPlace() ? reader.waiters.take() : null;
        if (place == null) {
            exchange.park(remainingNanos);
            return;
        }
        try {
            exchange.sleepAt(place);
            // After sleepAt, so that a thread that later changes one of these conditions wakes this thread.
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

    boolean readAvailable() {
        try {
            int read = socket.read(replies);
            if (read == 0) {
                return false;
            }
            if (read < 0) {
                throw new EOFException("the server closed the connection");
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

    void writeAgain() {
        if (socketFull) {
            socket.selectWritable(false);
            socketFull = false;
            write();
        }
    }

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

    @Override
    Object readFrom() {
        return reader;
    }

    @Override
    void abandoned() {
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
        // The reader may wait although its own command has failed meanwhile.
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
        // Limited to the silence, because a reader that always finds bytes never selects, and records no time.
        long heldUp = Math.min(reader.heldUpNanos(nowNanos), silenceNanos);
        return heldUp >= StallDetector.NOTEWORTHY_NANOS ? heldUp : 0;
    }
}
