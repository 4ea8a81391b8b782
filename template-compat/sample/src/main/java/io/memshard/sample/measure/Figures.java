// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Figures of the callers of one run. A run has one engine, one mode and one number of callers, so figures of different
 * setups never mix.
 *
 * <p>Threading: callers record at any time. One thread calls {@link #second}.
 */
public final class Figures {

    /** Number of seconds at the start of a run that do not count: connections are opened and code is compiled then. */
    public static final int WARM_UP_SECONDS = 3;

    /** Largest number of seconds of which {@link #medianThroughput} is the median. */
    public static final int MEDIAN_SECONDS = 10;

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    /**
     * Counts of the caches and of the repository.
     *
     * @param hits hits of the caches
     * @param misses misses of the caches
     * @param lost lookups and writes that were lost because memcached failed
     * @param queries queries of the repository
     */
    public record Counts(long hits, long misses, long lost, long queries) {

        Counts since(Counts before) {
            return new Counts(hits - before.hits, misses - before.misses, lost - before.lost, queries - before.queries);
        }
    }

    private final Recorder latencies = new Recorder(LONGEST_NANOS, DIGITS);
    private final LongAdder failures = new LongAdder();

    private final Period whole = new Period();
    private Counts countsBefore;
    private long failuresBefore;
    private final Deque<Double> lastThroughputs = new ArrayDeque<>();
    private long nanosBefore = System.nanoTime();
    private int seconds;

    /**
     * Creates the figures of a run that starts now.
     *
     * @param counts current counts
     */
    public Figures(Counts counts) {
        this.countsBefore = counts;
    }

    /** Records that a request was answered. */
    public void answered(long nanos) {
        latencies.recordValue(Math.min(nanos, LONGEST_NANOS));
    }

    /** Records that a request failed. */
    public void failed() {
        failures.increment();
    }

    /**
     * Returns the figures since the previous call, which is about a second ago.
     *
     * @param counts current counts
     */
    public FiguresOfPeriod second(Counts counts) {
        Period second = new Period();
        Histogram histogram = latencies.getIntervalHistogram();
        long now = System.nanoTime();
        long failuresNow = failures.sum();
        second.add(histogram, now - nanosBefore, failuresNow - failuresBefore, counts.since(countsBefore));
        nanosBefore = now;
        failuresBefore = failuresNow;
        countsBefore = counts;
        seconds++;
        FiguresOfPeriod figures = second.figures();
        if (seconds > WARM_UP_SECONDS) {
            whole.add(second);
            lastThroughputs.addLast(figures.throughput());
            if (lastThroughputs.size() > MEDIAN_SECONDS) {
                lastThroughputs.removeFirst();
            }
        }
        return figures;
    }

    /** Returns the figures of this run since its warm-up. */
    public FiguresOfPeriod whole() {
        return whole.figures();
    }

    /** Returns the median throughput of the last seconds after the warm-up; 0 during the warm-up. */
    public double medianThroughput() {
        double[] sorted = lastThroughputs.stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Returns whether the warm-up is complete. */
    public boolean isWarm() {
        return seconds > WARM_UP_SECONDS;
    }
}
