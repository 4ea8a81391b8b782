// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/**
 * One contender under load for one short slice of time: the raw observation, from which everything
 * else is computed.
 *
 * <p>Threading: immutable.
 *
 * @param condition the load of this slice
 * @param fork from 1; slices of one fork share a JVM, the clients in it and a server
 * @param round from 1; slices of one condition, fork and round ran next to each other
 * @param position from 1, the place in the shuffled order of the round
 * @param contender name as on the command line, or with {@code -again} for the A/A run
 * @param connections sockets that the contender was asked to use
 * @param elapsedNanos from the release of the callers to the end of the last one
 * @param operations calls that returned the right value, or stored it
 * @param errors calls that failed with anything but a timeout
 * @param timeouts calls that gave up waiting
 * @param wrongValues calls that returned a value of another key, a damaged value or none
 * @param cpuNanos CPU time of the whole client process in the slice
 * @param latency of the calls counted in {@code operations}
 * @param fairness how evenly the callers were served
 * @param surroundings what was read of server and machine
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
        Surroundings surroundings) {

    /** Operations a second; 0 if there was none. */
    public double operationsPerSecond() {
        return elapsedNanos == 0 ? 0 : operations * 1e9 / elapsedNanos;
    }

    /** As {@link #operationsPerSecond()}, but half an operation where there was none, so that it has a logarithm. */
    public double throughput() {
        return Math.max(0.5, (double) operations) * 1e9 / Math.max(1.0, (double) elapsedNanos);
    }

    /** CPU time of the client process for one operation, in microseconds; NaN if there was none. */
    public double cpuMicrosPerOperation() {
        return operations == 0 ? Double.NaN : cpuNanos / 1e3 / operations;
    }

    /** CPU time of the server for one operation, in microseconds; NaN if there was none or it is not known. */
    public double serverCpuMicrosPerOperation() {
        return operations == 0 ? Double.NaN : surroundings.serverCpuNanos() / 1e3 / operations;
    }

    /** Operations for a second of CPU time, of client and server together; NaN if the server's is not known. */
    public double operationsPerCoreSecond() {
        return operations * 1e9 / (cpuNanos + surroundings.serverCpuNanos());
    }
}
