// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Figures of one run. All methods except {@link #answered} and {@link #failed} require the lock of {@link Switchboard}.
 */
final class Figures {

    /** Seconds at the start of a run that do not count: connections open, and the JVM compiles code. */
    static final int WARM_UP_SECONDS = 3;

    static final int MEDIAN_SECONDS = 10;

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    record Counts(long hits, long misses, long lost, long queries) {}

    /** Figures of a period. {@code lost} and {@code queries} are failed cache calls and database queries per second. */
    record OfPeriod(
            double seconds,
            long requests,
            double throughput,
            double p50Micros,
            double p99Micros,
            double hitRatio,
            double lost,
            double queries,
            long failures) {}

    private record Mark(long nanos, Counts counts, long failures) {

        OfPeriod since(Mark start, Histogram latencies) {
            double seconds = (nanos - start.nanos) / 1e9;
            double perSecond = seconds == 0 ? 0 : 1 / seconds;
            long hits = counts.hits - start.counts.hits;
            long lookups = hits + counts.misses - start.counts.misses;
            return new OfPeriod(
                    seconds,
                    latencies.getTotalCount(),
                    latencies.getTotalCount() * perSecond,
                    latencies.getValueAtPercentile(50) / 1e3,
                    latencies.getValueAtPercentile(99) / 1e3,
                    lookups == 0 ? 0 : (double) hits / lookups,
                    (counts.lost - start.counts.lost) * perSecond,
                    (counts.queries - start.counts.queries) * perSecond,
                    failures - start.failures);
        }
    }

    private final Recorder latencies = new Recorder(LONGEST_NANOS, DIGITS);
    private final LongAdder failures = new LongAdder();
    private final Histogram latenciesWhenWarm = new Histogram(DIGITS);
    private final Deque<Double> lastThroughputs = new ArrayDeque<>();
    private Mark warm;
    private Mark last;
    private int seconds;

    Figures(Counts counts) {
        warm = new Mark(System.nanoTime(), counts, 0);
        last = warm;
    }

    void answered(long nanos) {
        latencies.recordValue(Math.min(nanos, LONGEST_NANOS));
    }

    void failed() {
        failures.increment();
    }

    OfPeriod second(Counts counts) {
        Histogram histogram = latencies.getIntervalHistogram();
        Mark now = new Mark(System.nanoTime(), counts, failures.sum());
        OfPeriod figures = now.since(last, histogram);
        last = now;
        seconds++;
        if (isWarm()) {
            latenciesWhenWarm.add(histogram);
            lastThroughputs.addLast(figures.throughput);
            if (lastThroughputs.size() > MEDIAN_SECONDS) {
                lastThroughputs.removeFirst();
            }
        } else {
            warm = now;
        }
        return figures;
    }

    OfPeriod whole() {
        return last.since(warm, latenciesWhenWarm);
    }

    double medianThroughput() {
        double[] sorted = lastThroughputs.stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    boolean isWarm() {
        return seconds > WARM_UP_SECONDS;
    }
}
