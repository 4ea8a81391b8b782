// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.contender.Contender;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Recorder of one thread's calls. Another thread may read the recorder after the last call. */
final class CallRecorder {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Histogram nanos = new Histogram(1, LONGEST_NANOS, 2);
    private double totalNanos;

    /** Number of successful calls, including {@code missed}. */
    long calls;

    long missed;
    long errors;
    long timeouts;

    /** Longest time of a call, including failed calls. Calls that were timed together count as one call. */
    long longestNanos;

    @Nullable
    Throwable firstFailure;

    void right(long elapsed, int number) {
        calls += number;
        totalNanos += elapsed;
        longestNanos = Math.max(longestNanos, elapsed);
        nanos.recordValueWithCount(Math.min(LONGEST_NANOS, Math.max(1, elapsed / number)), number);
    }

    /** Adds a failed call, which the percentiles include if calls come at a fixed rate. */
    void failed(Throwable failure, long elapsed, boolean isOpenLoop) {
        longestNanos = Math.max(longestNanos, elapsed);
        if (Contender.isTimeout(failure)) {
            timeouts++;
        } else {
            errors++;
        }
        firstFailure = firstFailure == null ? failure : firstFailure;
        if (isOpenLoop) {
            nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1, elapsed)));
        }
    }

    void add(CallRecorder other) {
        nanos.add(other.nanos);
        totalNanos += other.totalNanos;
        calls += other.calls;
        missed += other.missed;
        errors += other.errors;
        timeouts += other.timeouts;
        longestNanos = Math.max(longestNanos, other.longestNanos);
        firstFailure = firstFailure == null ? other.firstFailure : firstFailure;
    }

    double meanNanos() {
        return calls == 0 ? 0 : totalNanos / calls;
    }

    double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }
}
