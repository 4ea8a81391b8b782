// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NestedMedianTest {

    private static final Bootstrap BOOTSTRAP = new Bootstrap(200, 1);
    private static final Margin MARGIN = new Margin(0.05);

    /** Sizes of a comparison by default, with noise as on a quiet machine. */
    private static final int FORKS = 5;

    private static final int ROUNDS = 5;
    private static final double FORK_NOISE = 0.04;
    private static final double ROUND_NOISE = 0.05;
    private static final int RUNS = 200;

    @Test
    void itIsTheMedianOverForksOfTheMediansOfTheirRounds() {
        Interval found = BOOTSTRAP.nestedMedian(
                List.of(new double[] {1, 2, 100}, new double[] {3, 3, 0.01}, new double[] {5, 5, 5}));

        assertThat(found.mid()).isCloseTo(3, within(1e-9));
        assertThat(found.low()).isLessThanOrEqualTo(2);
        assertThat(found.high()).isCloseTo(5, within(1e-9));
    }

    @Test
    void oneForkHasNoIntervalHoweverManyRounds() {
        Interval found = BOOTSTRAP.nestedMedian(List.of(new double[] {1, 2, 3, 4, 5, 6, 7}));

        assertThat(found.mid()).isCloseTo(4, within(1e-9));
        assertThat(found.isKnown()).isFalse();
    }

    @Test
    void theIntervalIsAsWideAsForksDifferThoughTheRoundsOfEachAgree() {
        Interval found =
                BOOTSTRAP.nestedMedian(List.of(new double[] {1, 1, 1}, new double[] {2, 2, 2}, new double[] {4, 4, 4}));

        assertThat(found.low()).isCloseTo(1, within(1e-9));
        assertThat(found.high()).isCloseTo(4, within(1e-9));
    }

    @Test
    void aFigureThatIsNotPositiveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BOOTSTRAP.nestedMedian(List.of(new double[] {1, 0})))
                .withMessageContaining("0.0");
        assertThatIllegalArgumentException().isThrownBy(() -> BOOTSTRAP.nestedMedian(List.of(new double[0])));
    }

    @Test
    void intervalsHoldThePlantedEffect() {
        for (double effect : new double[] {1, 1.15, 1.5}) {
            assertThat(runs(effect).stream()
                            .filter(interval -> interval.low() <= effect && effect <= interval.high())
                            .count())
                    .as("of %d intervals around %s", RUNS, effect)
                    .isGreaterThan(9 * RUNS / 10);
        }
    }

    @Test
    void equalContendersAreSeldomFoundDifferent() {
        List<Interval> runs = runs(1);

        assertThat(count(runs, Margin.Position.ABOVE) + count(runs, Margin.Position.BELOW))
                .isLessThan(RUNS / 50);
    }

    @Test
    void aPlantedEffectIsFoundAndNeverItsOpposite() {
        assertThat(count(runs(1.5), Margin.Position.ABOVE)).isEqualTo(RUNS);
        assertThat(count(runs(1 / 1.5), Margin.Position.BELOW)).isEqualTo(RUNS);
        assertThat(count(runs(1.2), Margin.Position.ABOVE)).isGreaterThan(8 * RUNS / 10);
    }

    private static long count(List<Interval> runs, Margin.Position position) {
        return runs.stream().filter(run -> MARGIN.of(run) == position).count();
    }

    /** Returns the intervals of simulated runs of a contender that is ahead by the factor {@code effect}. */
    private static List<Interval> runs(double effect) {
        SplittableRandom random = new SplittableRandom(7);
        List<Interval> runs = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            List<double[]> forks = new ArrayList<>();
            for (int fork = 0; fork < FORKS; fork++) {
                double ofFork = effect * Math.exp(FORK_NOISE * random.nextGaussian());
                forks.add(random.doubles(ROUNDS)
                        .map(unused -> ofFork * Math.exp(ROUND_NOISE * random.nextGaussian()))
                        .toArray());
            }
            runs.add(BOOTSTRAP.nestedMedian(forks));
        }
        return runs;
    }
}
