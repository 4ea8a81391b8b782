// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Reading of the clocks that time a measurement. Threading: immutable.
 *
 * @param nanos value of {@link System#nanoTime()}
 * @param cpuNanos CPU time of this process, all threads, user and system
 * @param machineTicks time of all processors, busy or idle, in ticks of the kernel; 0 if unknown
 * @param stolenTicks part of {@code machineTicks} that the host gave to other machines; 0 if unknown
 */
public record Meter(long nanos, long cpuNanos, long machineTicks, long stolenTicks) {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final Path STAT = Path.of("/proc/stat");

    /** Number of columns that are read from the first line of {@code /proc/stat}, see proc(5). */
    private static final int STEAL = 8;

    /** Reads the clocks. */
    public static Meter read() {
        long[] ticks = ticks();
        return new Meter(
                System.nanoTime(),
                SYSTEM.getProcessCpuTime(),
                Arrays.stream(ticks).sum(),
                ticks.length < STEAL ? 0 : ticks[STEAL - 1]);
    }

    /** Returns the ticks of all processors by use, from user to steal as in {@code /proc/stat}; none if unknown. */
    static long[] ticks() {
        try (var lines = Files.lines(STAT)) {
            return lines.findFirst().stream()
                    .flatMap(line -> Stream.of(line.split("\\s+", -1)).skip(1).limit(STEAL))
                    .mapToLong(Long::parseLong)
                    .toArray();
        } catch (IOException e) {
            return new long[0];
        }
    }

    /**
     * Returns the share of the machine's time that was stolen between {@code start} and this reading, to four decimals.
     */
    public double stealFractionSince(Meter start) {
        long machine = machineTicks - start.machineTicks;
        return machine <= 0 ? 0 : Math.round(1e4 * (stolenTicks - start.stolenTicks) / machine) / 1e4;
    }
}
