// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.result.SliceResult.Figure;
import io.memshard.bench.statistics.Interval;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Line of the table: a contender with its number of connections under one condition, over all forks and rounds. Each
 * figure is the median over the forks of the medians over their rounds. Each interval is a 95 % interval of {@link
 * io.memshard.bench.statistics.NestedMedian}; with one fork, its ends are NaN. Threading: immutable.
 *
 * @param connections sockets that the contender was asked to use
 * @param forks number of JVMs that went into this line
 * @param ratio throughput over that of the baseline in the same round; null if no round has both
 * @param throughput operations a second
 * @param cpuMicrosPerOperation CPU time of the client
 * @param serverCpuMicrosPerOperation CPU time of the server; NaN if unknown
 * @param perCoreSecond operations for a second of CPU time, of client and server together; NaN if unknown
 * @param figures medians of the percentiles and of Jain's index; the longest call of all slices; sums of failures
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
        Map<Figure, Double> figures) {

    /** Returns one of {@link #figures}; NaN if it is not known. */
    public double get(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** Returns whether this is the second run of the baseline, which shows the noise. */
    public boolean isAgain() {
        return contender.endsWith(ComparisonResult.AGAIN);
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
