// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShapeTest {

    @Test
    void pagesStatisticIsThatWorkedOutByHand() {
        // Three blocks in perfect order: L = 3 * (1 + 4 + 9) = 42, mean 36, variance 6.
        Trend trend = Trend.of(List.of(new double[] {1, 2, 3}, new double[] {10, 20, 30}, new double[] {4, 5, 6}));

        assertThat(trend.statistic()).isEqualTo(42);
        assertThat(trend.z()).isCloseTo(6 / Math.sqrt(6), within(1e-12));
        assertThat(trend.rises()).isTrue();
        assertThat(trend.falls()).isFalse();
    }

    @Test
    void figuresThatGoUpAndDownHaveNoTrend() {
        Trend trend = Trend.of(List.of(new double[] {1, 2, 3}, new double[] {3, 2, 1}));

        assertThat(trend.z()).isZero();
        assertThat(trend.rises()).isFalse();
    }

    @Test
    void aCurveHasAPeakADropAndACrossing() {
        double[] pool = {10, 30, 20, 5};
        double[] one = {8, 12, 22, 25};

        assertThat(Curve.peak(pool)).isEqualTo(1);
        assertThat(Curve.drop(pool)).isEqualTo(6);
        assertThat(Curve.drop(one)).isEqualTo(1);
        assertThat(Curve.crossing(one, pool)).isEqualTo(2);
        assertThat(Curve.crossing(pool, one)).isEqualTo(4);
    }

    @Test
    void aShapeThatEveryBlockHasHoldsInEverySample() {
        List<double[]> blocks = List.of(new double[] {1, 3, 2}, new double[] {10, 40, 20}, new double[] {2, 9, 3});
        Bootstrap bootstrap = new Bootstrap(200, 3);

        assertThat(Curve.share(blocks, bootstrap, figures -> Curve.peak(figures) == 1))
                .isEqualTo(1);
        assertThat(Curve.share(blocks, bootstrap, figures -> Curve.peak(figures) == 0))
                .isZero();
        assertThat(Curve.interval(blocks, bootstrap, Curve::drop).mid()).isEqualTo(3);
    }
}
