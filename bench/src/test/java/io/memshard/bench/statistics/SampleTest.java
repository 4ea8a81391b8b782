// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SampleTest {

    @Test
    void quantilesLieBetweenTheClosestRanks() {
        assertThat(Sample.median(3, 1, 2, 4)).isEqualTo(2.5);
        assertThat(Sample.quantile(0.25, 1, 2, 3, 4, 5)).isEqualTo(2);
        assertThat(Sample.quantile(0.3, 1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY))
                .isInfinite();
        assertThat(Sample.quantile(0.9, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY))
                .isInfinite();
        assertThat(Sample.median(Double.NEGATIVE_INFINITY, 1)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Sample.median()).isNaN();
    }

    @Test
    void jainsIndexIsOneForEqualSharesAndOneInNForASingleShare() {
        assertThat(Sample.jain(5, 5, 5, 5)).isEqualTo(1);
        assertThat(Sample.jain(8, 0, 0, 0)).isEqualTo(0.25);
        assertThat(Sample.jain(1, 2, 3)).isCloseTo(36.0 / (3 * 14), within(1e-12));
        assertThat(Sample.jain(0, 0)).isNaN();
    }

    @Test
    void rankCorrelationIgnoresMagnitudes() {
        assertThat(Sample.rankCorrelation(new double[] {1, 2, 3}, new double[] {10, 20, 90}))
                .isEqualTo(1);
        assertThat(Sample.rankCorrelation(new double[] {1, 2}, new double[] {5, 5}))
                .isNaN();
    }

    @Test
    void ordersByChanceAreCounted() {
        double[] first = {1, 2, 3, 4};

        assertThat(Sample.chanceOfRanks(first, new double[] {10, 20, 30, 40})).isEqualTo(1 / 24.0);
        assertThat(Sample.chanceOfRanks(first, new double[] {20, 10, 30, 40})).isEqualTo(4 / 24.0);
        assertThat(Sample.chanceOfRanks(first, new double[] {40, 30, 20, 10})).isEqualTo(1);
    }
}
