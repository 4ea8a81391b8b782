// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.run.Fork;
import io.memshard.bench.lab.venus.OfferedLoad;
import io.memshard.bench.machine.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyTableTest {

    private static final int RATE = 10_000;

    private final List<ForkResult> forks = new ArrayList<>();

    private void fork(String arm, int block, double served, double p50, double lag) {
        Condition condition = Condition.ofThreads(64).with(Condition.RATE, RATE);
        forks.add(ForkResult.of(
                new ForkKey(OfferedLoad.NAME, Profile.PHYSICAL, block, arm, condition, false),
                Map.of(
                        Measure.SECONDS,
                        served > 50_000 ? 10.0 : 1.0,
                        Measure.CYCLES,
                        served,
                        Measure.P50_US,
                        p50,
                        Measure.P99_US,
                        10 * p50,
                        Measure.P999_US,
                        100 * p50),
                Map.of(Fork.LAG, lag),
                List.of((long) served)));
    }

    private String table() {
        return LatencyTable.of(
                new LabData(new RunFacts(Map.of("profiles", "physical")), forks, List.of(), List.of(), "hash"));
    }

    @Test
    void aFigureIsTheMedianOfTheForks() {
        fork("memshard", 1, 100_000, 100, 5);
        fork("memshard", 2, 100_000, 120, 5);
        fork("memshard", 3, 100_000, 110, 5);

        assertThat(table())
                .contains(
                        "| p50, us | 10,000/s |\n|---|--:|\n| memshard | 110 [100, 120] |\n",
                        "| memshard | 1,100 [1,000, 1,200] |",
                        "| memshard | 11,000 [10,000, 12,000] |");
    }

    @Test
    void aClientThatServesLessThanIsOfferedIsSaturated() {
        fork("template", 1, 95_000, 100, 5);
        fork("memshard", 1, 99_500, 100, 5);

        assertThat(table()).contains("| template | saturated: 9,500/s |", "| memshard | 100 |");
    }

    @Test
    void figuresOfALateGeneratorAreMarked() {
        fork("memshard", 1, 100_000, 100, 11);

        assertThat(table()).contains("| memshard | 100 * |", "at most 11 us late");
    }

    @Test
    void oneOfAThousandIsNotToldOfFewRequests() {
        fork("memshard", 1, RATE, 100, 5);

        assertThat(table()).contains("| p99.9, us | 10,000/s |\n|---|--:|\n| memshard | - |");
    }
}
