// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import io.memshard.bench.statistics.Sample;
import java.util.Arrays;

/**
 * One contender under load for one short slice of time: the raw observation, from which everything
 * else is computed. Threading: immutable.
 *
 * @param condition the load of this slice
 * @param fork number of the fork, from 1; slices of one fork share a JVM, the clients in it and a server
 * @param round number of the round, from 1; slices of one condition, fork and round ran one after the other
 * @param position position in the shuffled order of the round, from 1
 * @param contender name as on the command line, or with {@code -again} for the A/A run
 * @param connections sockets that the contender was asked to use
 * @param elapsedNanos time from the release of the callers to the end of the last one
 * @param operations number of calls that returned the right value, or stored it
 * @param errors number of calls that failed with anything but a timeout
 * @param timeouts number of calls that timed out
 * @param wrongValues number of calls that returned a value of another key, a damaged value or none
 * @param cpuNanos CPU time of the whole client process in the slice
 * @param latency latency of the calls counted in {@code operations}
 * @param fairness evenness with which the callers were served
 * @param readings readings of server and machine
 */
public record SliceResult(
        Condition condition,
        int fork,
        int round,
        int position,
        String contender,
        int connections,
        long elapsedNanos,
        long operations,
        long errors,
        long timeouts,
        long wrongValues,
        long cpuNanos,
        Latency latency,
        Fairness fairness,
        Readings readings) {

    /** Returns the operations a second; 0 if there was none. */
    public double operationsPerSecond() {
        return elapsedNanos == 0 ? 0 : operations * 1e9 / elapsedNanos;
    }

    /**
     * Returns the operations a second. If there was none, half an operation counts, so that the figure has a logarithm.
     */
    public double throughput() {
        return Math.max(0.5, (double) operations) * 1e9 / Math.max(1.0, (double) elapsedNanos);
    }

    /** Returns the CPU time of the client process for one operation, in microseconds; NaN without an operation. */
    public double cpuMicrosPerOperation() {
        return operations == 0 ? Double.NaN : cpuNanos / 1e3 / operations;
    }

    /**
     * Returns the CPU time of the server for one operation, in microseconds; NaN without an operation or if unknown.
     */
    public double serverCpuMicrosPerOperation() {
        return operations == 0 ? Double.NaN : readings.serverCpuNanos() / 1e3 / operations;
    }

    /**
     * Returns the operations for a second of CPU time, of client and server together; NaN if the server's is not known.
     */
    public double operationsPerCoreSecond() {
        return operations * 1e9 / (cpuNanos + readings.serverCpuNanos());
    }

    /**
     * Percentiles of the time from the start of a call to its result, in microseconds, as a caller of a closed loop
     * sees it. Failed calls are left out: they are counted by kind instead. Threading: immutable.
     */
    public record Latency(double p50Micros, double p99Micros, double p999Micros, double maxMicros) {}

    /**
     * Evenness with which the callers of a slice were served. Threading: immutable.
     *
     * @param jain Jain's index: 1 if all callers did equally many operations, 1/n if one of n did all; NaN if unknown
     * @param least operations of the caller with the fewest; NaN if unknown
     * @param most operations of the caller with the most; NaN if unknown
     */
    public record Fairness(double jain, double least, double most) {

        /** Fairness of a slice whose file lacks it. */
        public static final Fairness UNKNOWN = new Fairness(Double.NaN, Double.NaN, Double.NaN);

        /** Returns the fairness among callers with these numbers of operations. */
        public static Fairness of(double... operations) {
            return new Fairness(
                    Sample.jain(operations),
                    Arrays.stream(operations).min().orElse(Double.NaN),
                    Arrays.stream(operations).max().orElse(Double.NaN));
        }
    }

    /**
     * Readings of server and machine around a slice. Each is NaN if it is not known. Threading: immutable.
     *
     * @param serverCpuNanos CPU time of the servers that were started for the comparison, user and system
     * @param switches number of context switches of the threads of the client process
     * @param hiccupP99Micros 99th percentile of the excess of a thread's sleeps during the load: actual minus requested
     *     time
     * @param hiccupMaxMicros largest excess of that thread's sleeps
     * @param stealFraction share of the machine's CPU time that its host took away, 0 to 1
     * @param scheduling readings of the kernel's scheduler
     */
    public record Readings(
            double serverCpuNanos,
            double switches,
            double hiccupP99Micros,
            double hiccupMaxMicros,
            double stealFraction,
            Scheduling scheduling) {}

    /**
     * Readings of the kernel's scheduler around a slice. Each is NaN if it is not known. Threading: immutable.
     *
     * @param interrupts number of interrupts that processors of the machine sent one another, to reschedule or to call
     *     a function
     * @param migrations number of moves of client threads from one processor to another
     * @param idleFraction share of the machine's CPU time that was idle, 0 to 1
     * @param busiestWorkerNanos CPU time of the busiest thread of the servers
     */
    public record Scheduling(double interrupts, double migrations, double idleFraction, double busiestWorkerNanos) {

        /** Readings of a slice whose file lacks them. */
        public static final Scheduling UNKNOWN = new Scheduling(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
}
