// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import com.sun.management.ThreadMXBean;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.machine.Meter;
import io.memshard.bench.machine.ProcessFiles;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Map;

/**
 * A reading of the clocks and counters of a fork: its own, those of its callers and the server's.
 *
 * <p>Threading: immutable.
 *
 * @param clocks of process and machine
 * @param serverCpuSeconds of the memcached; 0 if that is not known
 * @param switches context switches of the threads that live
 * @param blocked how often callers were blocked at a monitor
 * @param waited how often they waited otherwise
 * @param allocated bytes that they allocated
 * @param collections of garbage
 * @param collectionMillis their time
 */
record ForkMeter(
        Meter clocks,
        double serverCpuSeconds,
        long switches,
        long blocked,
        long waited,
        long allocated,
        long collections,
        long collectionMillis) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What all show now, the clocks last. */
    static ForkMeter read(long[] callers, long serverPid) {
        long blocked = 0;
        long waited = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(callers)) {
            if (thread != null) {
                blocked += thread.getBlockedCount();
                waited += thread.getWaitedCount();
            }
        }
        long collections = 0;
        long collectionMillis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += collector.getCollectionCount();
            collectionMillis += collector.getCollectionTime();
        }
        long switches = ProcessFiles.ownSwitches();
        long allocated = Arrays.stream(THREADS.getThreadAllocatedBytes(callers)).sum();
        return new ForkMeter(
                Meter.read(),
                serverPid == 0 ? 0 : ProcessFiles.cpuSeconds(serverPid),
                switches,
                blocked,
                waited,
                allocated,
                collections,
                collectionMillis);
    }

    /** Puts what happened since {@code start} into {@code measures}. */
    void addSince(ForkMeter start, Map<Measure, Double> measures) {
        measures.put(Measure.CPU_SECONDS, (clocks.cpuNanos() - start.clocks.cpuNanos()) / 1e9);
        measures.put(Measure.STEAL, clocks.stealFractionSince(start.clocks));
        measures.put(Measure.SERVER_CPU_SECONDS, serverCpuSeconds - start.serverCpuSeconds);
        measures.put(Measure.SWITCHES, (double) (switches - start.switches));
        measures.put(Measure.BLOCKED, (double) (blocked - start.blocked));
        measures.put(Measure.WAITED, (double) (waited - start.waited));
        measures.put(Measure.ALLOCATED_BYTES, (double) (allocated - start.allocated));
        measures.put(Measure.GC_COUNT, (double) (collections - start.collections));
        measures.put(Measure.GC_SECONDS, (collectionMillis - start.collectionMillis) / 1e3);
    }
}
