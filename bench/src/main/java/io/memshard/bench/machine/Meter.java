// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A reading of the clocks that a slice is judged by. Threading: immutable.
 *
 * @param nanos of {@link System#nanoTime()}
 * @param cpuNanos CPU time of this process, all threads, user and system
 * @param machineTicks time of all processors, busy or idle, in ticks of the kernel; 0 if unknown
 * @param stolenTicks how much of it the host gave to other machines; 0 if unknown
 */
public record Meter(long nanos, long cpuNanos, long machineTicks, long stolenTicks) {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final Path STAT = Path.of("/proc/stat");

    /** Columns of the first line of {@code /proc/stat}, see proc(5): user to steal are 1 to 8. */
    private static final int STEAL = 8;

    /** Reads the clocks. */
    public static Meter read() {
        long machine = 0;
        long stolen = 0;
        if (Files.isReadable(STAT)) {
            try (var lines = Files.newBufferedReader(STAT)) {
                String[] columns = lines.readLine().split("\\s+", -1);
                for (int i = 1; i <= STEAL && i < columns.length; i++) {
                    machine += Long.parseLong(columns[i]);
                }
                stolen = columns.length > STEAL ? Long.parseLong(columns[STEAL]) : 0;
            } catch (IOException e) {
                machine = 0;
            }
        }
        return new Meter(System.nanoTime(), SYSTEM.getProcessCpuTime(), machine, stolen);
    }

    /**
     * Returns the share of the machine's time that was stolen between {@code start} and this reading, to four decimals.
     */
    public double stealFractionSince(Meter start) {
        long machine = machineTicks - start.machineTicks;
        return machine <= 0 ? 0 : Math.round(1e4 * (stolenTicks - start.stolenTicks) / machine) / 1e4;
    }
}
