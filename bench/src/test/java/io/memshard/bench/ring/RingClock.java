// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import com.sun.management.ThreadMXBean;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;

/**
 * Cost of a look-up and a locator. Time is CPU time of the calling thread, so that other processes disturb it less
 * than they would a clock on the wall.
 *
 * <p>Threading: confined to one thread.
 */
final class RingClock {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    /** Memory that the locators may take together while they are measured, waste included. */
    private static final long MEMORY_FOR_COPIES = 64L << 20;

    private static final int MOST_COPIES = 10_000;
    private static final int LEAST_COPIES = 4;

    /** Makes every look-up count for the compiler. */
    private long sum;

    private @SuppressWarnings("unused") Object kept = "";

    /**
     * The cost of one operation.
     *
     * @param nanos CPU time
     * @param bytes allocated
     */
    record Cost(double nanos, double bytes) {}

    /** Returns the cost of a look-up: all of {@code keys} again and again, for {@code sliceNanos} of CPU time. */
    Cost ofLookup(ServerLocator locator, String[] keys, long sliceNanos) {
        return repeat(
                () -> {
                    int indexes = 0;
                    for (String key : keys) {
                        indexes += locator.locate(key);
                    }
                    sum += indexes;
                },
                keys.length,
                sliceNanos);
    }

    /** Returns the cost of building a locator, which is built again and again for {@code sliceNanos} of CPU time. */
    Cost ofBuild(Ring ring, List<Server> servers, long sliceNanos) {
        return repeat(() -> kept = ring.locator(servers), 1, sliceNanos);
    }

    private static Cost repeat(Runnable operations, int count, long sliceNanos) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long start = THREADS.getCurrentThreadCpuTime();
        long done = 0;
        long elapsed;
        do {
            operations.run();
            done += count;
            elapsed = THREADS.getCurrentThreadCpuTime() - start;
        } while (elapsed < sliceNanos);
        return new Cost((double) elapsed / done, (double) (THREADS.getCurrentThreadAllocatedBytes() - bytes) / done);
    }

    /** Bytes of heap that a locator keeps, without its servers: those of many, after a collection. */
    double memory(Ring ring, List<Server> servers) {
        long waste = (long) ofBuild(ring, servers, 1).bytes();
        int copies = (int) Math.max(LEAST_COPIES, Math.min(MOST_COPIES, MEMORY_FOR_COPIES / Math.max(1, waste)));
        ServerLocator[] locators = new ServerLocator[copies];
        kept = locators;
        long before = usedHeap();
        for (int i = 0; i < copies; i++) {
            locators[i] = ring.locator(servers);
        }
        long used = usedHeap() - before;
        kept = "";
        sum += locators.length;
        return Math.max(0, (double) used / copies);
    }

    private static long usedHeap() {
        MEMORY.gc();
        MEMORY.gc();
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}
