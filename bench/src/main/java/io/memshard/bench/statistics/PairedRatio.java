// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import java.util.List;
import java.util.SplittableRandom;

/** Ratio between two arms: the median over blocks, each of which contains figures of both arms. */
public final class PairedRatio {

    /** Minimum number of blocks for a 95 % interval. An interval from two blocks would cover only 50 %. */
    public static final int FEWEST_BLOCKS = 5;

    private PairedRatio() {}

    public static final class Block {

        private final double[] numerators;
        private final double[] denominators;

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

    public static Interval of(List<Block> blocks, Bootstrap bootstrap) {
        return bootstrap.hierarchical(blocks, Block::logRatio, Block::drawn);
    }
}
