// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * One line of the table: a contender with its number of connections under one condition, over all
 * rounds.
 *
 * <p>Threading: immutable.
 *
 * @param condition the load
 * @param contender name as in {@link SliceResult}
 * @param connections sockets that the contender was asked to use
 * @param rounds number of rounds that went into this line
 * @param ratio throughput over that of the baseline in the same round; null if no round has both
 * @param throughput operations a second, over the rounds
 * @param cpuMicrosPerOperation median over the rounds
 * @param latency medians over the rounds of the percentiles of each round; the longest call of all
 * @param errors sum over the rounds
 * @param timeouts sum over the rounds
 * @param wrongValues sum over the rounds
 */
public record ContenderSummary(
        Condition condition,
        String contender,
        int connections,
        int rounds,
        @Nullable Quartiles ratio,
        Quartiles throughput,
        double cpuMicrosPerOperation,
        Latency latency,
        long errors,
        long timeouts,
        long wrongValues) {

    /** Median over the rounds. */
    public double operationsPerSecond() {
        return throughput.median();
    }

    /** Whether this is the second run of the baseline, which tells the noise. */
    public boolean isAgain() {
        return contender.endsWith(ComparisonResult.AGAIN);
    }
}
