// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/**
 * Percentiles of the time from the start of a call to its result, in microseconds, as a caller of a
 * closed loop sees it. Failed calls are left out: they are counted by kind instead.
 *
 * <p>Threading: immutable.
 *
 * @param p50Micros half of the calls took at most this long
 * @param p99Micros 99 of 100 calls
 * @param p999Micros 999 of 1,000 calls
 * @param maxMicros the longest call that was recorded
 */
public record Latency(double p50Micros, double p99Micros, double p999Micros, double maxMicros) {}
