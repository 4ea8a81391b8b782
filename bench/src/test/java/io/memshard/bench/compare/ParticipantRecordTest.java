package io.memshard.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.result.Condition;
import io.memshard.bench.result.ContenderSummary;
import io.memshard.bench.result.Latency;
import io.memshard.bench.result.Quartiles;
import io.memshard.bench.result.SliceResult;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ParticipantRecordTest {

    private static final Condition CONDITION = new Condition(8, 100, Condition.Load.GET, Condition.Callers.BLOCKING, 1);

    @Test
    void theRatioIsFormedWithinEachRound() {
        // The machine is ten times as fast in round 2; the contender is twice as fast in every round.
        List<SliceResult> baseline = List.of(slice(1, 100), slice(2, 1000), slice(3, 100));
        List<SliceResult> contender = List.of(slice(1, 200), slice(2, 2000), slice(3, 200));

        assertThat(ParticipantRecord.ratio(contender, baseline)).isEqualTo(new Quartiles(2, 2, 2));
    }

    @Test
    void aRoundWithoutBaselineIsLeftOut() {
        assertThat(ParticipantRecord.ratio(List.of(slice(1, 300), slice(2, 500)), List.of(slice(1, 100), slice(2, 0))))
                .isEqualTo(new Quartiles(3, 3, 3));
    }

    @Test
    void withoutACommonRoundThereIsNoRatio() {
        assertThat(ParticipantRecord.ratio(List.of(slice(1, 300)), List.of(slice(2, 100))))
                .isNull();
    }

    @Test
    void failuresAndWrongValuesAreSummedApart() {
        ParticipantRecord record = new ParticipantRecord();
        for (int round = 1; round <= 3; round++) {
            CallStatistics statistics = new CallStatistics();
            statistics.ended(true, 10_000);
            statistics.ended(false, 10_000);
            statistics.failed(new IllegalStateException("broken"));
            statistics.failed(new RuntimeException(new TimeoutException()));
            statistics.failed(new RuntimeException(new TimeoutException()));
            record.add(slice(round, 100), statistics);
        }

        ContenderSummary summary = record.summary(List.of(slice(1, 100), slice(2, 100), slice(3, 100)));

        assertThat(summary.rounds()).isEqualTo(3);
        assertThat(summary.errors()).isEqualTo(3);
        assertThat(summary.timeouts()).isEqualTo(6);
        assertThat(summary.wrongValues()).isEqualTo(3);
        assertThat(summary.operationsPerSecond()).isEqualTo(100);
        assertThat(summary.cpuMicrosPerOperation()).isEqualTo(5);
        assertThat(summary.latency().p50Micros()).isBetween(9.9, 10.3);
    }

    private static SliceResult slice(int round, long operations) {
        return new SliceResult(
                CONDITION,
                round,
                1,
                "any",
                1,
                1_000_000_000,
                operations,
                0,
                0,
                0,
                operations * 5000,
                0,
                new Latency(1, 2, 3, 4));
    }
}
