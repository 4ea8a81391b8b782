// SPDX-License-Identifier: Apache-2.0
/**
 * The same contenders under JMH, for its profilers and formats, and for readers who trust JMH's figures more. JMH runs
 * contenders one after the other, so on a machine with noisy neighbours the interleaved comparison says more about
 * ratios.
 *
 * <p>Layer: on the level of {@code compare}. Start reading at {@link io.memshard.bench.jmh.GetBenchmark}.
 */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
