// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of the benchmarks: {@code bench/run}. The top layer of this module.
 *
 * <p>Start reading at {@link io.memshard.bench.Main}.
 */
@NullMarked
package io.memshard.bench;

import org.jspecify.annotations.NullMarked;
