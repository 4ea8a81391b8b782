// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks, all in {@code benchmarks.jar}. Two of them measure gets of the contenders, in a closed and in an open
 * loop. The others need no server: they measure parts of a client, and pools and queues. The first sentence of each
 * class asks the question that the class answers.
 *
 * <p>Layer: above {@code contender} and {@code server}. Start reading at {@link io.memshard.bench.jmh.GetBenchmark}.
 */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
