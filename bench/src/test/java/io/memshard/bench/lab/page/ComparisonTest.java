// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.memshard.bench.lab.page.Comparison.Line;
import io.memshard.bench.statistics.Interval;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {

    @TempDir
    private Path folder;

    private ComparedForks forks;

    @BeforeEach
    void writeFacts() {
        forks = new ComparedForks(folder, "");
    }

    @Test
    void theRatioIsFormedWithinEachRound() {
        // The machine is ten times as fast in round 2; the contender is twice as fast in every round.
        rounds("connection", 100, 1000, 100);
        rounds("any", 200, 2000, 200);

        assertThat(ratio("any").mid()).isCloseTo(2, within(1e-9));
        assertThat(ratio("any").isKnown()).isFalse();
    }

    @Test
    void aRoundWithoutBaselineIsLeftOut() {
        rounds("connection", 100, 0);
        rounds("any", 300, 500);

        assertThat(ratio("any").mid()).isCloseTo(3, within(1e-9));
    }

    @Test
    void aRoundWithoutAnOperationCountsAsHalfOfOneAndInNoOtherMedian() {
        rounds("connection", 100, 100, 100);
        rounds("any", 0, 200, 0);

        assertThat(ratio("any").mid()).isCloseTo(0.005, within(1e-9));
        assertThat(line("any").cpuMicros()).isCloseTo(5, within(1e-9));
    }

    @Test
    void aRatioNeedsACommonRound() {
        rounds("connection", 100);
        forks.fork(1, 2, "any", 8, 300, 5);
        forks.fork(2, 1, "other", 8, 300, 5);

        assertThat(ratio("any").mid()).isNaN();
        assertThat(ratio("other").mid()).isNaN();
    }

    @Test
    void bothRunsOfTheBaselineArePooled() {
        rounds("connection", 100);
        rounds("connection-again", 400);
        rounds("any", 600);

        // The geometric mean of the two is 200; the second run itself is compared with the first.
        assertThat(ratio("connection").mid()).isCloseTo(1, within(1e-9));
        assertThat(ratio("connection-again").mid()).isCloseTo(4, within(1e-9));
        assertThat(ratio("any").mid()).isCloseTo(3, within(1e-9));
    }

    @Test
    void anIntervalSpansTheForksAndNotTheRounds() {
        for (int fork = 1; fork <= 5; fork++) {
            for (int round = 1; round <= 9; round++) {
                forks.fork(fork, round, "connection", 8, 1000, 5);
                forks.fork(fork, round, "any", 8, 1000 + 100L * fork, 5);
            }
        }

        assertThat(Comparison.read(folder).forks()).isEqualTo(5);
        assertThat(ratio("any").mid()).isCloseTo(1.3, within(1e-9));
        assertThat(ratio("any").low()).isCloseTo(1.1, within(1e-9));
        assertThat(ratio("any").high()).isCloseTo(1.5, within(1e-9));
        assertThat(Comparison.word(ratio("any"))).isEqualTo(" faster");
        assertThat(line("any").throughput().mid()).isCloseTo(1300, within(1e-6));
    }

    @Test
    void contendersAreListedInAFixedOrder() {
        rounds("socket-per-thread", 1);
        rounds("memshard", 1);
        rounds("connection-again", 1);
        rounds("connection", 1);

        assertThat(Comparison.read(folder).lines())
                .extracting(Line::contender)
                .containsExactly("connection", "connection-again", "memshard", "socket-per-thread");
    }

    private void rounds(String arm, long... operations) {
        for (int round = 0; round < operations.length; round++) {
            forks.fork(1, round + 1, arm, 8, operations[round], 5);
        }
    }

    private Line line(String contender) {
        return Comparison.read(folder).lines().stream()
                .filter(line -> line.contender().equals(contender))
                .findFirst()
                .orElseThrow();
    }

    private Interval ratio(String contender) {
        return Comparison.read(folder).ratio(line(contender), "connection");
    }
}
