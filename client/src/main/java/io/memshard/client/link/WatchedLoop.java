// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Event loop that answers probes of the timer, because an application may block it. Threading: thread-safe. */
final class WatchedLoop {

    /** Number of ticks without an answer after which a loop counts as blocked. A suspended process does not tick. */
    private static final int BLOCKED_TICKS = 10;

    private static final boolean EPOLL = Epoll.isAvailable();
    private static final List<String> NOT_APPLICATION =
            List.of("java.", "javax.", "jdk.", "sun.", "io.memshard.", "io.netty.", "io.micrometer.");

    private final EventLoopGroup group;
    private final StallDetector watch = new StallDetector();

    private int unansweredTicks;
    private long probedNanos;

    /** Thread of the loop; null until its first answer. Guarded by this object. */
    private @Nullable Thread thread;

    /** Uses {@code if}, because a conditional expression would refer to a superclass that Netty 4.1 lacks. */
    @SuppressWarnings("deprecation") // Netty 4.1 lacks their replacements.
    WatchedLoop(ThreadFactory threads) {
        if (EPOLL) {
            group = new EpollEventLoopGroup(1, threads);
        } else {
            group = new NioEventLoopGroup(1, threads);
        }
    }

    /** Loads the native transport of Linux at the first call. */
    static boolean isEpoll() {
        return EPOLL;
    }

    EventLoopGroup group() {
        return group;
    }

    /** Repeats an unanswered probe, because an {@link Error} may have dropped it. */
    synchronized void tick(long nowNanos) {
        watch.expect(nowNanos);
        if (unansweredTicks % BLOCKED_TICKS == 0) {
            try {
                group.execute(this::answer);
            } catch (RejectedExecutionException e) {
                // The loop has terminated, or the client is closed.
            }
        }
        // Last, because submitting the probe may have failed for lack of memory.
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

    synchronized boolean isBlocked(long forNanos) {
        return unansweredTicks >= BLOCKED_TICKS && System.nanoTime() - probedNanos >= forNanos;
    }

    synchronized String whyBlocked() {
        String code = applicationCode();
        return code == null
                ? "did not run for " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - probedNanos) + " ms"
                : "is blocked by " + code + ": do not block in functions attached to futures or in transcoders";
    }

    private @Nullable String applicationCode() {
        StackTraceElement[] frames = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
        for (int i = frames.length - 1; i >= 0; i--) {
            String name = frames[i].getClassName();
            if (NOT_APPLICATION.stream().noneMatch(name::startsWith)) {
                return name;
            }
        }
        return null;
    }

    long heldUpNanos(long sinceNanos, long nowNanos) {
        return watch.stalledNanos(sinceNanos, nowNanos);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // awaitTermination waits for the end.
    void shutDown(long timeoutMillis) {
        group.shutdownGracefully(0, timeoutMillis, TimeUnit.MILLISECONDS);
    }

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
