// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.FutexWaiters;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one {@link CallerDrivenLink}, or of the links to several servers, which then share one selector. Threading:
 * thread-safe. Only the thread that has set {@link #reading} reads from the links.
 *
 * <h2>Roles</h2>
 *
 * <p><b>Reader.</b> A caller whose reply has not arrived tries to set {@code reading}. If it succeeds, it waits on the
 * selector, decodes the replies of all links, and wakes the callers. Once its own reply has arrived, it passes the role
 * on ({@link #stopReading}). Any other caller sleeps at {@link FutexWaiters}, or parks.
 *
 * <p><b>Stand-by.</b> The thread of {@link Standby} reads while commands are in flight for which no thread waits:
 * asynchronous commands, and commands whose caller has given up.
 *
 * <p><b>Expected caller.</b> A caller may send commands on several links, and then wait for one reply after another.
 * Until it waits, its commands need no reader, because it will try to become the reader.
 *
 * <p><b>Timer.</b> The timer reads at each tick for expected callers, because they may be delayed elsewhere. It also
 * reads for all callers if no stand-by runs. The timer itself is the expected caller of heartbeats, so that idle
 * connections need no threads.
 *
 * <h2>Why no reply is left unread</h2>
 *
 * <p>Invariant: while {@code reading} is false and a command is in flight, a thread will try to set {@code reading}.
 * This thread is an expected caller, or it runs or was unparked. A blocking caller tries this when it starts to wait,
 * and so does an expected caller. An asynchronous sender wakes the stand-by after it has queued its command, if no
 * thread reads. If a thread finds {@code reading} set, the reader clears this flag later. The reader then wakes another
 * thread, or finds the command when it checks the queues.
 *
 * <p>A reader that stops wakes a thread that waits for a reply, or else the stand-by. The stand-by becomes the reader
 * if a command still needs a reader, and stops when a caller starts to wait. A woken thread may stop waiting because of
 * a timeout, an interrupt or a failed link. It then calls {@link #handOver}, which makes it the reader briefly, so that
 * it wakes another thread. A caller that stops a {@link io.memshard.client.concurrent.JointWait} while commands are in
 * flight also calls {@code handOver}. If a woken thread finds its reply, the thread that has read this reply wakes the
 * next waiting thread.
 *
 * <p>The queues, {@code reading}, and the outcome and the waiting caller of each {@link Exchange} are volatile. If two
 * threads each write one of these fields and then read the other's, at least one of them sees the other's write.
 *
 * <h2>Why no queued command is left unwritten</h2>
 *
 * <p>A sender adds its link to {@link #unwritten}, and then reads {@code reading}. If no thread reads, the sender
 * writes the commands of each link in this queue. If a thread reads, the sender reads {@link #asleep}, and wakes the
 * selector if {@code asleep} is set. The reader sets {@code asleep}, checks the queue once more, and then waits.
 * Therefore the reader sees the link, or the sender sees {@code asleep} set. A reader that stops wakes a thread, which
 * then becomes the reader or wakes another thread. If the reader wakes no thread, it clears {@code reading} and then
 * writes for each link in the queue.
 *
 * <p>Failure: an {@link Error} in this code fails every link of the reader, because perhaps no thread reads any more.
 * {@link CallerDrivenOpener} replaces a failed reader.
 */
final class LinkReader {

    private static final long STANDBY_WAIT_MILLIS = 1_000;
    private static final int ROUNDS_OF_WRITES = 4;

    private final Selector selector = Selector.open();
    private final Standby standby;

    final FutexWaiters waiters = new FutexWaiters();
    private final List<CallerDrivenLink> links = new CopyOnWriteArrayList<>();
    private volatile boolean shared;
    private final AtomicBoolean reading = new AtomicBoolean();
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Time when the selector last returned; 0 during a wait. Made visible by {@link #asleep} or {@link #reading}. */
    private long selectedNanos;

    /** Links whose commands a thread has to write. Contains each link at most once. */
    private final Queue<CallerDrivenLink> unwritten = new ConcurrentLinkedQueue<>();

    /** Links that the selector has found ready. Used only by the reader. */
    private final List<CallerDrivenLink> ready = new ArrayList<>();

    /** Action for each ready key, created once, so that a selection allocates nothing. */
    private final Consumer<SelectionKey> addReady = this::addReady;

    /** True from the close of a socket until the next selection, which releases the file descriptor. */
    private volatile boolean releasing;

    private volatile boolean closed;
    private final ReaderLoad load;

    LinkReader(ThreadFactory standbyThreads, ReaderLoad load) throws IOException {
        this.load = load;
        standby = new Standby(standbyThreads, this);
    }

    void add(CallerDrivenLink link) throws IOException {
        boolean added = false;
        try {
            link.socket().register(selector, link);
            synchronized (this) {
                links.add(link);
                shared = links.size() > 1;
            }
            // The thread that closed the reader may have missed this link.
            added = !closed;
            // A selection in progress does not include the new link.
            selector.wakeup();
        } catch (ClosedSelectorException e) {
            throw new IOException("the thread that reads replies has ended", e);
        } finally {
            if (!added) {
                link.socket().close();
                remove(link);
            }
        }
        if (!added) {
            throw new IOException("the thread that reads replies has ended");
        }
    }

    void remove(CallerDrivenLink link) {
        synchronized (this) {
            links.remove(link);
            shared = links.size() > 1;
        }
        if (closed) {
            close();
            return;
        }
        releasing = true;
        selector.wakeup();
        handOver();
    }

    int size() {
        return links.size();
    }

    boolean isShared() {
        return shared;
    }

    boolean writesForAll() {
        return shared && load.isLarge();
    }

    void sample(int inFlight) {
        load.sample(inFlight, links.size());
    }

    void write(CallerDrivenLink link) {
        unwritten.add(link);
        if (!reading.get()) {
            writeQueued();
        } else if (asleep.get() && asleep.compareAndSet(true, false)) {
            selector.wakeup();
        }
    }

    private void writeQueued() {
        int most = 1 + ROUNDS_OF_WRITES * links.size();
        CallerDrivenLink link = unwritten.poll();
        while (link != null && !(most-- == 0 && leaveToStandby(link)) && link.write()) {
            link = unwritten.poll();
        }
    }

    /** Returns false if no stand-by can start. */
    boolean leaveToStandby(CallerDrivenLink link) {
        unwritten.add(link);
        if (!standby.wake() && unwritten.remove(link)) {
            return false;
        }
        // The stand-by may be the reader, and wait on the selector.
        selector.wakeup();
        return true;
    }

    boolean tryRead(CallerDrivenLink link, Exchange<?> own, long deadlineNanos) {
        if (!startReading()) {
            return false;
        }
        try {
            try {
                readUntilOver(link, own, deadlineNanos);
            } finally {
                stopReading();
            }
        } catch (Throwable e) {
            // The flag first, because the call may run out of stack.
            closed = true;
            fail(e);
        }
        return true;
    }

    private boolean startReading() {
        return !reading.get() && reading.compareAndSet(false, true);
    }

    private void readUntilOver(CallerDrivenLink link, Exchange<?> own, long deadlineNanos) {
        // The reply to a command that was just sent has hardly arrived yet.
        boolean mayHaveBytes = link.inFlight() > 1 || own.isSentAhead();
        while (!own.isAwaited() && link.isAlive() && !Thread.currentThread().isInterrupted()) {
            writeQueued();
            boolean hasRead = mayHaveBytes && !isShared() && link.readAvailable();
            if (!hasRead) {
                letOthersRun();
            }
            // Checked after each read too, because a server may send bytes without end.
            long remaining = deadlineNanos - System.nanoTime();
            if (remaining <= 0) {
                return;
            }
            if (!hasRead) {
                await(own.isEndedByTimer(remaining) ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(remaining)));
            }
            mayHaveBytes = true;
        }
    }

    private void await(long millis) {
        try {
            selectedNanos = 0;
            asleep.set(true);
            select(unwritten.isEmpty(), millis);
        } finally {
            selectedNanos = System.nanoTime();
            asleep.set(false);
        }
        try {
            for (CallerDrivenLink link : ready) {
                if (link.socket().isWritable()) {
                    link.writeAgain();
                }
                link.readAvailable();
            }
        } finally {
            ready.clear();
        }
    }

    /** Lets many woken callers run before the reader waits, so that their next commands are sent together. */
    private void letOthersRun() {
        if (writesForAll()) {
            load.yieldProcessor();
        }
    }

    private void addReady(SelectionKey selected) {
        ready.add((CallerDrivenLink) selected.attachment());
    }

    private void select(boolean waits, long millis) {
        releasing = false;
        try {
            if (waits) {
                selector.select(addReady, millis);
            } else {
                selector.selectNow(addReady);
            }
        } catch (IOException | ClosedSelectorException e) {
            fail(new IOException("the selector that waits for replies failed or was closed", e));
        }
    }

    private void stopReading() {
        while (true) {
            if (releasing) {
                release();
            }
            Exchange<?> successor = firstWaitedFor();
            boolean inFlightUnattended = successor == null && needsReader();
            selectedNanos = 0;
            reading.set(false);
            if (successor != null && successor.waitingThread() != null) {
                successor.wake();
                return;
            }
            if (inFlightUnattended) {
                // Before the writes, so that the stand-by can help if they last long.
                standby.wake();
            }
            writeQueued();
            if (inFlightUnattended || !(releasing || needsReader()) || !startReading()) {
                return;
            }
        }
    }

    private void release() {
        select(false, 0);
        // The next selection finds the ready sockets again.
        ready.clear();
    }

    private @Nullable Exchange<?> firstWaitedFor() {
        for (CallerDrivenLink link : links) {
            Exchange<?> first = link.firstWaitedFor();
            if (first != null) {
                return first;
            }
        }
        return null;
    }

    private boolean needsReader() {
        for (CallerDrivenLink link : links) {
            if (link.queue.needsReader()) {
                return true;
            }
        }
        return false;
    }

    void handOver() {
        readBriefly(null);
    }

    void readOnce(CallerDrivenLink link) {
        readBriefly(link);
    }

    private void readBriefly(@Nullable CallerDrivenLink link) {
        try {
            if (startReading()) {
                if (link != null) {
                    link.writeAgain();
                    link.readAvailable();
                }
                stopReading();
            }
        } catch (Throwable e) {
            closed = true;
            fail(e);
        }
    }

    void readUnattended() {
        if (!reading.get()) {
            standby.wake();
        }
    }

    void wakeUp() {
        selector.wakeup();
    }

    boolean hasReader() {
        return reading.get();
    }

    long heldUpNanos(long nowNanos) {
        long since = asleep.get() || !reading.get() ? 0 : selectedNanos;
        return since == 0 ? 0 : nowNanos - since;
    }

    boolean hasStandby() {
        return standby.exists();
    }

    boolean helps() {
        boolean writes = !unwritten.isEmpty();
        writeQueued();
        if (!needsReader() || !startReading()) {
            return writes;
        }
        try {
            readUntilWaitedFor();
        } finally {
            stopReading();
        }
        return true;
    }

    private void readUntilWaitedFor() {
        while (!closed && firstWaitedFor() == null && needsReader()) {
            writeQueued();
            letOthersRun();
            await(STANDBY_WAIT_MILLIS);
        }
    }

    void check(long nowNanos) {
        waiters.tick(nowNanos);
        if (closed) {
            close();
            throw new IllegalStateException("an Error has ended the thread that reads replies");
        }
        if (standby.isDead()) {
            fail(new IllegalStateException("an Error has ended the thread memshard-standby"));
        }
    }

    void fail(Throwable cause) {
        closed = true;
        try {
            links.forEach(link -> link.fail(cause));
        } finally {
            close();
        }
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        try {
            selector.close();
        } catch (IOException e) {
            // Nothing more can be done.
        }
        standby.wakeIfThere();
    }

    void awaitClosed(long deadlineNanos) {
        standby.awaitEnd(deadlineNanos);
    }
}
