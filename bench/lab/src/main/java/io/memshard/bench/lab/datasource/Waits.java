// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long one caller waited for connections, and how often it got one, since the window began.
 *
 * <p>Threading: confined to its caller; read after that has ended.
 */
final class Waits {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Histogram nanos = new Histogram(LONGEST_NANOS, 2);
    private int window;

    /** Forgets what was before the {@code number}th window, unless it is known. */
    void window(int number) {
        if (number != window) {
            window = number;
            nanos.reset();
        }
    }

    /** The caller got a connection after so many nanoseconds. */
    void add(long waited) {
        nanos.recordValue(Math.min(Math.max(waited, 1), LONGEST_NANOS));
    }

    /** Percentiles of all callers' waits and how evenly callers were served. */
    static Map<String, Double> together(List<Waits> callers) {
        Histogram all = new Histogram(LONGEST_NANOS, 2);
        callers.forEach(caller -> all.add(caller.nanos));
        long[] counts = callers.stream()
                .mapToLong(caller -> caller.nanos.getTotalCount())
                .toArray();
        return Map.of(
                "acquire_p50_us", micros(all.getValueAtPercentile(50)),
                "acquire_p99_us", micros(all.getValueAtPercentile(99)),
                "acquire_p999_us", micros(all.getValueAtPercentile(99.9)),
                "acquire_longest_us", micros(all.getMaxValue()),
                "jain", JainIndex.of(counts));
    }

    private static double micros(long nanos) {
        return nanos / 1e3;
    }
}
