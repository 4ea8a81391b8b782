// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.result.SliceResult.Latency;
import io.memshard.bench.statistics.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Line of the table: a contender with its number of connections under one condition, over all forks and rounds. Each
 * figure is the median over the forks of the medians over their rounds. Each interval is a 95 % interval of {@link
 * io.memshard.bench.statistics.NestedMedian}; with one fork, its ends are NaN. Threading: immutable.
 *
 * @param condition the load
 * @param contender name as in {@link SliceResult}
 * @param connections sockets that the contender was asked to use
 * @param forks number of JVMs that went into this line
 * @param ratio throughput over that of the baseline in the same round; null if no round has both
 * @param throughput operations a second
 * @param cpuMicrosPerOperation CPU time of the client for one operation, in microseconds
 * @param serverCpuMicrosPerOperation CPU time of the server for one operation, in microseconds; NaN if unknown
 * @param perCoreSecond operations for a second of CPU time, of client and server together; NaN if unknown
 * @param latency medians of the percentiles of the slices, and the longest call of all slices
 * @param jain Jain's index of how evenly the callers were served; NaN if unknown
 * @param errors sum of the errors of the slices
 * @param timeouts sum of the time-outs of the slices
 * @param wrongValues sum of the wrong values of the slices
 */
public record ContenderSummary(
        Condition condition,
        String contender,
        int connections,
        int forks,
        @Nullable Interval ratio,
        Interval throughput,
        double cpuMicrosPerOperation,
        double serverCpuMicrosPerOperation,
        Interval perCoreSecond,
        Latency latency,
        double jain,
        long errors,
        long timeouts,
        long wrongValues) {

    /** Returns the estimate of the throughput, in operations a second. */
    public double operationsPerSecond() {
        return throughput.mid();
    }

    /** Returns whether this is the second run of the baseline, which shows the noise. */
    public boolean isAgain() {
        return contender.endsWith(ComparisonResult.AGAIN);
    }

    /** Returns the verdict of {@link ComparisonResult#verdict} on the ratio; empty if there is none. */
    public String verdict() {
        return ratio == null ? "" : ComparisonResult.verdict(ratio);
    }

    /**
     * Returns the name of the contender. If it ran with several numbers of connections, {@code times} and the number
     * follow.
     */
    public String label(List<ContenderSummary> lines, String times) {
        boolean several = lines.stream()
                .anyMatch(line -> line.contender.equals(contender)
                        && line.condition.equals(condition)
                        && line.connections != connections);
        return several ? contender + times + connections : contender;
    }
}
