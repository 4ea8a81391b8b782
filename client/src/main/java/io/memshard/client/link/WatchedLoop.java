// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.netty.channel.EventLoopGroup;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Event loop with a check whether it still runs its tasks, because code of an application may block it forever. The
 * timer submits probes, small tasks that the loop must run. Threading: thread-safe.
 */
final class WatchedLoop {

    /**
     * Number of ticks without an answer after which a loop counts as blocked. Ticks are counted because a process that
     * stood still, for example in a debugger, does not make a loop look blocked.
     */
    private static final int BLOCKED_TICKS = 10;

    private final EventLoopGroup group;
    private final StallDetector watch = new StallDetector();

    /** Number of ticks since the first unanswered probe; 0 if all were answered. */
    private int unansweredTicks;

    private long probedNanos;

    /** Thread of the loop; null until its first answer. Guarded by this object. */
    private @Nullable Thread thread;

    WatchedLoop(EventLoopGroup group) {
        this.group = group;
    }

    EventLoopGroup group() {
        return group;
    }

    /** Submits a probe, and another every {@value #BLOCKED_TICKS} ticks, in case an Error has dropped the first. */
    synchronized void tick(long nowNanos) {
        watch.expect(nowNanos);
        if (unansweredTicks % BLOCKED_TICKS == 0) {
            try {
                group.execute(this::answer);
            } catch (RejectedExecutionException e) {
                // The loop has terminated, or the client is closed.
            }
        }
        // Only now, because submitting the probe may have failed for lack of memory.
        if (unansweredTicks++ == 0) {
            probedNanos = nowNanos;
        }
    }

    private void answer() {
        long now = System.nanoTime();
        synchronized (this) {
            thread = Thread.currentThread();
            unansweredTicks = 0;
        }
        watch.tick(now);
    }

    /** Returns whether the loop has left a probe unanswered for {@code forNanos}, and counts as blocked. */
    synchronized boolean isBlocked(long forNanos) {
        return unansweredTicks >= BLOCKED_TICKS && System.nanoTime() - probedNanos >= forNanos;
    }

    /** Returns the continuation of a message about a blocked loop: the application's code that runs on it, if any. */
    synchronized String whyBlocked() {
        String code = ApplicationCode.on(thread);
        return code == null
                ? "did not run for " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - probedNanos) + " ms"
                : "is blocked by " + code + ": do not block in stages of futures or in transcoders";
    }

    long heldUpNanos(long sinceNanos, long nowNanos) {
        return watch.stalledNanos(sinceNanos, nowNanos);
    }

    /** Ends the loop's thread: immediately, or, if it is blocked, as soon as it continues. */
    @SuppressWarnings("FutureReturnValueIgnored") // awaitTermination waits for the end.
    void shutDown(long timeoutMillis) {
        group.shutdownGracefully(0, timeoutMillis, TimeUnit.MILLISECONDS);
    }

    /** Returns whether the loop accepts no more tasks. Netty ends the loop's thread after an OutOfMemoryError. */
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
