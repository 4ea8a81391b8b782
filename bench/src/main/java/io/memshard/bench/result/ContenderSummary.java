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
 * @param cpuMicrosPerOperation of the client
 * @param serverCpuMicrosPerOperation of the server; NaN if that is not known
 * @param perCoreSecond operations for a second of CPU time, of client and server together; NaN if that is not known
 * @param latency medians of the percentiles of each slice; the longest call of all
 * @param jain how evenly the callers were served; NaN if that is not known
 * @param errors sum over the slices
 * @param timeouts sum over the slices
 * @param wrongValues sum over the slices
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

    /** Returns the estimate. */
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

    /** Returns the contender, and its connections after {@code times} if it ran with several numbers of them. */
    public String label(List<ContenderSummary> lines, String times) {
        boolean several = lines.stream()
                .anyMatch(line -> line.contender.equals(contender)
                        && line.condition.equals(condition)
                        && line.connections != connections);
        return several ? contender + times + connections : contender;
    }
}
