// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.contender.Contender;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Recorder of the calls of one caller, or of several callers together. Every call is counted and timed.
 *
 * <p>Threading: confined to its caller during the calls. At the end, a barrier or a latch hands the recorder to the
 * thread that sums the recorders up.
 */
final class CallRecorder {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Histogram nanos = new Histogram(1, LONGEST_NANOS, 2);
    private double totalNanos;

    long calls;

    /** Number of calls that threw anything but a timeout. */
    long errors;

    long timeouts;

    /** Longest time of a call, including failed calls. Calls that were timed together count as one call. */
    long longestNanos;

    /** First exception, as an example of its kind. */
    @Nullable
    Throwable firstFailure;

    /** Adds {@code number} calls that took {@code elapsed} nanoseconds together and had the right results. */
    void right(long elapsed, int number) {
        calls += number;
        totalNanos += elapsed;
        longestNanos = Math.max(longestNanos, elapsed);
        nanos.recordValueWithCount(Math.min(LONGEST_NANOS, Math.max(1, elapsed / number)), number);
    }

    /** Adds a call that threw after {@code elapsed} nanoseconds. */
    void failed(Throwable failure, long elapsed) {
        longestNanos = Math.max(longestNanos, elapsed);
        if (Contender.isTimeout(failure)) {
            timeouts++;
        } else {
            errors++;
        }
        firstFailure = firstFailure == null ? failure : firstFailure;
    }

    /** Adds the time of a failed call to the percentiles. */
    void waited(long elapsed) {
        nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1, elapsed)));
    }

    void add(CallRecorder other) {
        nanos.add(other.nanos);
        totalNanos += other.totalNanos;
        calls += other.calls;
        errors += other.errors;
        timeouts += other.timeouts;
        longestNanos = Math.max(longestNanos, other.longestNanos);
        firstFailure = firstFailure == null ? other.firstFailure : firstFailure;
    }

    /** Returns the mean time in nanoseconds of a call with the right result; 0 if there was none. */
    double meanNanos() {
        return calls == 0 ? 0 : totalNanos / calls;
    }

    /** Returns a percentile of the times of right calls, and of those that {@link #waited} added, in microseconds. */
    double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }
}
