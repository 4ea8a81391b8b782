// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import java.util.Locale;

public enum Measure {
    SECONDS,
    CYCLES,
    /** Cycles that ended in the measurement with a failure other than a timeout. */
    ERRORS,
    TIMEOUTS,
    /** Mean time of a cycle; in an open loop, measured from the time at which it was due. */
    MEAN_US,
    P50_US,
    P99_US,
    P999_US,
    /** Longest wait of any caller, including cycles that ended after the measurement. */
    LONGEST_US,
    /** Number of callers that ended no cycle in the measurement. */
    IDLE_CALLERS,
    CPU_SECONDS,
    /** CPU time of the memcached; 0 if unknown. */
    SERVER_CPU_SECONDS,
    SWITCHES,
    ALLOCATED_BYTES,
    GC_COUNT,
    GC_SECONDS,
    /** 99th percentile of the time by which a sleeping thread overslept. */
    HICCUP_P99_US,
    /** Share of CPU time that the host gave to other virtual machines, 0 to 1. */
    STEAL,
    /** Time of a fixed number of cycles, which only older runs measured; otherwise 0. */
    FIXED_SECONDS;

    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
