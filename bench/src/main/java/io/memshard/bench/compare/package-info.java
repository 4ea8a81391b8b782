// SPDX-License-Identifier: Apache-2.0
/**
 * Load that is the same for every contender, in interleaved slices, and the results of these slices.
 *
 * <p>Layer: above contenders, server and result records; below the command line, except that the options of the command
 * are here. Start reading at {@link io.memshard.bench.compare.Comparison}.
 */
@NullMarked
package io.memshard.bench.compare;

import org.jspecify.annotations.NullMarked;
