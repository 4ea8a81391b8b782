// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

/**
 * Figures of the callers in a period.
 *
 * @param seconds length of the period
 * @param requests number of answered requests
 * @param throughput answered requests per second
 * @param p50Micros median latency
 * @param p99Micros 99th percentile of the latency
 * @param hitRatio share of the lookups that found an entry, 0 to 1
 * @param lost lookups and writes per second that were lost because memcached failed
 * @param queries queries of the repository per second
 * @param failures total number of failed requests
 */
public record FiguresOfPeriod(
        double seconds,
        long requests,
        double throughput,
        double p50Micros,
        double p99Micros,
        double hitRatio,
        double lost,
        double queries,
        long failures) {}
