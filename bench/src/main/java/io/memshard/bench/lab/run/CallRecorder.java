// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.contender.Contender;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one caller, or of many together. Every call is counted and timed; none is sampled.
 *
 * <p>Threading: confined to its caller during the calls. At the end, a barrier or a latch hands the recorder to the
 * thread that sums the recorders up.
 */
public final class CallRecorder {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Histogram nanos = new Histogram(1, LONGEST_NANOS, 2);
    private double totalNanos;
    private long calls;
    private long errors;
    private long timeouts;
    private long longestNanos;
    private @Nullable Throwable firstFailure;

    /** Adds {@code number} calls that took {@code elapsed} nanoseconds together and had the right results. */
    public void right(long elapsed, int number) {
        calls += number;
        totalNanos += elapsed;
        longestNanos = Math.max(longestNanos, elapsed);
        nanos.recordValueWithCount(Math.min(LONGEST_NANOS, Math.max(1, elapsed / number)), number);
    }

    /** Adds a call that threw after {@code elapsed} nanoseconds. */
    public void failed(Throwable failure, long elapsed) {
        longestNanos = Math.max(longestNanos, elapsed);
        if (Contender.isTimeout(failure)) {
            timeouts++;
        } else {
            errors++;
        }
        firstFailure = firstFailure == null ? failure : firstFailure;
    }

    /** Adds the time of a failed call to the percentiles. */
    public void waited(long elapsed) {
        nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1, elapsed)));
    }

    /** Adds all calls of {@code other}. */
    public void add(CallRecorder other) {
        nanos.add(other.nanos);
        totalNanos += other.totalNanos;
        calls += other.calls;
        errors += other.errors;
        timeouts += other.timeouts;
        longestNanos = Math.max(longestNanos, other.longestNanos);
        firstFailure = firstFailure == null ? other.firstFailure : firstFailure;
    }

    /** Returns the number of calls with the right result. */
    public long calls() {
        return calls;
    }

    /** Returns the number of calls that threw anything but a timeout. */
    public long errors() {
        return errors;
    }

    /** Returns the number of calls that timed out. */
    public long timeouts() {
        return timeouts;
    }

    /**
     * Returns the longest time that was added as one, in nanoseconds, failed calls included. Calls that were timed
     * together count as one.
     */
    public long longestNanos() {
        return longestNanos;
    }

    /** Returns the mean time in nanoseconds of a call with the right result; 0 if there was none. */
    public double meanNanos() {
        return calls == 0 ? 0 : totalNanos / calls;
    }

    /** Returns the first exception, as an example of its kind; null if there was none. */
    public @Nullable Throwable firstFailure() {
        return firstFailure;
    }

    /** Returns a percentile in microseconds of the times of right calls, and of the times that {@link #waited} added. */
    public double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }
}
