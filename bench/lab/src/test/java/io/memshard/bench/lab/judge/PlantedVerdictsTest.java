// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.statistics.Bootstrap;
import io.memshard.bench.statistics.Interval;
import io.memshard.bench.statistics.Margin;
import io.memshard.bench.statistics.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The judge is judged: by 200 pairs of arms that are equal, and as many with an effect that was planted. */
class PlantedVerdictsTest {

    private static final int PAIRS = 200;
    private static final int BLOCKS = 10;
    private static final double NOISE_OF_BLOCKS = 0.25;
    private static final double NOISE_OF_FORKS = 0.1;
    private static final Margin MARGIN = new Margin(0.05);
    private static final Bootstrap BOOTSTRAP = new Bootstrap(1000, 7);

    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void equalArmsAreSeldomToldApart() {
        List<Interval> pairs = pairs(0);

        assertThat(share(pairs, pair -> MARGIN.of(pair) == Margin.Position.ABOVE)
                        + share(pairs, pair -> MARGIN.of(pair) == Margin.Position.BELOW))
                .isLessThanOrEqualTo(0.05);
        assertThat(share(pairs, pair -> pair.contains(1))).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void aSmallEffectIsNotFoundInTheWrongDirection() {
        assertThat(share(pairs(0.05), pair -> MARGIN.of(pair) == Margin.Position.BELOW))
                .isLessThanOrEqualTo(0.01);
    }

    @Test
    void aLargeEffectIsFound() {
        assertThat(share(pairs(0.5), pair -> MARGIN.of(pair) == Margin.Position.ABOVE))
                .isGreaterThanOrEqualTo(0.99);
    }

    private List<Interval> pairs(double effect) {
        List<Interval> pairs = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            List<PairedRatio.Block> blocks = new ArrayList<>();
            for (int block = 0; block < BLOCKS; block++) {
                double level = noise(NOISE_OF_BLOCKS);
                blocks.add(new PairedRatio.Block(
                        new double[] {level * (1 + effect) * noise(NOISE_OF_FORKS)},
                        new double[] {level * noise(NOISE_OF_FORKS), level * noise(NOISE_OF_FORKS)}));
            }
            pairs.add(PairedRatio.of(blocks, BOOTSTRAP));
        }
        return pairs;
    }

    private double noise(double deviation) {
        return Math.exp(deviation * random.nextGaussian());
    }

    private static double share(List<Interval> pairs, Predicate<Interval> which) {
        return (double) pairs.stream().filter(which).count() / pairs.size();
    }
}
