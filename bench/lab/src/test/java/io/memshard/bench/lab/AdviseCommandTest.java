// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.venus.Advice;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdviseCommandTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<ForkResult> data = new ArrayList<>();

    @Test
    void theWinnerIsTheArmThatIsFurthestAheadOfTheDefault() {
        arm(Advice.DEFAULT, 100);
        arm("sticky-4", 120);
        arm("sticky-8", 150);
        Advice all = new Advice(64, 1024, List.of(), 3, SECOND);

        assertThat(AdviseCommand.winner(all, forks())).isEqualTo("sticky-8");
    }

    @Test
    void aWinnerThatIsAheadAgainIsAdvised() {
        arm(Advice.DEFAULT, 100);
        arm("sticky-8", 150);

        assertThat(sentence("sticky-8"))
                .startsWith("Take blocking, connectionsPerServer(8), the chooser of the default: 1.50");
    }

    @Test
    void aWinnerThatIsNotAheadASecondTimeIsNoDifference() {
        arm(Advice.DEFAULT, 100);
        arm("sticky-8", 104);

        assertThat(sentence("sticky-8")).startsWith("No difference: keep the default.");
    }

    @Test
    void anAsynchronousArmHasAsManyGetsUnderWayAsTheThreadsOfTheDefault() {
        Advice all = new Advice(65, 1024, List.of(), 3, SECOND);

        assertThat(all.conditionOf("async-2").label()).isEqualTo("threads=2,in-flight=33,value=1024");
        assertThat(all.conditionOf("sticky-2").label()).isEqualTo("threads=65,value=1024");
        arm(Advice.DEFAULT, 100);
        arm("async-2", 150);
        assertThat(sentence("async-2")).startsWith("Take asynchronous (asyncClient()), connectionsPerServer(2): 1.50");
    }

    private String sentence(String winner) {
        return AdviseCommand.sentence(new Advice(64, 1024, List.of(winner), 5, SECOND), forks());
    }

    private Forks forks() {
        return new Forks(data, "advice", Profile.PHYSICAL);
    }

    private void arm(String name, double cycles) {
        Advice advice = new Advice(64, 1024, List.of(), 1, SECOND);
        for (int block = 1; block <= 5; block++) {
            ForkKey key = new ForkKey("advice", Profile.PHYSICAL, block, name, advice.conditionOf(name), false);
            data.add(ForkResult.of(
                    key, Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, cycles * block), Map.of(), List.of(1L)));
        }
    }
}
