// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.run.ForkProfiler;
import io.memshard.bench.lab.venus.Clients;
import io.memshard.bench.machine.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyTableTest {

    private static final int RATE = 10_000;

    private final List<ForkResult> forks = new ArrayList<>();

    private void fork(String arm, int block, double served, double p50, double lag, double drift, double warmUp) {
        Condition condition = Condition.ofThreads(64).with(Condition.RATE, RATE);
        forks.add(ForkResult.of(
                new ForkKey(Clients.NAME, Profile.CLOUD, block, arm, condition, false),
                Map.of(
                        Measure.SECONDS,
                        10.0,
                        Measure.CYCLES,
                        served,
                        Measure.P50_US,
                        p50,
                        Measure.P99_US,
                        10 * p50,
                        Measure.P999_US,
                        100 * p50),
                Map.of(ForkProfiler.LAG, lag, Metric.DRIFT, drift, ForkProfiler.WARM_UP, warmUp),
                List.of((long) served)));
    }

    private void warm(String arm, int block, double served, double p50, double lag) {
        fork(arm, block, served, p50, lag, 1, 10);
    }

    private String table() {
        return LatencyTable.of(
                new LabData(new RunFacts(Map.of("profiles", "cloud")), forks, List.of(), List.of(), "hash"));
    }

    @Test
    void aFigureIsTheMedianOfTheForks() {
        warm("memshard", 1, 100_000, 100, 5);
        warm("memshard", 2, 100_000, 120, 5);
        warm("memshard", 3, 100_000, 110, 5);

        assertThat(table())
                .contains("| 10,000 | memshard | 10,000 | 110 [100, 120] | 1,100 [1,000, 1,200] "
                        + "| 11,000 [10,000, 12,000] | 5 |  |\n");
    }

    @Test
    void aClientIsSaturatedIfItServesLessThanIsOfferedInBothHalves() {
        warm("template", 1, 95_000, 100, 5);
        warm("memshard", 1, 99_500, 100, 5);

        assertThat(table()).contains("| template | 9,500 | - | - | - | 5 | saturated |", "| memshard | 9,950 | 100 | ");
    }

    @Test
    void aClientThatServesMoreThanIsOfferedIsNotSaturated() {
        warm("folsom", 1, 110_000, 100, 5);

        assertThat(table()).contains("| folsom | 11,000 | 100 | 1,000 | 10,000 | 5 |  |");
    }

    @Test
    void aBacklogThatNoLongerGrowsIsNoSaturation() {
        fork("folsom", 1, 97_000, 100, 5, 1.07, 10);

        assertThat(table()).contains("| folsom | 9,700 | 100 |");
    }

    @Test
    void figuresAfterAShortWarmUpAreVoid() {
        fork("template", 1, 95_000, 100, 5, 1, 9.9);

        assertThat(table()).contains("| template | 9,500 | - | - | - | 5 | void: a warm-up below 10 s |");
    }

    @Test
    void figuresOfLateCallersAreVoid() {
        warm("memshard", 1, 100_000, 100, 21);
        warm("folsom", 1, 100_000, 100, 20);

        assertThat(table())
                .contains("| memshard | 10,000 | - | - | - | 21 | void: late callers |", "| folsom | 10,000 | 100 |");
    }

    @Test
    void oneOfAThousandIsNotToldOfFewRequests() {
        warm("memshard", 1, 99_999, 100, 5);

        assertThat(table()).contains("| 100 | 1,000 | - | 5 |  |");
    }
}
