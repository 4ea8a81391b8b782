// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.measure;

import java.util.Map;

/**
 * What callers did in a period.
 *
 * @param seconds how long it was
 * @param requests how many were answered
 * @param throughput requests a second
 * @param p50Micros half of the requests took no longer
 * @param p99Micros 99 of 100 requests took no longer
 * @param hitRatio share of the lookups that found an entry, 0 to 1
 * @param lost lookups and writes a second that memcached failed
 * @param queries of the repository a second
 * @param failures requests that failed, all together
 * @param waits waits a second, by why; empty if they are not recorded
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
        long failures,
        Map<WaitBucket, Double> waits) {}
