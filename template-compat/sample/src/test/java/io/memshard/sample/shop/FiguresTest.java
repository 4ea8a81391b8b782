// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class FiguresTest {

    private static final long MICRO = 1_000;

    private static Figures.Counts counts(long hits, long misses) {
        return new Figures.Counts(hits, misses, 0, misses);
    }

    @Test
    void aSecondCountsOnlyItsOwnRequests() {
        Figures figures = new Figures(counts(100, 100));
        for (int micros = 1; micros <= 100; micros++) {
            figures.answered(micros * MICRO);
        }
        figures.failed();
        Figures.OfPeriod first = figures.second(counts(190, 110));
        Figures.OfPeriod second = figures.second(counts(190, 110));

        assertThat(first.requests()).isEqualTo(100);
        assertThat(first.p50Micros()).isCloseTo(50, Percentage.withPercentage(2));
        assertThat(first.p99Micros()).isCloseTo(99, Percentage.withPercentage(2));
        assertThat(first.hitRatio()).isEqualTo(0.9);
        assertThat(first.failures()).isEqualTo(1);
        assertThat(first.throughput() * first.seconds()).isCloseTo(100, Percentage.withPercentage(0.001));
        assertThat(second.requests()).isZero();
        assertThat(second.failures()).isZero();
        assertThat(second.hitRatio()).isZero();
    }

    @Test
    void theRunBeginsAfterItsWarmUp() {
        Figures figures = new Figures(counts(0, 0));
        for (int second = 1; second <= Figures.WARM_UP_SECONDS; second++) {
            figures.answered(1_000_000 * MICRO);
            figures.second(counts(second, second));
            assertThat(figures.isWarm()).isFalse();
        }
        figures.answered(10 * MICRO);
        figures.second(counts(Figures.WARM_UP_SECONDS + 1, Figures.WARM_UP_SECONDS));

        assertThat(figures.isWarm()).isTrue();
        assertThat(figures.whole().requests()).isEqualTo(1);
        assertThat(figures.whole().p99Micros()).isCloseTo(10, Percentage.withPercentage(2));
        assertThat(figures.whole().hitRatio()).isEqualTo(1);
    }
}
