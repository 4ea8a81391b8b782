package io.memshard.bench.report;

import static io.memshard.bench.report.Fixtures.line;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.report.Findings.Loss;
import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTest {

    @Test
    void headlineNamesTheBestCellAndHowManyAreLost() {
        assertThat(Findings.headline(Fixtures.comparison()))
                .startsWith("At 64 threads, memshard-round-robin made 164 k operations a second, 4.10 times those of"
                        + " connection (quartiles 3.89 to 4.31) and 8.20 times those of template, a pool of 20")
                .contains("somebody else was faster in 1 of 2 cells");
    }

    @Test
    void headlineWithoutMemshardSaysSo() {
        assertThat(Findings.headline(Fixtures.comparison(List.of(line("connection", 8, 1, 20, 400, 0)))))
                .isEqualTo("Memshard did not take part. The highest ratio to connection is that of connection:"
                        + " 1.00 at 8 threads.");
    }

    @Test
    void headlineOfNothingIsStillASentence() {
        assertThat(Findings.headline(Fixtures.comparison(List.of()))).startsWith("No contender finished a round");
    }

    @Test
    void everyCellInWhichSomebodyIsAheadIsALoss() {
        List<Loss> losses = Findings.losses(Fixtures.comparison());

        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.contender()).isEqualTo("socket-per-thread");
            assertThat(loss.threads()).isEqualTo(1);
            assertThat(loss.measure()).isEqualTo("operations a second");
            assertThat(loss.factor()).isBetween(1.17, 1.18);
            assertThat(loss.withinNoise()).isFalse();
        });
    }

    @Test
    void lossWithOverlappingQuartilesIsMarked() {
        List<Loss> losses = Findings.losses(Fixtures.comparison(
                List.of(line("memshard-single", 8, 1.9, 9, 300, 0), line("xmemcached", 8, 2.0, 9, 300, 0))));

        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.withinNoise()).isTrue());
    }

    @Test
    void dearerCpuAndSlowerTailAreLossesToo() {
        List<Loss> losses = Findings.losses(Fixtures.comparison(
                List.of(line("memshard-single", 8, 2.5, 9, 300, 0), line("xmemcached", 8, 2.0, 6, 200, 0))));

        assertThat(losses).extracting(Loss::measure).containsExactly("client CPU \u00b5s per operation", "p99 \u00b5s");
    }

    @Test
    void noisyRunIsSaidToBeOne() {
        assertThat(Findings.basis(Fixtures.comparison())).doesNotContain("wide margin");
        assertThat(Findings.basis(Fixtures.comparison(List.of(line("connection-again", 8, 1.4, 20, 400, 0)))))
                .contains("wide margin");
    }

    @Test
    void noiseFloorIsTheSpreadOfTheBaselineAgainstItself() {
        assertThat(Findings.noiseFloor(Fixtures.comparison()))
                .startsWith("connection raced against itself had quartiles from 0.97 to 1.07");
        assertThat(Findings.noiseFloor(Fixtures.comparison(List.of()))).startsWith("not measured");
    }
}
