// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link.eventloop;

import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loops of a client, taken in turn by new links: native epoll where it loads, NIO elsewhere. A loop that an
 * application holds up is passed over, and replaced by another when that lasts. One that has ended is replaced at once.
 *
 * <p>Threading: thread-safe. Owns its daemon threads, {@code memshard-io-*}, which start when a link takes their loop.
 */
final class EventLoops {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);

    /** A loop without a sign of life for so long gets no link, and is not waited for. */
    private static final long HELD_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** So many threads may be held up beside those of the loops. Then none is replaced before one of them ends. */
    private static final int MAX_ABANDONED = 16;

    /** A replacement is told once in this time. */
    private static final long TOLD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long SHUTDOWN_MILLIS = 2_000;

    /** Whether new loops are of Linux's native transport. Changed once at most, under the monitor of this. */
    private volatile boolean epoll = isEpollAvailable();

    private final ThreadFactory threads = new EventLoopThreads();
    private final long replacedAfterNanos;

    /** The loops that links have taken, at most {@link #size}. Guarded by this. */
    private final List<WatchedLoop> loops = new ArrayList<>();

    private final int size;

    /** The loops that were replaced and whose threads have not ended. Guarded by this. */
    private final List<WatchedLoop> abandoned = new ArrayList<>();

    /** Whether it was told that no more loops are replaced, and none was since. Guarded by this. */
    private boolean limitTold;

    /** Whether a replacement was told, and when the last time. Guarded by this. */
    private boolean replacementTold;

    private long toldNanos;

    /** The index of the loop that the next link takes. Guarded by this. */
    private int next;

    /**
     * No loops yet.
     *
     * @param size how many there will be at most, at least 1
     * @param replacedAfterNanos how long a loop may be held up until another takes its place
     */
    EventLoops(int size, long replacedAfterNanos) {
        this.size = size;
        this.replacedAfterNanos = replacedAfterNanos;
    }

    /**
     * Loads classes that links and loops need: the initializer of a class is not run again if there was no memory for
     * it.
     */
    @SuppressWarnings("deprecation") // As in newLoop.
    private static boolean isEpollAvailable() {
        try {
            if (Epoll.isAvailable()) {
                load(new EpollSocketChannel(), EpollEventLoopGroup.class);
                return true;
            }
        } catch (LinkageError e) {
            LOG.warn("Linux's native transport cannot be used, and NIO takes its place", e);
        }
        load(new NioSocketChannel(), NioEventLoopGroup.class);
        return false;
    }

    private static void load(Channel channel, Class<?> loops) {
        channel.unsafe().closeForcibly();
        try {
            Class.forName(loops.getName());
        } catch (ClassNotFoundException e) {
            throw new LinkageError(loops.getName(), e);
        }
    }

    /** Whether new loops are of Linux's native transport. */
    boolean isEpoll() {
        return epoll;
    }

    /** Uses NIO from now on, if a class of the native transport cannot be used. */
    synchronized void avoidEpoll(LinkageError why) {
        if (epoll) {
            epoll = false;
            LOG.warn("a class of Linux's native transport cannot be used, and NIO takes its place", why);
        }
    }

    /** The loop for a new link. */
    synchronized WatchedLoop next() {
        WatchedLoop loop = take();
        for (int passedOver = 1; passedOver < size && loop.isHeldUp(HELD_UP_NANOS); passedOver++) {
            loop = take();
        }
        return loop;
    }

    private WatchedLoop take() {
        int index = next;
        if (index == loops.size()) {
            loops.add(newLoop());
        }
        WatchedLoop loop = loops.get(index);
        if (loop.hasEnded()) {
            loop = newLoop();
            loops.set(index, loop);
        } else if (loop.isHeldUp(replacedAfterNanos) || loop.isEpoll() != epoll) {
            replace(index);
            loop = loops.get(index);
        }
        // Last: for lack of memory there may be no loop.
        next = (index + 1) % size;
        return loop;
    }

    /**
     * Of the classes that Netty 4.1 has, and 4.2 too. In two statements: compiled against 4.2, a conditional
     * expression of both would name their common superclass, which 4.1 lacks.
     */
    @SuppressWarnings("deprecation") // What 4.2 has in their place is not in 4.1.
    private WatchedLoop newLoop() {
        if (epoll) {
            try {
                return new WatchedLoop(new EpollEventLoopGroup(1, threads), true);
            } catch (LinkageError e) {
                avoidEpoll(e);
            }
        }
        return new WatchedLoop(new NioEventLoopGroup(1, threads), false);
    }

    private void replace(int index) {
        abandoned.removeIf(WatchedLoop::isTerminated);
        if (abandoned.size() >= MAX_ABANDONED) {
            if (!limitTold) {
                limitTold = true;
                LOG.error(
                        "{} event loops are held up, so no more of them are replaced: find what blocks them",
                        MAX_ABANDONED);
            }
            return;
        }
        limitTold = false;
        WatchedLoop heldUp = loops.set(index, newLoop());
        tellReplaced();
        abandoned.add(heldUp);
        heldUp.shutDown(0);
    }

    private void tellReplaced() {
        long now = System.nanoTime();
        if (!replacementTold || now - toldNanos > TOLD_NANOS) {
            replacementTold = true;
            toldNanos = now;
            LOG.warn(
                    "an event loop is held up and was replaced: do not block in a transcoder or in a stage of a future");
        }
    }

    /** The timer's call. */
    synchronized void tick(long nowNanos) {
        for (WatchedLoop loop : loops) {
            loop.tick(nowNanos);
        }
    }

    /** Ends the threads, and waits for those that are not held up. */
    synchronized void close() {
        for (WatchedLoop loop : loops) {
            loop.shutDown(SHUTDOWN_MILLIS);
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * SHUTDOWN_MILLIS);
        for (WatchedLoop loop : loops) {
            if (!loop.isHeldUp(HELD_UP_NANOS)) {
                loop.awaitTermination(deadline);
            }
        }
    }
}
