// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.result.BenchException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

final class BusyCheck {

    static final double MOST_LOAD = 0.5;
    static final double MOST_USED = 0.25;

    /** Maximum share of CPU time that other virtual machines may take. Above this share, the lab repeats the fork. */
    static final double MOST_STEAL = 0.05;

    /** Maximum wait, which is long because the load average falls slowly. */
    private static final long LONGEST_WAIT_SECONDS = 300;

    private static final long LOOK_SECONDS = 10;
    private static final long WATCHED_MILLIS = 1000;

    /** Index of the idle time in the first line of {@code /proc/stat}, see proc(5). */
    private static final int IDLE = 3;

    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;

    private BusyCheck() {}

    static List<String> require(boolean mayBeBusy, String otherwise, Consumer<String> tell) {
        try {
            List<String> reasons = reasons();
            for (long waited = 0;
                    !mayBeBusy && !reasons.isEmpty() && waited < LONGEST_WAIT_SECONDS;
                    waited += LOOK_SECONDS) {
                if (waited == 0) {
                    tell.accept("the machine is busy (" + String.join("; ", reasons) + "): waiting for up to "
                            + LONGEST_WAIT_SECONDS + " s");
                }
                TimeUnit.SECONDS.sleep(LOOK_SECONDS);
                reasons = reasons();
            }
            if (!reasons.isEmpty() && !mayBeBusy) {
                throw new BenchException("the machine is busy (" + String.join("; ", reasons)
                        + "): wait until the machine is quiet, or " + otherwise);
            }
            return reasons;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while waiting for a quiet machine", e);
        }
    }

    private static List<String> reasons() throws InterruptedException {
        List<String> reasons = new ArrayList<>();
        long others = ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> process.info().commandLine().orElse("").contains("io.memshard.bench."))
                .count();
        if (others > 0) {
            reasons.add(others + " other JVM" + (others == 1 ? "" : "s") + " of the benchmarks");
        }
        long[] before = ticks();
        Thread.sleep(WATCHED_MILLIS);
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        reasons.addAll(reasons(load, Runtime.getRuntime().availableProcessors(), before, ticks()));
        return reasons;
    }

    static List<String> reasons(double load, int cpus, long[] before, long[] after) {
        List<String> reasons = new ArrayList<>();
        if (load > MOST_LOAD * cpus) {
            reasons.add(String.format(Locale.ROOT, "load average %.1f on %d CPUs", load, cpus));
        }
        double used = 1 - share(before, after, IDLE) - share(before, after, IO_WAIT);
        if (used > MOST_USED) {
            reasons.add(Math.round(100 * used) + " % of CPU time in use");
        }
        if (steal(before, after) > MOST_STEAL) {
            reasons.add(Math.round(100 * steal(before, after)) + " % of CPU time stolen by the host");
        }
        return reasons;
    }

    static double steal(long[] before, long[] after) {
        double stolen = share(before, after, STEAL);
        return Double.isNaN(stolen) ? 0 : Math.round(1e4 * stolen) / 1e4;
    }

    private static double share(long[] before, long[] after, int column) {
        return before.length <= STEAL || after.length <= STEAL
                ? Double.NaN
                : (double) (after[column] - before[column])
                        / (Arrays.stream(after).sum() - Arrays.stream(before).sum());
    }

    /** Returns the columns of {@code /proc/stat} for all processors together; empty if unknown. */
    static long[] ticks() {
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            return lines.findFirst().stream()
                    .flatMap(line -> Stream.of(line.split("\\s+", -1)).skip(1).limit(STEAL + 1))
                    .mapToLong(Long::parseLong)
                    .toArray();
        } catch (IOException e) {
            return new long[0];
        }
    }
}
