// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks of parts of a client, which need no server. The first sentence of each class asks the question that
 * the class answers.
 *
 * <p>Layer: above the client. Start reading at {@link io.memshard.bench.jmh.ChooserBenchmark}.
 */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
