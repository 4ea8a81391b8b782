// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/**
 * What was read around a slice: of the server, and of the machine. Each is NaN where it is not known.
 *
 * <p>Threading: immutable.
 *
 * @param serverCpuNanos CPU time of the servers that were started for the comparison, user and system
 * @param switches context switches of the threads of the client process
 * @param hiccupP99Micros by how much 99 of 100 sleeps of a thread beside the load were too long at most
 * @param hiccupMaxMicros by how much the longest was
 * @param stealFraction share of the machine's CPU time that its host took away, 0 to 1
 */
public record Surroundings(
        double serverCpuNanos, double switches, double hiccupP99Micros, double hiccupMaxMicros, double stealFraction) {}
