// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.run.BySecond;
import io.memshard.bench.lab.run.BySecond.Part;
import io.memshard.bench.lab.run.ForkProfiler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutageTableTest {

    /** Good answers in each of six seconds, the last two of which are after the outage; and the seconds until whole. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    100 100  0  0  95 100; 0
                    100 100  0  0  94 300; 1
                    100 100  0  0 100  94; not in the measurement
                    100 100 80 99 100 100; 0
                    """)
    void aClientIsWholeAgainWhenNoLaterSecondIsBelow(String good, String whole) {
        assertThat(table(good, 10))
                .contains("| stop | folsom | 64 | 100 | 33 % | 100 / 7 / 90 |")
                .contains("| 1.5 / 500 / 12,000 |")
                .contains(" | " + whole + " |  |\n");
    }

    @Test
    void figuresAfterAShortWarmUpAreVoid() {
        assertThat(table("100 100  0  0 100 100", 9.9))
                .contains("| 33 % | - | - | - | - | - | - | - | void: a warm-up below 10 s |\n");
    }

    private static String table(String good, double warmUp) {
        Map<String, Double> figures = new HashMap<>(Map.of(Clients.SHARE, 33.3, ForkProfiler.WARM_UP, warmUp));
        String[] seconds = good.split(" +");
        for (int second = 0; second < seconds.length; second++) {
            figures.put(BySecond.name(BySecond.GOOD, second), Double.valueOf(seconds[second]));
        }
        double[] goods = {100, 7, 90};
        double[] micros = {1_500, 500_000, 12_000_000};
        for (Part part : Part.values()) {
            figures.put(BySecond.name(BySecond.GOOD, part), goods[part.ordinal()]);
            figures.put(BySecond.name(BySecond.P99, part), micros[part.ordinal()]);
        }
        Condition condition = Condition.ofThreads(64).with(Condition.RATE, 100).with(Condition.OUTAGE, Condition.STOP);
        ForkKey key = new ForkKey(Clients.NAME, Profile.CLOUD, 1, "folsom", condition, false);
        ForkResult fork = ForkResult.of(key, Map.of(), figures, List.of());
        return OutageTable.of(
                new LabData(new RunFacts(Map.of("profiles", "cloud")), List.of(fork), List.of(), List.of(), "hash"));
    }
}
