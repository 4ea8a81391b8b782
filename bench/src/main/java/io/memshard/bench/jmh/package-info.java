// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks, all in {@code benchmarks.jar}: gets of the contenders in a closed and in an open loop. Those without
 * a server are of parts of a client, and of the pools and queues of the article. The first sentence of each class is
 * its question, and its documentation says what is not measured.
 *
 * <p>Layer: above {@code contender} and {@code server}. Start reading at {@link
 * io.memshard.bench.jmh.GetBenchmark}.
 */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
