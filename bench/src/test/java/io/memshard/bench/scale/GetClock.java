// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.scale;

import com.sun.management.ThreadMXBean;
import io.memshard.client.MemcachedClient;
import java.lang.management.ManagementFactory;

/**
 * Cost of a get to a thread that makes one after the other.
 *
 * <p>Threading: confined to one thread.
 *
 * @param micros how long the thread waits
 * @param cpuMicros its CPU time
 * @param bytes what it allocates
 */
record GetClock(double micros, double cpuMicros, double bytes) {

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /** Gets all of {@code keys} again and again, for {@code sliceNanos}. Each must be there. */
    static GetClock time(MemcachedClient<byte[]> client, String[] keys, long sliceNanos) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long cpu = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        long done = 0;
        long elapsed;
        do {
            for (String key : keys) {
                if (client.get(key) == null) {
                    throw new IllegalStateException(key + " is gone");
                }
            }
            done += keys.length;
            elapsed = System.nanoTime() - start;
        } while (elapsed < sliceNanos);
        return new GetClock(
                elapsed / 1e3 / done,
                (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3 / done,
                (double) (THREADS.getCurrentThreadAllocatedBytes() - bytes) / done);
    }
}
