// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks, which are all in {@code benchmarks.jar}. */
@NullMarked
package io.memshard.bench.jmh;

import org.jspecify.annotations.NullMarked;
