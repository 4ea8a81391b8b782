// SPDX-License-Identifier: Apache-2.0
/**
 * The same contenders under JMH, for its profilers and formats, and for readers that trust its figures more. JMH runs
 * contenders one after the other, so on a machine with noisy neighbours the interleaved comparison says more about
 * ratios.
 *
 * <p>Layer: beside {@code compare}. Start reading at {@link io.memshard.bench.jmh.GetBenchmark}.
 */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
