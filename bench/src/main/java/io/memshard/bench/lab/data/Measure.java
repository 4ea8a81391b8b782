// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import java.util.Locale;

public enum Measure {
    SECONDS,
    CYCLES,
    ERRORS,
    TIMEOUTS,
    /** Mean time of a call. If calls come at a fixed rate, the time begins when the call is due. */
    MEAN_US,
    P50_US,
    P99_US,
    P999_US,
    /** Longest time of a call, including calls that ended after the measurement. */
    LONGEST_US,
    IDLE_CALLERS,
    CPU_SECONDS,
    /** CPU time of the memcached server; 0 if unknown. */
    SERVER_CPU_SECONDS,
    SWITCHES,
    /** Bytes that the callers allocated. */
    ALLOCATED_BYTES,
    /** Bytes that all threads allocated, except threads that ended during the measurement. */
    ALL_ALLOCATED_BYTES,
    GC_COUNT,
    GC_SECONDS,
    /** 99th percentile of the delay with which a sleeping thread wakes up. */
    HICCUP_P99_US,
    /** Share of CPU time that the host gave to other virtual machines, 0 to 1. */
    STEAL,
    /** Time for a fixed number of calls; 0 except in results of older runs. */
    FIXED_SECONDS;

    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
