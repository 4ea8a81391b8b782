// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.util.Locale;
import java.util.Map;

/**
 * One contender under load for one short slice of time: the raw observation, from which everything else is computed.
 * Threading: immutable.
 *
 * @param fork number of the fork, from 1; slices of one fork share a JVM, the clients in it and a server
 * @param round number of the round, from 1; slices of one condition, fork and round ran one after the other
 * @param contender name as on the command line, or with {@code -again} for the A/A run
 * @param connections sockets that the contender was asked to use
 * @param figures what was measured; NaN or absent if unknown
 */
public record SliceResult(
        Condition condition, int fork, int round, String contender, int connections, Map<Figure, Double> figures) {

    /** Figure of a slice, by the name of its column. */
    public enum Figure {
        ELAPSED_NS,
        /** Number of calls that returned the right value, or stored it. */
        OPERATIONS,
        /** Number of calls that failed with anything but a timeout. */
        ERRORS,
        TIMEOUTS,
        /** Number of calls that returned a value of another key, a damaged value or none. */
        WRONG_VALUES,
        CLIENT_CPU_NS,
        /** CPU time of the servers that were started for the comparison. */
        SERVER_CPU_NS,
        /** 99th percentile of the excess of a thread's sleeps during the load: actual minus requested time. */
        HICCUP_P99_US,
        HICCUP_MAX_US,
        /** Jain's index of the operations of the callers: 1 if all did equally many, 1/n if one of n did all. */
        JAIN,
        /** Percentile of the time from the start of a call to its right result, as a closed loop sees it. */
        P50_US,
        P99_US,
        P999_US,
        MAX_US;

        String column() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns whether the oldest files lack the figure. */
        boolean isOptional() {
            return compareTo(SERVER_CPU_NS) >= 0 && compareTo(JAIN) <= 0;
        }
    }

    /** Copies the figures. */
    public SliceResult {
        figures = Map.copyOf(figures);
    }

    /** Returns a figure; NaN if it is not known. */
    public double get(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** Returns the number of calls that had the right result. */
    public double operations() {
        return get(Figure.OPERATIONS);
    }

    /**
     * Returns the operations a second. If there was none, half an operation counts, so that the figure has a logarithm.
     */
    public double throughput() {
        return Math.max(0.5, operations()) * 1e9 / Math.max(1, get(Figure.ELAPSED_NS));
    }

    /** Returns a figure of the slice in thousandths for one operation; NaN without an operation or if unknown. */
    double milliPerOperation(Figure figure) {
        return operations() == 0 ? Double.NaN : get(figure) / 1e3 / operations();
    }

    /**
     * Returns the operations for a second of CPU time, of client and server together; NaN if the server's is not known.
     */
    double operationsPerCoreSecond() {
        return operations() * 1e9 / (get(Figure.CLIENT_CPU_NS) + get(Figure.SERVER_CPU_NS));
    }
}
