// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummariesTest {

    private static final Condition CONDITION = new Condition(8, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1);

    @Test
    void theRatioIsFormedWithinEachRound() {
        // The machine is ten times as fast in round 2; the contender is twice as fast in every round.
        List<SliceResult> baseline = List.of(slice("base", 1, 100), slice("base", 2, 1000), slice("base", 3, 100));
        List<SliceResult> contender = List.of(slice("any", 1, 200), slice("any", 2, 2000), slice("any", 3, 200));

        assertThat(Summaries.ratio(contender, baseline)).isEqualTo(new Quartiles(2, 2, 2));
    }

    @Test
    void aRoundWithoutBaselineIsLeftOut() {
        assertThat(Summaries.ratio(
                        List.of(slice("any", 1, 300), slice("any", 2, 500)),
                        List.of(slice("base", 1, 100), slice("base", 2, 0))))
                .isEqualTo(new Quartiles(3, 3, 3));
    }

    @Test
    void withoutACommonRoundThereIsNoRatio() {
        assertThat(Summaries.ratio(List.of(slice("any", 1, 300)), List.of(slice("base", 2, 100))))
                .isNull();
    }

    @Test
    void figuresAreMediansAndFailuresAreSums() {
        ContenderSummary summary = Summaries.of(
                        List.of(slice("any", 1, 100), slice("any", 2, 400), slice("any", 3, 200)),
                        List.of("any"),
                        "any")
                .get(0);

        assertThat(summary.rounds()).isEqualTo(3);
        assertThat(summary.operationsPerSecond()).isEqualTo(200);
        assertThat(summary.throughput()).isEqualTo(new Quartiles(150, 200, 300));
        assertThat(summary.cpuMicrosPerOperation()).isEqualTo(5);
        assertThat(summary.latency()).isEqualTo(new Latency(2, 4, 6, 300));
        assertThat(summary.errors()).isEqualTo(6);
        assertThat(summary.timeouts()).isEqualTo(9);
        assertThat(summary.wrongValues()).isEqualTo(12);
    }

    @Test
    void contendersStandInTheOrderOfThePlanWhateverTheOrderOfTheRound() {
        assertThat(Summaries.of(
                        List.of(slice("third", 1, 1), slice("first", 1, 1), slice("second", 1, 1)),
                        List.of("first", "second", "third"),
                        "first"))
                .extracting(ContenderSummary::contender)
                .containsExactly("first", "second", "third");
    }

    private static SliceResult slice(String contender, int round, long operations) {
        return new SliceResult(
                CONDITION,
                round,
                1,
                contender,
                1,
                1_000_000_000,
                operations,
                2,
                3,
                4,
                operations * 5000,
                0,
                new Latency(round, 2 * round, 3 * round, 100 * round));
    }
}
