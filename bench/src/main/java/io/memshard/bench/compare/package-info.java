// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the same load on every contender in interleaved slices and sums up what was seen.
 *
 * <p>Layer: above contenders, server and result records; below the command line, except the command
 * that belongs to it. Start reading at {@link io.memshard.bench.compare.Comparison}.
 */
@NullMarked
package io.memshard.bench.compare;

import org.jspecify.annotations.NullMarked;
