// SPDX-License-Identifier: Apache-2.0
/**
 * Statistics for the lab and the comparisons: pure functions of numbers, with equal results for equal seeds. Layer: the
 * lowest, independent of experiments. Start reading at {@link io.memshard.bench.statistics.PairedRatio}, for forks with
 * one arm, and {@link io.memshard.bench.statistics.Bootstrap#nestedMedian}, for forks with all arms.
 */
@NullMarked
package io.memshard.bench.statistics;

import org.jspecify.annotations.NullMarked;
