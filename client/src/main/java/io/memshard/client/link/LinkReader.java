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
 * Roles of the threads that read from {@link CallerDrivenLink}s with one selector: from one link, or from the links to
 * several servers. Threading: thread-safe. The links' read sides belong to the thread that has set {@link #reading}.
 *
 * <h2>Roles</h2>
 *
 * <p><b>Reader.</b> A caller without its reply tries to set {@code reading}. A caller that succeeds waits on the
 * selector, decodes the replies of every link and wakes their owners, until its own reply has arrived. Then it hands
 * the role over ({@link #stopReading}). Any other caller sleeps at {@link FutexWaiters}, or parks.
 *
 * <p><b>Stand-by.</b> The thread of {@link Standby} reads while commands are in flight that no thread waits for:
 * asynchronous ones, and those whose caller has given up.
 *
 * <p><b>Expected caller.</b> A caller may send commands on several links, and then wait for one reply after another.
 * Until it waits, its commands need no reader, because it will try to become the reader.
 *
 * <p><b>Timer.</b> At each tick the timer reads for expected callers, in case they are delayed elsewhere, and if no
 * stand-by runs. The timer is itself the expected caller of heartbeats, so that many idle connections need no threads.
 *
 * <h2>Why no reply is left unread</h2>
 *
 * <p>Invariant: if {@code reading} is false and a command is in flight, either its caller is expected, or a running or
 * unparked thread will try to set {@code reading}. A sender tries after its offer: a blocking caller by waiting, an
 * asynchronous one by waking the stand-by if no thread reads. An expected caller tries when it starts to wait. If a
 * thread finds {@code reading} set, the reader clears the flag later. The reader then wakes another thread, or checks
 * the queues and finds the command there.
 *
 * <p>A reader that stops wakes the waiting thread of a command that has one, or else the stand-by. The stand-by takes
 * the role if a command still needs a reader, and later hands over to a caller that started to wait meanwhile. A woken
 * thread may leave, after a timeout, an interrupt or the failure of its link. Then {@link #handOver} makes it the
 * reader briefly, so that it hands over again. A caller that leaves some of its commands in flight stops its {@link
 * io.memshard.client.concurrent.JointWait}, and then hands over once more. A woken thread may also find its reply. Then
 * another thread has read the reply, and owes the same hand-over.
 *
 * <p>Offers, {@code reading}, and the fields of an {@link Exchange} for its outcome, its caller and the place where the
 * caller sleeps are volatile. If two threads each write one of these and then read the one that the other thread
 * writes, at least one sees the other's write.
 *
 * <h2>Why no writer's duty is left in the queue</h2>
 *
 * <p>A sender adds its link to {@link #unwritten}, and then reads {@code reading}. If no thread reads, the sender
 * writes for each link in the queue. Otherwise it reads {@link #asleep}, and wakes the selector if {@code asleep} is
 * set. The reader sets {@code asleep} before it checks the queue for the last time, and then waits. So either the
 * reader sees the link, or the sender sees {@code asleep}. A reader that stops either wakes a thread, which reads or
 * hands over in turn, or clears {@code reading} and then writes for each link in the queue.
 *
 * <p>Failure: an {@link Error} in this code fails every link of the reader, because the role may not have been passed
 * on. {@link CallerDrivenOpener} replaces a failed reader.
 */
final class LinkReader {

    private static final long STANDBY_WAIT_MILLIS = 1_000;

    /** Number of writes for each link after which a thread leaves the writes for others to the stand-by. */
    private static final int ROUNDS_OF_WRITES = 4;

    private final Selector selector = Selector.open();
    private final Standby standby;

    final FutexWaiters waiters = new FutexWaiters();

    private final List<CallerDrivenLink> links = new CopyOnWriteArrayList<>();

    private volatile boolean shared;

    /** True if some thread is the reader. */
    private final AtomicBoolean reading = new AtomicBoolean();

    /** True while the reader waits on the selector, and no sender has woken it. */
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Time of the reader's last selection; 0 while one runs. Made visible by {@link #asleep} or {@link #reading}. */
    private long selectedNanos;

    /** Links whose writer's duty waits for a thread, each at most once. */
    private final Queue<CallerDrivenLink> unwritten = new ConcurrentLinkedQueue<>();

    /** Links that the selector has found ready. Belongs to the reader. */
    private final List<CallerDrivenLink> ready = new ArrayList<>();

    /** Action on each ready key, created once, so that a selection allocates nothing. */
    private final Consumer<SelectionKey> addReady = this::addReady;

    /** True after a socket was closed, until the next selection, which releases the socket. */
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
            // If the reader is closed, the thread that has closed it may not have seen the link.
            added = !closed;
            // A selection in progress does not include the new link.
            selector.wakeup();
        } catch (ClosedSelectorException e) {
            throw new IOException("the reader is closed", e);
        } finally {
            if (!added) {
                link.socket().close();
                remove(link);
            }
        }
        if (!added) {
            throw new IOException("the reader is closed");
        }
    }

    /** Removes a link whose socket is closed, and releases the socket. Idempotent. */
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

    /** Returns whether senders leave their writes to the reader. A few callers are faster if each writes itself. */
    boolean writesForAll() {
        return shared && load.isLarge();
    }

    /** Records the number of commands in flight on one link. Called by the timer, for each link in turn. */
    void sample(int inFlight) {
        load.sample(inFlight, links.size());
    }

    /** Takes the writer's duty for this link from a sender. */
    void write(CallerDrivenLink link) {
        unwritten.add(link);
        if (!reading.get()) {
            writeQueued();
        } else if (asleep.get() && asleep.compareAndSet(true, false)) {
            selector.wakeup();
        }
    }

    /** Writes for the queued links until none is left, or leaves the rest to the stand-by after several rounds. */
    private void writeQueued() {
        int most = 1 + ROUNDS_OF_WRITES * links.size();
        CallerDrivenLink link = unwritten.poll();
        while (link != null && !(most-- == 0 && leaveToStandby(link)) && link.write()) {
            link = unwritten.poll();
        }
    }

    /** Passes the writer's duty to the stand-by. Returns false if no stand-by can start. */
    boolean leaveToStandby(CallerDrivenLink link) {
        unwritten.add(link);
        if (!standby.wake() && unwritten.remove(link)) {
            return false;
        }
        // The stand-by may be waiting as the reader.
        selector.wakeup();
        return true;
    }

    /** Reads until the caller's own reply has arrived or the caller gives up. Returns false if another thread reads. */
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
            // The reader's role may not have been passed on. In this order, in case the stack has no room for the call.
            closed = true;
            fail(e);
        }
        return true;
    }

    private boolean startReading() {
        return !reading.get() && reading.compareAndSet(false, true);
    }

    private void readUntilOver(CallerDrivenLink link, Exchange<?> own, long deadlineNanos) {
        // If only the caller's own command is in flight, which was just sent, its reply has hardly arrived yet.
        boolean mayHaveBytes = link.inFlight() > 1 || own.isSentAhead();
        while (!own.isAwaited() && link.isAlive() && !Thread.currentThread().isInterrupted()) {
            writeQueued();
            boolean hasRead = mayHaveBytes && !isShared() && link.readAvailable();
            if (!hasRead) {
                letOthersRun();
            }
            // Checked also after a read: a server may send bytes without end.
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

    /** Waits until sockets are ready, and reads and writes on them. With 0 there is no limit, which costs less. */
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

    /** Lets woken callers run before a wait, if there are many, so that their next commands are sent together. */
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
            fail(new IOException("the reader was closed while it waited for replies", e));
        }
    }

    /** Gives up the reader's role, and wakes a thread to take it if a reader is needed. */
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
                // First, so that the stand-by can also write if this thread has to write for long.
                standby.wake();
            }
            writeQueued();
            if (inFlightUnattended || !(releasing || needsReader()) || !startReading()) {
                return;
            }
        }
    }

    /** Releases closed sockets, whose file descriptors are kept until the next selection. */
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

    /** Takes the reader's role briefly if no thread has it, so that a thread that needs the role is woken. */
    void handOver() {
        readBriefly(null);
    }

    /** Does the pending work of a reader on one link, if no other thread reads. */
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

    /** Wakes the stand-by to read for a command that no thread waits for, unless a thread reads already. */
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

    /** Returns the time since the reader last waited for bytes; 0 while the reader waits, or if no thread reads. */
    long heldUpNanos(long nowNanos) {
        long since = asleep.get() || !reading.get() ? 0 : selectedNanos;
        return since == 0 ? 0 : nowNanos - since;
    }

    boolean hasStandby() {
        return standby.exists();
    }

    /** Writes for the queued links, and reads if needed and no other thread reads. Returns false if it did neither. */
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

    /** Reads until a caller waits, which can read instead, or until no command in flight needs a reader. */
    private void readUntilWaitedFor() {
        while (!closed && firstWaitedFor() == null && needsReader()) {
            writeQueued();
            letOthersRun();
            await(STANDBY_WAIT_MILLIS);
        }
    }

    /** Wakes callers that are due or interrupted, and fails the links if an Error ended a thread. */
    void check(long nowNanos) {
        waiters.tick(nowNanos);
        if (closed) {
            close();
            throw new IllegalStateException("an Error has ended the reader");
        }
        if (standby.isDead()) {
            fail(new IllegalStateException("an Error has ended the stand-by thread"));
        }
    }

    /** Fails each link. Called when the reader's role may not have been passed on. */
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

    /** Closes the selector, and lets the stand-by end. For a reader without links. Idempotent. */
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
