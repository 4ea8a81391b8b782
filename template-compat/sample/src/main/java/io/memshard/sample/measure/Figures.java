// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * What the callers of one run did. A run has one engine, one mode and one number of callers, so nothing is mixed.
 *
 * <p>Threading: callers record at any time. One thread asks for the seconds.
 */
public final class Figures implements AutoCloseable {

    /** The first seconds of a run are for opening connections and compiling, and do not count for the run. */
    public static final int WARM_UP_SECONDS = 3;

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    /**
     * What is counted elsewhere.
     *
     * @param hits of the caches
     * @param misses of the caches
     * @param lost lookups and writes that memcached failed
     * @param queries of the repository
     */
    public record Counts(long hits, long misses, long lost, long queries) {

        /** What was counted since then. */
        Counts since(Counts before) {
            return new Counts(hits - before.hits, misses - before.misses, lost - before.lost, queries - before.queries);
        }
    }

    private final Recorder latencies = new Recorder(LONGEST_NANOS, DIGITS);
    private final LongAdder failures = new LongAdder();
    private final @Nullable LockWaits waits;

    private final Period whole = new Period();
    private Counts countsBefore;
    private long failuresBefore;
    private final Map<WaitBucket, Long> waitsBefore = new EnumMap<>(WaitBucket.class);
    private long nanosBefore = System.nanoTime();
    private int seconds;

    /**
     * Figures of a run that begins now.
     *
     * @param counts as they are now
     * @param waits null if no waits are recorded; closed with this
     */
    public Figures(Counts counts, @Nullable LockWaits waits) {
        this.countsBefore = counts;
        this.waits = waits;
    }

    /** A request was answered. */
    public void answered(long nanos) {
        latencies.recordValue(Math.min(nanos, LONGEST_NANOS));
    }

    /** A request failed. */
    public void failed() {
        failures.increment();
    }

    /**
     * What was done since this was asked last. About a second, if asked once a second.
     *
     * @param counts as they are now
     */
    public FiguresOfPeriod second(Counts counts) {
        Period second = new Period();
        Histogram histogram = latencies.getIntervalHistogram();
        long now = System.nanoTime();
        long failuresNow = failures.sum();
        second.add(histogram, now - nanosBefore, failuresNow - failuresBefore, counts.since(countsBefore));
        for (WaitBucket bucket : WaitBucket.values()) {
            long count = waits == null ? 0 : waits.count(bucket);
            Long before = waitsBefore.put(bucket, count);
            second.add(bucket, count - (before == null ? 0 : before));
        }
        nanosBefore = now;
        failuresBefore = failuresNow;
        countsBefore = counts;
        seconds++;
        if (seconds > WARM_UP_SECONDS) {
            whole.add(second);
        }
        return second.figures(recordsWaits());
    }

    /** What was done in this run since its warm-up. */
    public FiguresOfPeriod whole() {
        return whole.figures(recordsWaits());
    }

    /** Whether the warm-up is over. */
    public boolean isWarm() {
        return seconds > WARM_UP_SECONDS;
    }

    private boolean recordsWaits() {
        return waits != null;
    }

    /** Whether waits were recorded, and some were dropped. */
    public boolean isIncomplete() {
        return waits != null && waits.isIncomplete();
    }

    @Override
    public void close() {
        if (waits != null) {
            waits.close();
        }
    }
}
