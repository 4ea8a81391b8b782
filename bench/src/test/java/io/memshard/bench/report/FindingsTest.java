// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.report;

import static io.memshard.bench.report.Fixtures.line;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTest {

    @Test
    void headlineNamesTheBestCellAndHowManyAreLost() {
        assertThat(Findings.headline(Fixtures.comparison()))
                .startsWith("At 64 threads, memshard-sticky made 164 k operations a second, 4.0")
                .contains("times those of connection (95 % interval 3.")
                .contains(" and 8.20 times those of template, a pool of 20")
                .contains("another contender was, or may be, faster in 1 of 2 cells");
    }

    @Test
    void headlineWithoutMemshardSaysSo() {
        assertThat(Findings.headline(Fixtures.comparison(List.of(line("connection", 8, 1, 20, 400, 0)))))
                .isEqualTo("Memshard with its defaults did not take part. The highest ratio to connection is that of"
                        + " connection: 1.00 at 8 threads.");
    }

    @Test
    void headlineOfNothingIsStillASentence() {
        assertThat(Findings.headline(Fixtures.comparison(List.of()))).startsWith("No contender finished a round");
    }

    @Test
    void noisyRunIsSaidToBeOne() {
        assertThat(Findings.basis(Fixtures.comparison())).doesNotContain("wide margin");
        assertThat(Findings.basis(Fixtures.comparison(List.of(line("connection-again", 8, 1.4, 20, 400, 0)))))
                .contains("wide margin");
    }

    @Test
    void noiseIsTheSpreadOfTheBaselineAgainstItself() {
        assertThat(Findings.noise(Fixtures.comparison()))
                .startsWith("connection raced against itself had intervals from 0.9");
        assertThat(Findings.noise(Fixtures.comparison(List.of()))).startsWith("not measured");
    }
}
