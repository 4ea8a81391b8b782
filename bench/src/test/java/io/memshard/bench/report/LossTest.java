// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import static io.memshard.bench.report.Fixtures.fork;
import static io.memshard.bench.report.Fixtures.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.memshard.bench.result.SliceResult;
import io.memshard.bench.table.Loss;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossTest {

    @Test
    void everyCellInWhichSomebodyIsAheadIsALoss() {
        List<Loss> losses = Loss.of(Fixtures.comparison());

        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.contender()).isEqualTo("socket-per-thread");
            assertThat(loss.condition().threads()).isEqualTo(1);
            assertThat(loss.measure()).isEqualTo("operations a second");
            assertThat(loss.factor().mid()).isBetween(1.17, 1.18);
            assertThat(loss.isInconclusive()).isFalse();
        });
    }

    /** Both spread alike in each fork, so their ratio is 1.06 in each; against the baseline they would overlap. */
    @Test
    void aLossIsFoundInPairsThoughRatiosToTheBaselineOverlap() {
        List<Loss> losses = Loss.of(Fixtures.comparison(
                List.of(line("memshard-sticky", 8, 1.9, 9, 300, 0), line("xmemcached", 8, 2.014, 9, 300, 0))));

        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.isInconclusive()).isFalse();
            assertThat(loss.factor().low()).isGreaterThan(1.05);
        });
    }

    @Test
    void aLossWhoseIntervalReachesTheMarginIsInconclusive() {
        // In the second fork the other is behind.
        assertThat(lossesTo(2.3, 1.8, 2.2))
                .singleElement()
                .satisfies(loss -> assertThat(loss.isInconclusive()).isTrue());
    }

    /** By the median the other is behind, and its interval reaches far ahead. */
    @Test
    void whoMayBeAheadIsALossThoughTheMedianIsOurs() {
        assertThat(lossesTo(1.8, 1.85, 2.3)).singleElement().satisfies(loss -> {
            assertThat(loss.factor().mid()).isLessThan(1);
            assertThat(loss.isInconclusive()).isTrue();
        });
    }

    /**
     * Returns a comparison of Memshard with 1.9 times the baseline to another client with so many times in three forks.
     */
    private static List<Loss> lossesTo(double first, double second, double third) {
        List<SliceResult> other = new ArrayList<>();
        other.addAll(fork(1, "xmemcached", 8, first, 9, 300, 0));
        other.addAll(fork(2, "xmemcached", 8, second, 9, 300, 0));
        other.addAll(fork(3, "xmemcached", 8, third, 9, 300, 0));
        return Loss.of(Fixtures.comparison(List.of(line("memshard-sticky", 8, 1.9, 9, 300, 0), other)));
    }

    @Test
    void equalWithinTheMarginIsNoLoss() {
        assertThat(Loss.of(Fixtures.comparison(
                        List.of(line("memshard-sticky", 8, 2.00, 9, 300, 0), line("xmemcached", 8, 2.04, 9, 300, 0)))))
                .isEmpty();
    }

    @Test
    void moreCpuAndLongerPercentilesAreLossesToo() {
        List<Loss> losses = Loss.of(Fixtures.comparison(
                List.of(line("memshard-sticky", 8, 2.5, 9, 300, 0), line("xmemcached", 8, 2.0, 6, 200, 0))));

        assertThat(losses)
                .extracting(Loss::measure)
                .containsExactlyInAnyOrder(
                        "client CPU \u00b5s per operation",
                        "CPU \u00b5s per operation, client and server",
                        "p50 \u00b5s",
                        "p99 \u00b5s",
                        "p99.9 \u00b5s");
    }

    @Test
    void aPercentileOfTheFewThatWereServedIsNoLoss() {
        assertThat(Loss.of(Fixtures.comparison(
                        List.of(line("memshard-sticky", 8, 2.5, 9, 300, 0), line("unfair", 8, 2.0, 6, 200, 0)))))
                .extracting(Loss::measure)
                .containsExactlyInAnyOrder(
                        "client CPU \u00b5s per operation", "CPU \u00b5s per operation, client and server");
    }

    @Test
    void onlyTheDefaultModeIsCompared() {
        List<Loss> losses = Loss.of(Fixtures.comparison(List.of(
                line("memshard-sticky", 8, 2, 9, 300, 0),
                line("memshard-single", 8, 4, 9, 300, 0),
                line("xmemcached", 8, 3, 9, 300, 0))));

        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.our()).isCloseTo(80_000, within(1e-6)));

        assertThat(Loss.of(Fixtures.comparison(
                        List.of(line("memshard-single", 8, 1, 9, 300, 0), line("xmemcached", 8, 3, 9, 300, 0)))))
                .isEmpty();
    }

    @Test
    void theNumberOfConnectionsThatTheClientFindsComesBeforeTwo() {
        assertThat(Loss.of(Fixtures.comparison(List.of(
                        line("memshard-sticky", 8, 4, 9, 300, 0),
                        line("memshard", 8, 2, 9, 300, 0),
                        line("xmemcached", 8, 3, 9, 300, 0)))))
                .singleElement()
                .satisfies(loss -> assertThat(loss.our()).isCloseTo(80_000, within(1e-6)));
    }

    @Test
    void oneJvmHasLossesWithoutIntervals() {
        assertThat(Loss.of(Fixtures.comparison(List.of(
                        fork(1, "connection", 8, 1, 20, 400, 0),
                        fork(1, "memshard-sticky", 8, 2, 9, 300, 0),
                        fork(1, "xmemcached", 8, 3, 9, 300, 0)))))
                .singleElement()
                .satisfies(loss -> assertThat(loss.factor().isKnown()).isFalse());
    }
}
