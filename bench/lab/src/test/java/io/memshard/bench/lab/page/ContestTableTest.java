// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.spring.SpringCache;
import io.memshard.bench.machine.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContestTableTest {

    private static ForkKey key(String arm, int block) {
        return new ForkKey("spring-cache", Profile.CLOUD, block, arm, Condition.ofThreads(1), false);
    }

    private static ForkResult fork(String arm, int block, double cycles) {
        return ForkResult.of(
                key(arm, block),
                Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, cycles, Measure.P50_US, 40.0),
                Map.of("round_trips", 1.0),
                List.of((long) cycles));
    }

    private static String table(double ofRedis) {
        List<ForkResult> forks = new ArrayList<>();
        for (int block = 1; block <= 2; block++) {
            forks.add(fork("memshard", block, 1000));
            forks.add(fork("spring-data-redis", block, ofRedis));
            forks.add(ForkResult.failed(key("sixhours", block), "no such jar"));
        }
        return ContestTable.of(
                new LabData(new RunFacts(Map.of("profiles", "cloud")), forks, List.of(), List.of(), "hash"),
                new SpringCache());
    }

    @Test
    void whatIsAheadStandsFirst() {
        assertThat(table(2000))
                .startsWith("Ahead of memshard:\n\n"
                        + "- spring-data-redis, threads=1: 2.00 (2.00 to 2.00) times memshard\n\n| condition |")
                .contains("| threads=1 | memshard | 1,000 | 1 | 40 |")
                .contains("| threads=1 | spring-data-redis | 2,000 | **2.00 (2.00 to 2.00)** | 40 |")
                .contains("| threads=1 | sixhours | did not run: no such jar |")
                .doesNotContain("threads=64");
    }

    @Test
    void ifNothingIsAheadItSaysSo() {
        assertThat(table(500)).startsWith("No arm is ahead of memshard anywhere.\n");
    }
}
