// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.concurrent.ClientLog;
import io.memshard.client.concurrent.ClientThread;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Event loops of a client, used in turn. A blocked or terminated loop is replaced. Threading: thread-safe. */
final class EventLoops {

    private static final ClientLog LOG = ClientLog.of(EventLoops.class);
    private static final long BLOCKED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_ABANDONED = 16;
    private static final long SHUTDOWN_MILLIS = 2_000;

    private final ThreadFactory threads = new DefaultThreadFactory("memshard-io", true) {
        @Override
        protected Thread newThread(Runnable task, String name) {
            return new LoopThread(threadGroup, task, name, EventLoops.this);
        }
    };

    private final long replacedAfterNanos;

    /** Guarded by this object, like all fields below. */
    private final List<WatchedLoop> loops = new ArrayList<>();

    private final int size;
    private final List<WatchedLoop> abandoned = new ArrayList<>();
    private boolean closed;
    private int next;

    EventLoops(int size, long replacedAfterNanos) {
        this.size = size;
        this.replacedAfterNanos = replacedAfterNanos;
    }

    synchronized WatchedLoop next() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        WatchedLoop loop = take();
        for (int skipped = 1; skipped < size && loop.isBlocked(BLOCKED_NANOS); skipped++) {
            loop = take();
        }
        return loop;
    }

    private WatchedLoop take() {
        int index = next;
        if (index == loops.size()) {
            loops.add(new WatchedLoop(threads));
        }
        if (loops.get(index).hasEnded()) {
            loops.set(index, new WatchedLoop(threads));
        } else if (loops.get(index).isBlocked(replacedAfterNanos)) {
            replace(index);
        }
        // Last, because there may be no memory for a new loop.
        next = (index + 1) % size;
        return loops.get(index);
    }

    private void replace(int index) {
        abandoned.removeIf(WatchedLoop::isTerminated);
        if (abandoned.size() >= MAX_ABANDONED) {
            return;
        }
        WatchedLoop blocked = loops.set(index, new WatchedLoop(threads));
        abandoned.add(blocked);
        LOG.warn("an event loop was replaced, because it {}", blocked.whyBlocked());
        if (abandoned.size() == MAX_ABANDONED) {
            LOG.error(
                    "{} replaced event loops are still blocked, so the client replaces no further event loops: do not"
                            + " block in functions attached to futures",
                    MAX_ABANDONED);
        }
        blocked.shutDown(0);
    }

    synchronized void tick(long nowNanos) {
        for (WatchedLoop loop : loops) {
            loop.tick(nowNanos);
        }
    }

    synchronized void close() {
        closed = true;
        for (WatchedLoop loop : loops) {
            loop.shutDown(SHUTDOWN_MILLIS);
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * SHUTDOWN_MILLIS);
        for (WatchedLoop loop : loops) {
            if (!loop.isBlocked(BLOCKED_NANOS)) {
                loop.awaitTermination(deadline);
            }
        }
    }

    static @Nullable EventLoops ofThisThread() {
        return Thread.currentThread() instanceof LoopThread thread ? thread.owner : null;
    }

    private static final class LoopThread extends FastThreadLocalThread implements ClientThread {

        final EventLoops owner;

        LoopThread(ThreadGroup group, Runnable task, String name, EventLoops owner) {
            super(group, task, name);
            this.owner = owner;
        }
    }
}
