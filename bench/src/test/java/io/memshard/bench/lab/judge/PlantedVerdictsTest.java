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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The judge is judged: by 200 pairs of arms that are equal, and by effects that were planted in as many. */
@Tag("deep")
class PlantedVerdictsTest {

    private static final int PAIRS = 200;
    private static final int BLOCKS = 10;
    private static final double NOISE_OF_BLOCKS = 0.25;
    private static final double NOISE_OF_FORKS = 0.1;
    private static final Margin MARGIN = new Margin(0.05);

    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void equalArmsAreSeldomJudgedDifferent() {
        List<Interval> seen = pairs(0);

        assertThat(share(seen, Margin.Position.ABOVE) + share(seen, Margin.Position.BELOW))
                .isLessThanOrEqualTo(0.05);
        assertThat(seen.stream()
                        .filter(pair -> pair.low() <= 1 && 1 <= pair.high())
                        .count())
                .isGreaterThanOrEqualTo(PAIRS * 9 / 10);
    }

    @Test
    void largerEffectsAreFoundMoreOftenAndNoneInTheWrongDirection() {
        List<Double> found = Stream.of(0.05, 0.15, 0.5)
                .map(effect -> {
                    List<Interval> seen = pairs(effect);
                    assertThat(share(seen, Margin.Position.BELOW)).isLessThanOrEqualTo(0.01);
                    return share(seen, Margin.Position.ABOVE);
                })
                .toList();

        assertThat(found).isSorted();
        assertThat(found.get(2)).isGreaterThanOrEqualTo(0.99);
    }

    private static double share(List<Interval> pairs, Margin.Position position) {
        return (double) pairs.stream()
                        .filter(pair -> MARGIN.of(pair) == position)
                        .count()
                / PAIRS;
    }

    private List<Interval> pairs(double effect) {
        return Stream.generate(() -> pair(effect)).limit(PAIRS).toList();
    }

    private Interval pair(double effect) {
        List<PairedRatio.Block> blocks = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            double level = Math.exp(NOISE_OF_BLOCKS * random.nextGaussian());
            blocks.add(new PairedRatio.Block(
                    new double[] {level * (1 + effect) * fork()}, new double[] {level * fork(), level * fork()}));
        }
        return PairedRatio.of(blocks, new Bootstrap(1000, 7));
    }

    private double fork() {
        return Math.exp(NOISE_OF_FORKS * random.nextGaussian());
    }
}
