// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The memory and threads of this process at a moment. Threading: immutable.
 *
 * @param heap bytes of heap that collections leave
 * @param direct bytes of buffers outside of the heap: those of the JDK, and those that Netty takes without it
 * @param threads how many threads of clients there are
 */
record Footprint(long heap, long direct, long threads) {

    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    /** So many collections in a row that free next to nothing are the end. */
    private static final int QUIET = 3;

    private static final long NEXT_TO_NOTHING = 16 * 1024;
    private static final long PAUSE_MILLIS = 50;

    /**
     * Returns what is left when further collections free no more. One is not enough. Buffers outside of the heap are
     * freed after it, by a thread of their own. What ending threads keep is freed after that.
     */
    static Footprint settled() {
        Footprint least = take();
        int quiet = 0;
        while (quiet < QUIET) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            Footprint next = take();
            quiet = next.bytes() + NEXT_TO_NOTHING < least.bytes() ? 0 : quiet + 1;
            least = next.bytes() < least.bytes() ? next : least;
        }
        return least;
    }

    private long bytes() {
        return heap + direct;
    }

    private static Footprint take() {
        MEMORY.gc();
        long heap = MEMORY.getHeapMemoryUsage().getUsed();
        long ofJdk = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        // Negative where Netty takes all from the JDK.
        long ofNetty = Math.max(0, PlatformDependent.usedDirectMemory());
        return new Footprint(heap, ofJdk + ofNetty, threads("memshard"));
    }

    /** Returns the number of threads whose names start so. */
    static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream() // No test: it is what this program measures.
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }
}
