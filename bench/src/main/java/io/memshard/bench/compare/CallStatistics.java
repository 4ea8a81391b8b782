// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.result.Latency;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one caller saw, or many callers together. Every operation is counted and timed; none is sampled.
 *
 * <p>Threading: confined to its caller while a slice runs; the barrier at the end of the slice hands it
 * to the thread that adds it up.
 */
final class CallStatistics {

    /** Finer differences than 256 ns are not kept, which keeps the histogram small. */
    private static final long FINEST_NANOS = 256;

    private static final long LONGEST_NANOS = 60_000_000_000L;

    private final Histogram latencies = new Histogram(FINEST_NANOS, LONGEST_NANOS, 2);
    private long operations;
    private long errors;
    private long timeouts;
    private long wrongValues;
    private @Nullable Throwable firstFailure;

    /** A call that ended, with the right result or with a wrong value. */
    void ended(boolean right, long nanos) {
        if (right) {
            operations++;
            latencies.recordValue(Math.max(0, Math.min(nanos, LONGEST_NANOS)));
        } else {
            wrongValues++;
        }
    }

    /** A call that threw. */
    void failed(Throwable failure) {
        if (Contender.isTimeout(failure)) {
            timeouts++;
        } else {
            errors++;
        }
        if (firstFailure == null) {
            firstFailure = failure;
        }
    }

    void add(CallStatistics other) {
        latencies.add(other.latencies);
        operations += other.operations;
        errors += other.errors;
        timeouts += other.timeouts;
        wrongValues += other.wrongValues;
        if (firstFailure == null) {
            firstFailure = other.firstFailure;
        }
    }

    void clear() {
        latencies.reset();
        operations = 0;
        errors = 0;
        timeouts = 0;
        wrongValues = 0;
        firstFailure = null;
    }

    long operations() {
        return operations;
    }

    long errors() {
        return errors;
    }

    long timeouts() {
        return timeouts;
    }

    long wrongValues() {
        return wrongValues;
    }

    /** The first exception, as an example of its kind; null if there was none. */
    @Nullable
    Throwable firstFailure() {
        return firstFailure;
    }

    Latency latency() {
        return new Latency(
                latencies.getValueAtPercentile(50) / 1e3,
                latencies.getValueAtPercentile(99) / 1e3,
                latencies.getValueAtPercentile(99.9) / 1e3,
                latencies.getMaxValue() / 1e3);
    }
}
