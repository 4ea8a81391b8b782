package io.memshard.client.connection;

import io.memshard.client.exception.Phase;
import io.memshard.client.options.KeepAlive;
import io.memshard.client.options.Protocol;
import io.memshard.client.protocol.MalformedReplyException;
import io.memshard.client.protocol.MetaNoop;
import io.memshard.client.protocol.RequestBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link without an I/O thread: the callers that wait do the I/O, one at a time, for all.
 *
 * <h2>Roles</h2>
 *
 * <p><b>Writer.</b> A caller queues its command and increments {@link #unhandled}. If that was zero, it is
 * the writer: it writes all that is queued, in batches, until it has brought the count back to zero. Any
 * other caller leaves its command to the writer.
 *
 * <p><b>Reader.</b> A caller without its reply tries to set {@link #reading}. Who sets it waits on the
 * socket, decodes whatever comes and wakes its owners, until its own reply is there; then it hands over
 * ({@link #stopReading}). Who does not set it parks.
 *
 * <p><b>Stand-by.</b> A thread of the link, started when first needed, reads when commands are in flight
 * that nobody waits for: asynchronous ones, and those whose caller has given up.
 *
 * <p>While the reader wakes the owners of a batch of replies it is the writer too, if nobody else is: their
 * next commands are queued meanwhile, and leave in one write before the reader reads again.
 *
 * <h2>Why no command is left unwritten</h2>
 *
 * <p>An offer precedes its increment. The writer reads the count, empties the queue, then subtracts what it
 * read: an offer counted before that read was in the queue when it was emptied; one counted later keeps the
 * count above zero, and the writer goes round again. (The queue can seem to end early while an earlier
 * offer is half done; that offer's own increment is still to come, and brings the writer back.) A
 * writer leaves with the count above zero in two cases only, and passes its duty on first: to the
 * reader, through {@link #socketFull}, when the socket takes no more; to the stand-by, through {@link
 * #standbyWrites}, when it has written for others long enough.
 *
 * <h2>Why no reply is left unread</h2>
 *
 * <p>Invariant: if {@code reading} is false and a command is in flight, a thread that will try to set it is
 * running or has been unparked. A sender tries after its offer: a caller by waiting, an asynchronous one
 * by looking at {@code reading} and waking the stand-by. If it finds {@code reading} set, then the
 * reader, which clears it later and looks at the queue after that, finds the command there. The reader
 * that leaves wakes the oldest command's waiting thread, or the stand-by where none waits. The stand-by
 * takes the role whatever it finds: who began to wait meanwhile found {@code reading} set, and is woken
 * by the stand-by's own hand-over. A thread woken may leave instead, on a timeout or an interrupt: then
 * {@link #abandoned} makes it reader for a moment, so that it hands over once more. It may also find
 * its reply there: then somebody else has read it, and owes the same hand-over. Offers, {@code
 * reading}, {@code outcome} and {@code waiter} are volatile, so of two threads that each write one and
 * then read the other's, one sees the other.
 *
 * <h2>Why nobody is left waiting on a dead link</h2>
 *
 * <p>{@link #die} sets {@link #death}, closes the socket, which ends the reader's wait, and then calls {@link
 * #bury}: it fails everything that it sees in the queue, and does not wait for a reader, who may be held up
 * by what depends on a future. It overlooks some if the reader removes others meanwhile; so the reader
 * buries when it stops, for it looks at {@code death} after it has cleared {@code reading}, and nobody
 * removes after that. A sender looks at {@code death} after its offer and buries too, so an offer that
 * the first burial overlooked, be it for a gap that an earlier offer has left, is failed by the second.
 * An {@link Error}, for lack of memory or stack, ends the link as an exception does; should it cut the
 * end itself short, the next {@link #tick} completes that.
 *
 * <p>Threading: thread-safe. Write side of the queue and {@link #encoder} belong to the writer, read side
 * and {@link #decoder} to the reader; both roles pass with a volatile write and read.
 *
 * <p>Failure: an interrupt or a timeout of the reader leaves the socket alone, since it is read only
 * when there is something to read. The reply of whoever has given up is read and dropped in its turn.
 */
final class CallerDrivenLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** After so many batches a writer, whose reply may be there already, leaves the rest to the stand-by. */
    private static final int MAX_BATCHES = 32;

    private static final long STANDBY_WAIT_NANOS = 1_000_000_000L;

    /** For so many ticks a dead link is looked after, in case an {@link Error} has cut its end short. */
    private static final int TICKS_AFTER_DEATH = 40;

    private final LinkIdentity identity;
    private final Listener listener;
    private final LinkSocket socket;
    private final ExchangeQueue queue;
    private final RequestEncoder encoder;
    private final ReplyDecoder decoder;
    private final LinkHealth health;

    private final AtomicInteger inFlight = new AtomicInteger();

    /** Offers not yet handled by a writer; above zero exactly while somebody has the writer's duty. */
    private final AtomicInteger unhandled = new AtomicInteger();

    /** Whether somebody is the reader. */
    private final AtomicBoolean reading = new AtomicBoolean();

    /** Why the link is dead; null while it lives. */
    private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>();

    /** Set by a writer that leaves its duty to the reader, cleared by the reader that takes it up. */
    private volatile boolean socketFull;

    /** Set by a writer that leaves its duty to the stand-by, cleared by the stand-by. */
    private volatile boolean standbyWrites;

    private final ThreadFactory standbyThreads;

    /** Written under the monitor of this, once, when it runs. */
    private volatile @Nullable Thread standby;

    /** Set where a stand-by was needed and no thread could be started; the timer reads then. */
    private volatile boolean standbyMissing;

    /** How often a dead link was ticked. Written by the timer. */
    private int ticksAfterDeath;

    /** How many commands were completed. Written by the reader. */
    private volatile long completed;

    /** When bytes last came. Written by the reader, and made visible by {@link #completed}. */
    private long lastReadNanos = System.nanoTime();

    /** Whether the reader waits on the socket. */
    private volatile boolean atSocket;

    private final TickWatch timer = new TickWatch();

    CallerDrivenLink(LinkIdentity identity, LinkSocket socket, Listener listener, ThreadFactory standbyThreads) {
        this.identity = identity;
        this.socket = socket;
        this.listener = listener;
        this.standbyThreads = standbyThreads;
        this.queue = new ExchangeQueue(identity);
        this.encoder = new RequestEncoder(queue, new RequestBuffer());
        this.decoder = new ReplyDecoder(queue, identity.options().maxValueBytes());
        this.health = new LinkHealth(identity.options(), System.nanoTime());
    }

    /** Connects. See {@link LinkOpener#open}. */
    static Link open(SocketAddress address, LinkIdentity identity, long timeoutNanos, Listener listener)
            throws IOException {
        KeepAlive keepAlive = identity.options().access().keepAlive();
        return new CallerDrivenLink(
                identity,
                LinkSocket.connect(address, timeoutNanos, keepAlive),
                listener,
                task -> new OwnThread(task, "memshard-standby-" + identity));
    }

    @Override
    public void send(Exchange<?> exchange) {
        Throwable cause = death.get();
        if (cause != null) {
            LinkDeath.end(exchange, cause);
            listener.settled(exchange);
            return;
        }
        if (identity.protocol() == Protocol.CLASSIC && !exchange.takeClassicForm()) {
            listener.settled(exchange);
            return;
        }
        int max = identity.options().maxInFlight();
        if (inFlight.incrementAndGet() > max) {
            inFlight.decrementAndGet();
            LinkDeath.refuseOverload(exchange, max);
            listener.settled(exchange);
            return;
        }
        try {
            exchange.setLink(this);
            queue.offer(exchange);
            if (unhandled.getAndIncrement() == 0) {
                write(MAX_BATCHES);
            }
            if (death.get() != null) {
                bury();
            } else if (!reading.get() && exchange.waitingThread() == null) {
                wakeStandby();
            }
        } catch (Throwable e) {
            // For lack of stack or memory: the writer's duty may be lost, or the command may not be queued.
            die(e);
            LinkDeath.end(exchange, e);
            listener.settled(exchange);
        }
    }

    // The writer.

    /** Writes what is queued until nothing is, or passes the writer's duty on. */
    private void write(int maxBatches) {
        try {
            int seen = unhandled.get();
            int batches = maxBatches;
            while (seen != 0 && death.get() == null) {
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
                if (!writeBatch()) {
                    seen = unhandled.addAndGet(-seen);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            die(e);
        }
    }

    /** Writes one batch, as far as the socket takes it; false if nothing is queued. */
    private boolean writeBatch() throws IOException {
        int skipped = encoder.encodeBatch();
        if (skipped > 0) {
            inFlight.addAndGet(-skipped);
        }
        if (encoder.buffer().length() > 0) {
            socket.write(encoder.buffer());
            return true;
        }
        return skipped > 0;
    }

    /** Passes the writer's duty to the stand-by; false if there is none. */
    private boolean leaveToStandby() {
        Thread thread = startedStandby();
        if (thread == null) {
            return false;
        }
        standbyWrites = true;
        LockSupport.unpark(thread);
        // It may be waiting as the reader.
        socket.wakeUp();
        return true;
    }

    // The reader.

    @Override
    public void awaitOver(Exchange<?> exchange, long deadlineNanos) {
        while (!exchange.isOver() && !Thread.currentThread().isInterrupted()) {
            Throwable cause = death.get();
            if (cause != null) {
                // Its burial may have missed this one, and nothing can come any more.
                LinkDeath.end(exchange, cause);
                return;
            }
            long remaining = deadlineNanos - System.nanoTime();
            if (remaining <= 0) {
                return;
            }
            try {
                readOrPark(exchange, remaining, deadlineNanos);
            } catch (Throwable e) {
                // For lack of stack or memory: the reader's role may not have been passed on.
                die(e);
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

    /** Reads until the reader's own reply is there, or it gives up, or the link is dead. */
    private void readUntilOver(Exchange<?> own, long deadlineNanos) {
        // With nothing but its own command in flight there is hardly anything to read yet.
        boolean mayHaveBytes = inFlight.get() > 1;
        while (!own.isOver() && death.get() == null && !Thread.currentThread().isInterrupted()) {
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
            int read = socket.read(decoder.buffer());
            if (read == 0) {
                return false;
            }
            if (read < 0) {
                throw new EOFException("closed by the server");
            }
            lastReadNanos = System.nanoTime();
            // The callers that are woken below queue their next commands: all of them leave in one write.
            boolean writesToo = unhandled.compareAndSet(0, 1);
            try {
                decoder.decode();
            } finally {
                completeDecoded();
            }
            if (writesToo) {
                write(MAX_BATCHES);
            }
        } catch (IOException | MalformedReplyException | RuntimeException | Error e) {
            die(e);
        }
        return true;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Written by the reader alone.
    private void completeDecoded() {
        int count = queue.decodedCount();
        completed += count;
        inFlight.addAndGet(-count);
        if (queue.completeDecoded()) {
            // Not here: what depends on them may block, and this thread, perhaps a caller, reads and writes for all.
            List<Exchange<?>> replied = new ArrayList<>(count);
            queue.forEachDecoded(replied::add);
            listener.replied(replied);
        }
        queue.removeDecoded();
    }

    private void awaitSocket(long nanos) {
        atSocket = true;
        boolean writable;
        try {
            writable = socket.await(nanos, socketFull);
        } catch (IOException e) {
            die(e);
            return;
        } finally {
            atSocket = false;
        }
        if (writable) {
            socketFull = false;
            write(MAX_BATCHES);
        }
    }

    /** Gives the reader's role up, and sees to it that somebody takes it who has use for it. */
    private void stopReading() {
        while (true) {
            queue.removeSkipped();
            Exchange<?> successor = queue.firstWaitedFor();
            boolean inFlightUnattended = successor == null && !queue.isEmpty();
            reading.set(false);
            if (death.get() != null) {
                bury();
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
            if (queue.isEmpty() || !startReading()) {
                return;
            }
        }
    }

    @Override
    public void abandoned() {
        if (startReading()) {
            stopReading();
        }
    }

    // The stand-by.

    /** Wakes the stand-by, or has the timer read if no thread can be started. */
    private void wakeStandby() {
        Thread thread = startedStandby();
        if (thread == null) {
            standbyMissing = true;
        } else {
            LockSupport.unpark(thread);
        }
    }

    private @Nullable Thread startedStandby() {
        Thread thread = standby;
        return thread == null ? startStandby() : thread;
    }

    /** Null if no thread can be started now, as where a container has a limit of them. */
    private synchronized @Nullable Thread startStandby() {
        if (standby == null) {
            try {
                Thread thread = standbyThreads.newThread(this::standBy);
                thread.start();
                standby = thread;
            } catch (Throwable e) {
                LOG.debug("{}: no stand-by thread can be started", identity, e);
            }
        }
        return standby;
    }

    private void standBy() {
        while (death.get() == null) {
            if (standbyWrites) {
                standbyWrites = false;
                write(Integer.MAX_VALUE);
            }
            if (!queue.isEmpty() && startReading()) {
                try {
                    readUntilWaitedFor();
                } finally {
                    stopReading();
                }
            }
            // It has handed over, be it to itself, or another reads, who will. Once is enough: who waits is woken.
            if (!standbyWrites && death.get() == null) {
                LockSupport.park(this);
            }
        }
    }

    /** Reads until a thread waits that can do so itself, which may be at once, or nothing is in flight. */
    private void readUntilWaitedFor() {
        queue.removeSkipped();
        while (death.get() == null && !standbyWrites && !queue.isEmpty() && queue.firstWaitedFor() == null) {
            if (!readAvailable()) {
                awaitSocket(STANDBY_WAIT_NANOS);
            }
            queue.removeSkipped();
        }
    }

    // Life and death.

    @Override
    public boolean tick(long nowNanos) {
        timer.tick(nowNanos);
        Throwable cause = death.get();
        if (cause != null) {
            // The thread that ended it may not have got to the end, for lack of stack or memory.
            ticksAfterDeath++;
            endLife(cause);
            return ticksAfterDeath < TICKS_AFTER_DEATH;
        }
        try {
            tickAlive(nowNanos);
        } catch (Throwable e) {
            // Futures of commands that are over may not have been passed on.
            die(e);
        }
        return true;
    }

    private void tickAlive(long nowNanos) {
        if (standbyMissing) {
            standbyMissing = false;
            readOnce();
        }
        List<Exchange<?>> due = new ArrayList<>();
        queue.forEach(exchange -> {
            if (exchange.endIfDue(nowNanos)) {
                due.add(exchange);
            }
        });
        listener.settled(due);
        int waiting = inFlight.get();
        switch (health.check(nowNanos, waiting, completed)) {
            case NOTHING -> {}
            case LOOK -> {
                releaseLast();
                // With nobody waiting nobody reads, so the end of an idle socket is looked for.
                readOnce();
            }
            case HEARTBEAT -> send(new Exchange<>(new MetaNoop(), identity));
            case BURIAL ->
                die(new IOException("no reply for "
                        + identity.options().livenessTimeout().toMillis() + " ms with commands in flight"));
        }
    }

    /** Has an exchange without a command take the place of the last one, whose value would stay with it. */
    private void releaseLast() {
        if (queue.keepsLast()) {
            inFlight.incrementAndGet();
            queue.offer(Exchange.over(identity));
            if (unhandled.getAndIncrement() == 0) {
                write(MAX_BATCHES);
            }
        }
    }

    /** Reads what is there, if nobody else reads. */
    private void readOnce() {
        if (startReading()) {
            try {
                readAvailable();
            } finally {
                stopReading();
            }
        }
    }

    private void die(Throwable cause) {
        if (death.compareAndSet(null, cause)) {
            endLife(cause);
        }
    }

    private void endLife(Throwable cause) {
        socket.close();
        // First, so that whoever learns of the loss from its command finds the connection not ready.
        listener.linkLost(this, cause);
        bury();
        LockSupport.unpark(standby);
    }

    /** Fails everything in the queue of a dead link. */
    private void bury() {
        Throwable cause = death.get();
        if (cause != null) {
            LinkDeath.endAll(queue, cause, listener);
        }
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public boolean isAlive() {
        return death.get() == null;
    }

    @Override
    public Phase writtenPhase() {
        return socketFull ? Phase.WRITTEN : Phase.AWAITING_REPLY;
    }

    @Override
    @SuppressWarnings("UnusedVariable") // The volatile read makes the plain one after it fresh.
    public LinkSnapshot snapshot(Exchange<?> exchange, long nowNanos) {
        long seen = completed;
        long silence = nowNanos - lastReadNanos;
        // Who asks has given the role up, so the reader is another, and busy with the replies of its last read.
        boolean busy = reading.get() && !atSocket;
        return new LinkSnapshot(
                queue.position(exchange),
                inFlight.get(),
                silence,
                "reading thread",
                busy && silence >= TickWatch.NOTEWORTHY_NANOS ? silence : 0,
                timer.heldUpNanos(nowNanos));
    }

    @Override
    public void close() {
        die(new IOException("closed by this client"));
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
}
