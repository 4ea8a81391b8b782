// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScaleTest {

    @Test
    void linearScaleStartsAtZeroAndEndsAtARoundNumber() {
        Scale scale = Scale.fromZero(187_654, 350, 30);

        assertThat(scale.ticks()).containsExactly(0.0, 50_000.0, 100_000.0, 150_000.0, 200_000.0);
        assertThat(scale.at(0)).isEqualTo(350);
        assertThat(scale.at(200_000)).isEqualTo(30);
        assertThat(scale.at(100_000)).isCloseTo(190, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-12, 0.3, 1, 6, 7, 999, 1000, 1001, 4.2e7})
    void linearScaleHoldsItsGreatestValueOnFewTicks(double greatest) {
        Scale scale = Scale.fromZero(greatest, 0, 100);

        assertThat(scale.high()).isGreaterThanOrEqualTo(greatest);
        assertThat(scale.ticks()).hasSizeBetween(2, 8);
    }

    @Test
    void logarithmicScaleGivesEqualFactorsEqualDistances() {
        Scale scale = Scale.logarithmic(0.6, 4.2, 0, 100);

        assertThat(scale.ticks()).containsExactly(0.5, 1.0, 2.0, 5.0);
        assertThat(scale.at(2) - scale.at(1)).isCloseTo(scale.at(4) - scale.at(2), within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "0.001, 0.001", "10, 100000", "3, 3.1", "0, 0", "9.99, 10.01", "50, 5000"})
    void logarithmicScaleHoldsItsValuesOnFewTicks(double least, double greatest) {
        Scale scale = Scale.logarithmic(least, greatest, 0, 100);

        assertThat(scale.low())
                .isLessThanOrEqualTo(Math.max(least, 1e-9) * 1.0001)
                .isPositive();
        assertThat(scale.high()).isGreaterThanOrEqualTo(greatest).isGreaterThan(scale.low());
        assertThat(scale.ticks()).hasSizeBetween(2, 12);
        assertThat(scale.at(Math.max(least, 1e-9))).isBetween(0.0, 100.0);
    }

    @Test
    void valuesOutsideAreDrawnAtTheEnds() {
        Scale scale = Scale.fromZero(10, 0, 100);

        assertThat(scale.at(-5)).isZero();
        assertThat(scale.at(1e9)).isEqualTo(100);
    }

    @Test
    void spreadLeavesDistantLabelsAloneAndPartsThoseThatCollide() {
        assertThat(Scale.spread(new double[] {20, 60, 90}, 15, 0, 100)).containsExactly(20, 60, 90);
        assertThat(Scale.spread(new double[] {20, 22, 24}, 15, 0, 100)).containsExactly(20, 35, 50);
    }

    @Test
    void spreadStaysInsideAsLongAsThereIsRoom() {
        assertThat(Scale.spread(new double[] {95, 98, 99}, 15, 0, 100)).containsExactly(70, 85, 100);
        assertThat(Scale.spread(new double[] {-3, -2}, 15, 0, 100)).containsExactly(0, 15);
        assertThat(Scale.spread(new double[0], 15, 0, 100)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|0", "0.0421|0.04", "4.104|4.10", "41.04|41.0", "4104|4,104", "148600|149 k", "1234567|1.23 M"})
    void numbersKeepThreeDigits(double value, String text) {
        assertThat(Numbers.compact(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|0", "0.5|0.5", "5000|5,000", "20000|20 k", "1500000|1.5 M", "100|100"})
    void ticksHaveNoNeedlessDecimals(double value, String text) {
        assertThat(Numbers.tick(value)).isEqualTo(text);
    }
}
