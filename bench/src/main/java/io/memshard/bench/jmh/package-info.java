// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks, all in {@code benchmarks.jar}. The first sentence of each class asks the question that it answers.
 */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
