// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Ratio between two arms: the exponential of the median of the blocks' logarithmic ratios, with the interval of a
 * hierarchical bootstrap. A block holds one or more forks of each arm.
 */
public final class PairedRatio {

    /** Minimum number of blocks for an interval that covers about 95 %. An interval of two blocks covers 50 %. */
    public static final int FEWEST_BLOCKS = 5;

    private PairedRatio() {}

    public static final class Block {

        private final double[] numerators;
        private final double[] denominators;

        /** Creates a block from positive figures, one for each fork of an arm. */
        public Block(double[] numerators, double[] denominators) {
            this.numerators = Sample.logarithms(numerators);
            this.denominators = Sample.logarithms(denominators);
        }

        private double logRatio() {
            return Sample.mean(numerators) - Sample.mean(denominators);
        }

        private double drawn(SplittableRandom random) {
            return Sample.mean(Sample.drawn(numerators, random)) - Sample.mean(Sample.drawn(denominators, random));
        }
    }

    /** Returns the ratio and its interval; the ends are NaN if there is only one block. */
    public static Interval of(List<Block> blocks, Bootstrap bootstrap) {
        return bootstrap.hierarchical(blocks, Block::logRatio, Block::drawn);
    }
}
