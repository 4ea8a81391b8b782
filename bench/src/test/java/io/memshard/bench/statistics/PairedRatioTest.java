// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.memshard.bench.statistics.PairedRatio.Block;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairedRatioTest {

    private static final Bootstrap BOOTSTRAP = new Bootstrap(500, 1);

    @Test
    void theLevelOfABlockDoesNotMatter() {
        List<Block> blocks = List.of(block(20, 10), block(200, 100), block(2, 1));

        Interval ratio = PairedRatio.of(blocks, BOOTSTRAP);

        assertThat(ratio.low()).isCloseTo(2, within(1e-9));
        assertThat(ratio.mid()).isCloseTo(2, within(1e-9));
        assertThat(ratio.high()).isCloseTo(2, within(1e-9));
    }

    @Test
    void theBaselineAndItsSecondRunArePooled() {
        Block pooled = new Block(new double[] {20}, new double[] {5, 20});

        assertThat(PairedRatio.of(List.of(pooled), BOOTSTRAP).mid()).isCloseTo(2, within(1e-9));
    }

    @Test
    void oneBlockHasNoInterval() {
        Interval ratio = PairedRatio.of(List.of(block(3, 2)), BOOTSTRAP);

        assertThat(ratio.mid()).isCloseTo(1.5, within(1e-9));
        assertThat(ratio.low()).isNaN();
        assertThat(ratio.high()).isNaN();
    }

    @Test
    void theIntervalHoldsTheMedianAndIsTheSameForTheSameSeed() {
        List<Block> blocks =
                IntStream.rangeClosed(1, 9).mapToObj(i -> block(10 + i, 10)).toList();

        Interval ratio = PairedRatio.of(blocks, BOOTSTRAP);

        assertThat(ratio.mid()).isCloseTo(1.5, within(1e-9));
        assertThat(ratio.low()).isBetween(1.1, 1.5);
        assertThat(ratio.high()).isBetween(1.5, 1.9);
        assertThat(PairedRatio.of(blocks, BOOTSTRAP)).isEqualTo(ratio);
    }

    @Test
    void aFigureThatIsNotPositiveIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> block(0, 1)).withMessageContaining("0.0");
    }

    @Test
    void aMarginSeparatesAheadFromEqualFromUnknown() {
        Margin margin = new Margin(0.1);

        assertThat(margin.of(new Interval(1.2, 1.3, 1.4))).isEqualTo(Margin.Position.ABOVE);
        assertThat(margin.of(new Interval(0.7, 0.8, 0.9))).isEqualTo(Margin.Position.BELOW);
        assertThat(margin.of(new Interval(0.95, 1, 1.05))).isEqualTo(Margin.Position.EQUAL);
        assertThat(margin.of(new Interval(0.95, 1.1, 1.3))).isEqualTo(Margin.Position.UNKNOWN);
        assertThat(margin.of(new Interval(Double.NaN, 2, Double.NaN))).isEqualTo(Margin.Position.UNKNOWN);
    }

    @Test
    void fourRunsOfFiveSeeTheSmallestEffectThatTheyAreSaidToSee() {
        Margin margin = new Margin(0.1);
        Random random = new Random(3);
        double visible = Sample.median(IntStream.range(0, 200)
                .mapToDouble(run -> margin.smallestVisible(run(1, random)))
                .toArray());

        long seen = IntStream.range(0, 400)
                .filter(run -> margin.of(run(visible, random)) == Margin.Position.ABOVE)
                .count();

        assertThat(seen / 400.0).isBetween(0.65, 0.95);
    }

    /** Returns six blocks in which one arm is so many times as fast, with noise. */
    private static Interval run(double times, Random random) {
        return PairedRatio.of(
                IntStream.range(0, 6)
                        .mapToObj(block -> block(times * noise(random), noise(random)))
                        .toList(),
                BOOTSTRAP);
    }

    private static double noise(Random random) {
        return Math.exp(0.05 * random.nextGaussian());
    }

    private static Block block(double numerator, double denominator) {
        return new Block(new double[] {numerator}, new double[] {denominator});
    }
}
