// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.Metric;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.run.ForkProfiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyTableTest {

    private final List<ForkResult> forks = new ArrayList<>();

    private void fork(int block, double served, double p50, double lag, double drift, double warmUp) {
        Condition condition = Condition.parse("threads=64,rate=10000,rtt=500us,share=50");
        forks.add(ForkResult.of(
                new ForkKey(Clients.NAME, Profile.CLOUD, block, "memshard", condition, false),
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

    private String table() {
        return LatencyTable.of(
                new LabData(new RunFacts(Map.of("profiles", "cloud")), forks, List.of(), List.of(), "hash"));
    }

    @Test
    void aFigureIsTheMedianOfTheForks() {
        fork(1, 100_000, 100, 5, 1, 10);
        fork(2, 100_000, 120, 5, 1, 10);
        fork(3, 100_000, 110, 5, 1, 10);

        assertThat(table())
                .contains("| 64 | 500 | 50 | 10,000 | memshard | 10,000 | 110 [100, 120] | 1,100 [1,000, 1,200] "
                        + "| 11,000 [10,000, 12,000] | 5 |  |\n");
    }

    /** Requests served in 10 s, the lag of free callers, drift, warm-up, and the row. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    # A client is saturated if it serves less than is offered in both halves.
                     95000; 5;  1;    10;  9,500 | - | - | - | 5 | saturated |
                     97000; 5;  1.07; 10;  9,700 | 100 |
                    110000; 5;  1;    10;  11,000 | 100 | 1,000 | 10,000 | 5 |  |
                    # One request of a thousand says nothing if there are few.
                     99500; 5;  1;    10;  9,950 | 100 | 1,000 | - | 5 |  |
                     99999; 5;  1;    10;  10,000 | 100 | 1,000 | - | 5 |  |
                    # After a short warm-up, or with late callers, figures are void.
                     95000; 5;  1;    9.9; 9,500 | - | - | - | 5 | void: a warm-up below 10 s |
                    100000; 21; 1;    10;  10,000 | - | - | - | 21 | void: late callers |
                    100000; 20; 1;    10;  10,000 | 100 |
                    """)
    void aRowHasFiguresOrTheReasonWhyNot(double served, double lag, double drift, double warmUp, String row) {
        fork(1, served, 100, lag, drift, warmUp);

        assertThat(table()).contains("| memshard | " + row);
    }
}
