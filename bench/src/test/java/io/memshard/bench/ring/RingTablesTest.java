// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.bench.result.Environment;
import io.memshard.bench.ring.RingTables.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingTablesTest {

    private final List<RingFigure> figures = new ArrayList<>();

    @Test
    void theBalanceIsTheMedianOverTheFleets() {
        assertThat(RingTables.table(result(), Kind.BALANCE, List.of())).isEqualTo("""
                | ring | 10 servers |
                |---|--:|
                | `even` | 0.90 to 1.10, 5.0 % |
                | `modulo` | 0.90 to 1.10, 5.0 % |
                """);
    }

    @Test
    void keysThatGoAstrayStandOut() {
        assertThat(RingTables.table(result(), Kind.MOVEMENT, List.of(10)))
                .contains("| added (9.09 %) | removed (10.00 %) | replaced (10.00 %) |")
                .contains("| `even` | 9.00 % | 10.00 % | 10.00 % | 0.00 % | 0.00 % |")
                .contains("| `modulo` | 91.00 %, **82.00 %** |");
    }

    @Test
    void aRingWithoutWeightsHasNoFigureOfThem() {
        figure("even", RingMeasure.HEAVY_OVER_DUE, 1.25);

        assertThat(RingTables.table(result(), Kind.WEIGHTS, List.of(10)))
                .contains("| `even` | - | 1.250 |", "| `modulo` | - | - | - | - |");
    }

    @Test
    void aTimeHasItsQuartiles() {
        assertThat(RingTables.table(result(), Kind.LOOKUP, List.of()))
                .contains("| `even` | 7.5 (7.5 to 7.5) | 30 (30 to 30) | 32 |");
        assertThat(RingTables.table(result(), Kind.BUILD, List.of())).contains("| `even` | 2.0 (2.0 to 2.0) | 1,024 |");
    }

    @Test
    void aNumberThatWasNotMeasuredIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RingTables.table(result(), Kind.BALANCE, List.of(11)))
                .withMessage("11 servers were not measured, but [10]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RingCharts.draw(result(), RingCharts.Kind.LOOKUP, 11))
                .withMessage("11 servers were not measured");
    }

    @Test
    void aDrawingHasARowForEachRing() {
        assertThat(RingCharts.draw(result(), RingCharts.Kind.BALANCE, 10).svg())
                .contains(">even<", ">modulo<", ">5.00 %<");
        assertThat(RingCharts.draw(result(), RingCharts.Kind.LOOKUP, 10).svg()).contains("even 7.50 ns", ">32.0<");
    }

    private RingResult result() {
        for (String ring : List.of("even", "modulo")) {
            figure(ring, RingMeasure.MIN_OVER_MEAN, 0.9);
            figure(ring, RingMeasure.MAX_OVER_MEAN, 1.1);
            figure(ring, RingMeasure.DEVIATION, 0.05);
            boolean consistent = ring.equals("even");
            figure(ring, RingMeasure.ADDED_MOVED, consistent ? 0.09 : 0.91);
            figure(ring, RingMeasure.ADDED_ASTRAY, consistent ? 0 : 0.82);
            figure(ring, RingMeasure.REMOVED_MOVED, 0.1);
            figure(ring, RingMeasure.REPLACED_MOVED, 0.1);
            figure(ring, RingMeasure.REORDERED_MOVED, 0);
            figure(ring, RingMeasure.READDRESSED_MOVED, 0);
            figure(ring, RingMeasure.LOOKUP_NS, 7.5);
            figure(ring, RingMeasure.LONG_LOOKUP_NS, 30);
            figure(ring, RingMeasure.LOOKUP_BYTES, 32);
            figure(ring, RingMeasure.BUILD_US, 2);
            figure(ring, RingMeasure.MEMORY_BYTES, 1024);
        }
        return new RingResult(
                new Environment(
                        Instant.EPOCH,
                        2,
                        "cpu",
                        "Linux",
                        "17",
                        List.of(),
                        "none",
                        "none",
                        "none",
                        null,
                        0,
                        0,
                        null,
                        false,
                        "bench/run ring"),
                new RingResult.Plan(100, 1_000, 1, 1, 1, 1),
                figures);
    }

    private void figure(String ring, RingMeasure measure, double value) {
        figures.add(new RingFigure(ring, 10, measure, 1, value));
    }
}
