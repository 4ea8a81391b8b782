// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import static io.memshard.bench.report.Fixtures.line;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.table.Loss;
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
            assertThat(loss.factor()).isBetween(1.17, 1.18);
            assertThat(loss.withinNoise()).isFalse();
        });
    }

    @Test
    void lossWithOverlappingQuartilesIsMarked() {
        List<Loss> losses = Loss.of(Fixtures.comparison(
                List.of(line("memshard-single", 8, 1.9, 9, 300, 0), line("xmemcached", 8, 2.0, 9, 300, 0))));

        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.withinNoise()).isTrue());
    }

    @Test
    void moreCpuAndLongerPercentilesAreLossesToo() {
        List<Loss> losses = Loss.of(Fixtures.comparison(
                List.of(line("memshard-single", 8, 2.5, 9, 300, 0), line("xmemcached", 8, 2.0, 6, 200, 0))));

        assertThat(losses)
                .extracting(Loss::measure)
                .containsExactly("client CPU \u00b5s per operation", "p50 \u00b5s", "p99 \u00b5s", "p99.9 \u00b5s");
    }

    @Test
    void theDefaultModeIsComparedWhereItTookPart() {
        List<Loss> losses = Loss.of(Fixtures.comparison(List.of(
                line("memshard-sticky", 8, 2, 9, 300, 0),
                line("memshard-single", 8, 4, 9, 300, 0),
                line("xmemcached", 8, 3, 9, 300, 0))));

        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.ours()).isEqualTo("memshard-sticky"));
    }
}
