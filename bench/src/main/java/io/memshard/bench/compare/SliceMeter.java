// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.machine.HiccupMeter;
import io.memshard.bench.machine.Meter;
import io.memshard.bench.machine.ProcessFiles;
import io.memshard.bench.result.Surroundings;
import java.util.List;

/**
 * What the clocks and counters of client, server and machine show at one end of a slice.
 *
 * <p>Threading: immutable.
 *
 * @param clocks of process and machine
 * @param serverCpuSeconds of the servers; NaN if they are not known
 * @param switches context switches of the threads of this process that live
 */
record SliceMeter(Meter clocks, double serverCpuSeconds, long switches) {

    /** Reads the clocks last, because what comes before is no part of the slice. */
    static SliceMeter atStart(List<Long> servers) {
        long switches = ProcessFiles.ownSwitches();
        double server = cpuSeconds(servers);
        return new SliceMeter(Meter.read(), server, switches);
    }

    /** Reads the clocks first. */
    static SliceMeter atEnd(List<Long> servers) {
        Meter clocks = Meter.read();
        return new SliceMeter(clocks, cpuSeconds(servers), ProcessFiles.ownSwitches());
    }

    private static double cpuSeconds(List<Long> servers) {
        return servers.isEmpty()
                ? Double.NaN
                : servers.stream().mapToDouble(ProcessFiles::cpuSeconds).sum();
    }

    /** What server and machine did since {@code start}. */
    Surroundings since(SliceMeter start, HiccupMeter hiccups) {
        return new Surroundings(
                Math.rint((serverCpuSeconds - start.serverCpuSeconds) * 1e9),
                (double) Math.max(0, switches - start.switches),
                hiccups.p99Micros(),
                hiccups.maxMicros(),
                clocks.stealFractionSince(start.clocks));
    }
}
