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
import io.memshard.bench.lab.run.BySecond;
import io.memshard.bench.lab.run.ForkProfiler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenLoopTablesTest {

    private final List<ForkResult> forks = new ArrayList<>();

    private OpenLoopTables tables() {
        return new OpenLoopTables(
                new LabData(new RunFacts(Map.of("profiles", "cloud")), forks, List.of(), List.of(), "hash"));
    }

    private void fork(int block, String condition, Map<Measure, Double> measures, Map<String, Double> figures) {
        ForkKey key = new ForkKey(Clients.NAME, Profile.CLOUD, block, "memshard", Condition.parse(condition), false);
        forks.add(ForkResult.of(key, measures, figures, List.of()));
    }

    private void latency(int block, double served, double p50, double lag, double drift, double warmUp) {
        Map<Measure, Double> measures = new HashMap<>(Map.of(Measure.SECONDS, 10.0, Measure.CYCLES, served));
        measures.putAll(Map.of(Measure.P50_US, p50, Measure.P99_US, 10 * p50, Measure.P999_US, 100 * p50));
        fork(
                block,
                "threads=64,rate=10000,rtt=500us,share=50",
                measures,
                Map.of(ForkProfiler.LAG, lag, Metric.DRIFT, drift, ForkProfiler.WARM_UP, warmUp));
    }

    @Test
    void aFigureIsTheMedianOfTheForks() {
        latency(1, 100_000, 100, 5, 1, 10);
        latency(2, 100_000, 120, 5, 1, 10);
        latency(3, 100_000, 110, 5, 1, 10);

        assertThat(tables().latency())
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
        latency(1, served, 100, lag, drift, warmUp);

        assertThat(tables().latency()).contains("| memshard | " + row);
    }

    /** Good answers in each of six seconds, the last two of which are after the outage; and the seconds until whole. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    100 100  0  0  95 100; 0
                    100 100  0  0  94 300; 1
                    100 100  0  0 100  94; not in the measurement
                    100 100 80 99 100 100; 0
                    """)
    void aClientIsWholeAgainWhenNoLaterSecondIsBelow(String good, String whole) {
        outage(good, 10);

        assertThat(tables().outage())
                .contains("| stop | memshard | 64 | 100 | 33 % | 100 / 7 / 90 |")
                .contains("| 1.5 / 500 / 12,000 |")
                .contains(" | " + whole + " |  |\n");
    }

    @Test
    void figuresOfAnOutageAfterAShortWarmUpAreVoid() {
        outage("100 100 0 0 100 100", 9.9);

        assertThat(tables().outage()).contains("| 33 % | - | - | - | - | - | - | - | void: a warm-up below 10 s |\n");
    }

    private void outage(String good, double warmUp) {
        Map<String, Double> figures = new HashMap<>(Map.of(Clients.SHARE, 33.3, ForkProfiler.WARM_UP, warmUp));
        String[] seconds = good.split(" +");
        for (int second = 0; second < seconds.length; second++) {
            figures.put(BySecond.GOOD + BySecond.of(second), Double.valueOf(seconds[second]));
        }
        double[] goods = {100, 7, 90};
        double[] micros = {1_500, 500_000, 12_000_000};
        for (int part = 0; part < goods.length; part++) {
            figures.put(BySecond.GOOD + BySecond.PARTS.get(part), goods[part]);
            figures.put(BySecond.P99 + BySecond.PARTS.get(part), micros[part]);
        }
        fork(1, "threads=64,rate=100,outage=stop", Map.of(), figures);
    }
}
