// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/**
 * One contender under load for one short slice of time: the raw observation, from which everything
 * else is computed.
 *
 * <p>Threading: immutable.
 *
 * @param condition the load of this slice
 * @param round from 1; slices of one condition and round ran next to each other
 * @param position from 1, the place in the shuffled order of the round
 * @param contender name as on the command line, or with {@code -again} for the A/A run
 * @param connections sockets that the contender was asked to use
 * @param elapsedNanos from the release of the callers to the end of the last one
 * @param operations calls that returned the right value, or stored it
 * @param errors calls that failed with anything but a timeout
 * @param timeouts calls that gave up waiting
 * @param wrongValues calls that returned a value of another key, a damaged value or none
 * @param cpuNanos CPU time of the whole client process in the slice
 * @param stealFraction share of the machine's CPU time that its host took away in the slice, 0 to 1
 * @param latency of the calls counted in {@code operations}
 */
public record SliceResult(
        Condition condition,
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
        double stealFraction,
        Latency latency) {

    /** Operations a second; 0 if there was none. */
    public double operationsPerSecond() {
        return elapsedNanos == 0 ? 0 : operations * 1e9 / elapsedNanos;
    }

    /** CPU time of the client process for one operation, in microseconds; 0 if there was none. */
    public double cpuMicrosPerOperation() {
        return operations == 0 ? 0 : cpuNanos / 1e3 / operations;
    }
}
