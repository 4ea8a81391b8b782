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
import java.util.EnumMap;
import java.util.Map;

/**
 * A reading of the clocks and counters of a fork: its own, those of its callers and the server's.
 *
 * <p>Threading: immutable.
 *
 * @param clocks of process and machine
 * @param serverCpuSeconds of the memcached; 0 if that is not known
 * @param counters of this process
 */
record ForkMeter(Meter clocks, double serverCpuSeconds, Counters counters) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Reads the clocks last, because what comes before is no part of the measurement. */
    static ForkMeter atStart(long[] callers, long serverPid) {
        Counters counters = Counters.read(callers);
        double server = cpuSeconds(serverPid);
        return new ForkMeter(Meter.read(), server, counters);
    }

    /** Reads the clocks first; {@code counters} were read before the callers paused, which is a wait of each too. */
    static ForkMeter atEnd(Counters counters, long serverPid) {
        Meter clocks = Meter.read();
        return new ForkMeter(clocks, cpuSeconds(serverPid), counters);
    }

    private static double cpuSeconds(long server) {
        return server == 0 ? 0 : ProcessFiles.cpuSeconds(server);
    }

    /** Returns what happened since {@code start}. */
    Map<Measure, Double> since(ForkMeter start) {
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        measures.put(Measure.CPU_SECONDS, (clocks.cpuNanos() - start.clocks.cpuNanos()) / 1e9);
        measures.put(Measure.STEAL, clocks.stealFractionSince(start.clocks));
        measures.put(Measure.SERVER_CPU_SECONDS, serverCpuSeconds - start.serverCpuSeconds);
        counters.putSince(start.counters, measures);
        return measures;
    }

    /**
     * Counters that only grow.
     *
     * @param switches context switches of the threads that live
     * @param blocked times that callers were blocked at a monitor
     * @param waited times that they waited otherwise
     * @param allocated bytes that they allocated
     * @param collections of garbage
     * @param collectionMillis their time
     */
    record Counters(long switches, long blocked, long waited, long allocated, long collections, long collectionMillis) {

        static Counters read(long[] callers) {
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
            long allocated =
                    Arrays.stream(THREADS.getThreadAllocatedBytes(callers)).sum();
            return new Counters(ProcessFiles.ownSwitches(), blocked, waited, allocated, collections, collectionMillis);
        }

        private void putSince(Counters start, Map<Measure, Double> measures) {
            measures.put(Measure.SWITCHES, (double) (switches - start.switches));
            measures.put(Measure.BLOCKED, (double) (blocked - start.blocked));
            measures.put(Measure.WAITED, (double) (waited - start.waited));
            measures.put(Measure.ALLOCATED_BYTES, (double) (allocated - start.allocated));
            measures.put(Measure.GC_COUNT, (double) (collections - start.collections));
            measures.put(Measure.GC_SECONDS, (collectionMillis - start.collectionMillis) / 1e3);
        }
    }
}
