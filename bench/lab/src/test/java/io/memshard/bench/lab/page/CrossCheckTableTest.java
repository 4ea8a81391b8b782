// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.lab.data.RunFacts;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.result.CsvRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CrossCheckTableTest {

    private static final Condition CONDITION = Condition.ofThreads(8).with("max", 20);

    private static void add(List<ForkResult> forks, String arm, double... cycles) {
        for (int block = 1; block <= cycles.length; block++) {
            forks.add(ForkResult.of(
                    new ForkKey("pool-cycle", Profile.CLOUD, block, arm, CONDITION, false),
                    Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, cycles[block - 1]),
                    Map.of(),
                    List.of((long) cycles[block - 1])));
        }
    }

    private static CsvRow jmh(String arm, String cycles) {
        return row(Map.of(
                "experiment",
                "pool-cycle",
                "arm",
                arm,
                "condition",
                CONDITION.label(),
                "cycles_per_second",
                cycles,
                "error",
                "20"));
    }

    private static CsvRow row(Map<String, String> values) {
        return new CsvRow(Path.of("jmh.csv"), values);
    }

    private static String table(List<CsvRow> rows) {
        List<ForkResult> forks = new ArrayList<>();
        add(forks, "pool", 100, 100, 100);
        add(forks, "array", 190, 200, 210);
        add(forks, "fair", 40, 50, 60);
        return CrossCheckTable.of(
                new LabData(new RunFacts(Map.of("profiles", "cloud physical")), forks, List.of(), List.of(), "hash"),
                rows);
    }

    @Test
    void bothRatiosStandSideBySideAndItSaysHowOftenTheyAgree() {
        assertThat(table(List.of(
                        jmh("pool", "1000"), jmh("array", "2000"), jmh("fair", "900"), jmh("not-in-the-lab", "1"))))
                .isEqualTo("""
                        | arm, times pool | lab | JMH | error of JMH (99.9 %) |
                        |---|--:|--:|--:|
                        | array | 2.00 (1.90 to 2.10, 3 blocks) | 2.00 | 1 % |
                        | fair | 0.50 (0.40 to 0.60, 3 blocks) | 0.90 | 2 % |

                        JMH's ratio is within the interval of the lab for 1 of 2 arms, \
                        and within its own error of that for 1. The correlation of the ranks is 1.00.
                        """);
    }

    @Test
    void aFileThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> table(List.of())).hasMessage("JMH's file has no rows");
        assertThatThrownBy(() -> table(List.of(jmh("pool", "1000"), jmh("other", "1"))))
                .hasMessage("no arm of JMH's file ran in the lab beside pool");
        assertThatThrownBy(() -> table(List.of(jmh("pool", "many"))))
                .hasMessage("cannot read jmh.csv: \"many\" is no value of \"cycles_per_second\"");
        assertThatThrownBy(() -> table(List.of(row(Map.of("experiment", "pool-cycle")))))
                .hasMessage("cannot read jmh.csv: there is no \"arm\"");
    }
}
