// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link.eventloop;

import io.memshard.client.link.StallDetector;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One event loop, and whether it does what it is asked. The timer asks it for a sign of life. What an application runs
 * on it, such as a stage of a future or a transcoder, may hold it up for ever.
 *
 * <p>Threading: thread-safe; {@link #tick} by the timer.
 */
final class WatchedLoop {

    /**
     * So many signs of life must be missing. The timer then had CPU time for as many rounds. So a process that stood
     * still, as in a debugger, does not make a loop seem held up.
     */
    private static final int MISSING_SIGNS = 10;

    private final EventLoopGroup group;
    private final StallDetector watch = new StallDetector();

    /** How many ticks ago the loop was asked for the sign of life that it owes; 0 if it owes none. */
    private int missing;

    /** When it was asked. */
    private long askedNanos;

    private final boolean epoll;

    /**
     * The loop of a group that has one thread.
     *
     * @param epoll whether it is of Linux's native transport
     */
    WatchedLoop(EventLoopGroup group, boolean epoll) {
        this.group = group;
        this.epoll = epoll;
    }

    boolean isEpoll() {
        return epoll;
    }

    EventLoopGroup group() {
        return group;
    }

    /** Asks for a sign of life; while the last is still to come only now and then, in case an Error has lost it. */
    synchronized void tick(long nowNanos) {
        watch.expect(nowNanos);
        if (missing % MISSING_SIGNS == 0) {
            try {
                group.execute(this::answer);
            } catch (RejectedExecutionException e) {
                // It has ended, or the client is closed.
            }
        }
        // It was asked: there was memory for that.
        if (missing++ == 0) {
            askedNanos = nowNanos;
        }
    }

    private void answer() {
        long now = System.nanoTime();
        synchronized (this) {
            missing = 0;
        }
        watch.tick(now);
    }

    /** Whether it has given no sign of life for so long. */
    synchronized boolean isHeldUp(long forNanos) {
        return missing >= MISSING_SIGNS && System.nanoTime() - askedNanos >= forNanos;
    }

    /** For how long it was held up of late, or is now; 0 if that is not worth telling. */
    long heldUpNanos(long nowNanos) {
        return watch.stalledNanos(nowNanos);
    }

    /** Ends its thread: at once, or, if it is held up, as soon as it goes on. */
    @SuppressWarnings("FutureReturnValueIgnored") // Its end is awaited by another method.
    void shutDown(long timeoutMillis) {
        group.shutdownGracefully(0, timeoutMillis, TimeUnit.MILLISECONDS);
    }

    /** Whether it takes no more tasks. Netty ends its thread after an OutOfMemoryError. */
    boolean hasEnded() {
        return group.isShuttingDown();
    }

    boolean isTerminated() {
        return group.isTerminated();
    }

    void awaitTermination(long deadlineNanos) {
        group.terminationFuture().awaitUninterruptibly(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}
