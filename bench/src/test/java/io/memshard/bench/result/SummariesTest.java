// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.memshard.bench.result.SliceResult.Figure;
import io.memshard.bench.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummariesTest {

    private static final Condition CONDITION = new Condition(8, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1);

    @Test
    void theRatioIsFormedWithinEachRound() {
        // The machine is ten times as fast in round 2; the contender is twice as fast in every round.
        List<SliceResult> baseline = List.of(slice("base", 1, 100), slice("base", 2, 1000), slice("base", 3, 100));
        List<SliceResult> contender = List.of(slice("any", 1, 200), slice("any", 2, 2000), slice("any", 3, 200));

        assertThat(ratio(contender, baseline).mid()).isCloseTo(2, within(1e-9));
        assertThat(ratio(contender, baseline).isKnown()).isFalse();
    }

    @Test
    void aRoundWithoutBaselineIsLeftOut() {
        assertThat(ratio(
                                List.of(slice("any", 1, 300), slice("any", 2, 500)),
                                List.of(slice("base", 1, 100), slice("base", 2, 0)))
                        .mid())
                .isCloseTo(3, within(1e-9));
    }

    @Test
    void aRoundWithoutAnOperationCountsAsHalfOfOneAndInNoOtherMedian() {
        List<SliceResult> slices = List.of(slice("any", 1, 0), slice("any", 2, 200), slice("any", 3, 0));
        List<SliceResult> baseline = List.of(slice("base", 1, 100), slice("base", 2, 100), slice("base", 3, 100));

        assertThat(ratio(slices, baseline).mid()).isCloseTo(0.005, within(1e-9));
        ContenderSummary any = Summaries.of(slices, List.of("any"), "any").get(0);
        assertThat(any.cpuMicrosPerOperation()).isEqualTo(5);
        assertThat(any.get(Figure.P50_US)).isEqualTo(2);
    }

    @Test
    void withoutACommonRoundThereIsNoRatio() {
        assertThat(ratio(List.of(slice("any", 1, 300)), List.of(slice("base", 2, 100))))
                .isNull();
        assertThat(ratio(List.of(slice("any", 1, 300)), List.of(slice(2, "base", 1, 100))))
                .isNull();
    }

    @Test
    void bothRunsOfTheBaselineArePooled() {
        List<ContenderSummary> lines = Summaries.of(
                List.of(slice("base", 1, 100), slice("base-again", 1, 400), slice("any", 1, 600)),
                List.of("base", "base-again", "any"),
                "base");

        // The geometric mean of the two is 200; the second run itself is compared with the first.
        assertThat(lines.get(0).ratio().mid()).isCloseTo(1, within(1e-9));
        assertThat(lines.get(1).ratio().mid()).isCloseTo(4, within(1e-9));
        assertThat(lines.get(2).ratio().mid()).isCloseTo(3, within(1e-9));
    }

    @Test
    void anIntervalSpansTheForksAndNotTheRounds() {
        List<SliceResult> slices = new ArrayList<>();
        for (int fork = 1; fork <= 5; fork++) {
            for (int round = 1; round <= 9; round++) {
                slices.add(slice(fork, "base", round, 1000));
                slices.add(slice(fork, "any", round, 1000 + 100 * fork));
            }
        }
        ContenderSummary any =
                Summaries.of(slices, List.of("base", "any"), "base").get(1);

        assertThat(any.forks()).isEqualTo(5);
        assertThat(any.ratio().mid()).isCloseTo(1.3, within(1e-9));
        assertThat(any.ratio().low()).isCloseTo(1.1, within(1e-9));
        assertThat(any.ratio().high()).isCloseTo(1.5, within(1e-9));
        assertThat(ComparisonResult.verdict(any.ratio())).isEqualTo("faster");
        assertThat(any.throughput().mid()).isCloseTo(1300, within(1e-6));
    }

    @Test
    void figuresAreMediansAndFailuresAreSums() {
        ContenderSummary summary = Summaries.of(
                        List.of(slice("any", 1, 100), slice("any", 2, 400), slice("any", 3, 200)),
                        List.of("any"),
                        "any")
                .get(0);

        assertThat(summary.forks()).isEqualTo(1);
        assertThat(summary.throughput().mid()).isCloseTo(200, within(1e-6));
        assertThat(summary.cpuMicrosPerOperation()).isEqualTo(5);
        assertThat(summary.serverCpuMicrosPerOperation()).isEqualTo(3);
        assertThat(summary.perCoreSecond().mid()).isCloseTo(125_000, within(1e-3));
        assertThat(summary.figures())
                .isEqualTo(Map.of(
                        Figure.JAIN, 0.5,
                        Figure.P50_US, 2.0,
                        Figure.P99_US, 4.0,
                        Figure.P999_US, 6.0,
                        Figure.MAX_US, 300.0,
                        Figure.ERRORS, 6.0,
                        Figure.TIMEOUTS, 9.0,
                        Figure.WRONG_VALUES, 12.0));
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

    private static Interval ratio(List<SliceResult> slices, List<SliceResult> baseline) {
        return Summaries.ratio(slices, baseline);
    }

    private static SliceResult slice(String contender, int round, long operations) {
        return slice(1, contender, round, operations);
    }

    private static SliceResult slice(int fork, String contender, int round, long operations) {
        return new SliceResult(
                CONDITION,
                fork,
                round,
                contender,
                1,
                Map.ofEntries(
                        entry(Figure.ELAPSED_NS, 1e9),
                        entry(Figure.OPERATIONS, (double) operations),
                        entry(Figure.ERRORS, 2.0),
                        entry(Figure.TIMEOUTS, 3.0),
                        entry(Figure.WRONG_VALUES, 4.0),
                        entry(Figure.CLIENT_CPU_NS, operations * 5000.0),
                        entry(Figure.SERVER_CPU_NS, operations * 3000.0),
                        entry(Figure.JAIN, 0.5),
                        entry(Figure.P50_US, 1.0 * round),
                        entry(Figure.P99_US, 2.0 * round),
                        entry(Figure.P999_US, 3.0 * round),
                        entry(Figure.MAX_US, 100.0 * round)));
    }
}
