// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import org.HdrHistogram.Histogram;

/** Sums over a period. Confined to one thread. */
final class Period {

    private static final double NANOS_IN_A_SECOND = 1e9;
    private static final double NANOS_IN_A_MICRO = 1e3;

    private final Histogram latencies = new Histogram(3);
    private long nanos;
    private long failures;
    private Figures.Counts counts = new Figures.Counts(0, 0, 0, 0);

    void add(Histogram histogram, long newNanos, long newFailures, Figures.Counts newCounts) {
        latencies.add(histogram);
        nanos += newNanos;
        failures += newFailures;
        counts = new Figures.Counts(
                counts.hits() + newCounts.hits(),
                counts.misses() + newCounts.misses(),
                counts.lost() + newCounts.lost(),
                counts.queries() + newCounts.queries());
    }

    void add(Period other) {
        add(other.latencies, other.nanos, other.failures, other.counts);
    }

    FiguresOfPeriod figures() {
        double seconds = nanos / NANOS_IN_A_SECOND;
        long lookups = counts.hits() + counts.misses();
        return new FiguresOfPeriod(
                seconds,
                latencies.getTotalCount(),
                perSecond(latencies.getTotalCount(), seconds),
                latencies.getValueAtPercentile(50) / NANOS_IN_A_MICRO,
                latencies.getValueAtPercentile(99) / NANOS_IN_A_MICRO,
                lookups == 0 ? 0 : (double) counts.hits() / lookups,
                perSecond(counts.lost(), seconds),
                perSecond(counts.queries(), seconds),
                failures);
    }

    private static double perSecond(long count, double seconds) {
        return seconds == 0 ? 0 : count / seconds;
    }
}
