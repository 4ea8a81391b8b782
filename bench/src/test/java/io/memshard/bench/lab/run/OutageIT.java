// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.lab.ArmBenchmark;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.experiment.Variants;
import io.memshard.bench.result.BenchException;
import io.memshard.testkit.Program;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
@Tag("installed")
class OutageIT {

    private static final Condition CALLERS = Condition.ofThreads(4).with(Condition.RATE, 200);
    private static final Processors ANY = new Processors(List.of(), List.of());

    @TempDir
    private Path folder;

    @BeforeEach
    void findMemcached() {
        Program.MEMCACHED.need();
    }

    @ParameterizedTest
    @ValueSource(strings = {Condition.STOP, Condition.KILL})
    @Tag("deep")
    void callsFailOnlyFromTheOutageOn(String kind) {
        List<ContenderKind> kinds = List.of(ContenderKind.MEMSHARD);
        Condition condition = CALLERS.with(Condition.OUTAGE, kind);
        Plan plan = Plan.of(
                Plan.cross(List.of(condition), List.of("memshard")), 1, Duration.ofSeconds(2), Duration.ofSeconds(6));
        LabPlan lab =
                new LabPlan(List.of(new Clients(kinds, plan, "")), Size.QUICK, List.of(Profile.CLOUD), "", 1, true, 0);

        new Blocks(lab, folder, new Variants(folder), ArmBenchmark.class, new PrintWriter(Writer.nullWriter()))
                .run("bench/run outage", "none");

        List<ForkResult> forks = ForkFile.read(folder.resolve(ForkFile.NAME));
        assertThat(forks).hasSizeGreaterThanOrEqualTo(2).allSatisfy(fork -> {
            assertThat(fork.failure()).isEmpty();
            assertThat(fork.figures().get(Clients.SHARE)).isBetween(1.0, 99.0);
            assertThat(fork.figures().get("good_before")).isPositive();
            assertThat(fork.figures().get("failed_during")).isPositive();
            assertThat(fork.figures().get("missed_before")).isZero();
        });
    }

    @Test
    void anOutageThatIsCutShortFailsAndLeavesNoProcess() throws Exception {
        Condition condition = CALLERS.with(Condition.OUTAGE, Condition.STOP);
        long before = children();
        Outage outage = new Outage(condition, Duration.ofMinutes(1), ANY);
        assertThat(children()).isGreaterThanOrEqualTo(before + 3);
        outage.close();
        assertThat(children()).isEqualTo(before);

        Outage begun = new Outage(condition, Duration.ofMinutes(1), ANY);
        Outage.begin(begun.address());
        eventually("begun", begun::hasBegun);
        assertThatThrownBy(begun::close)
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("the measurement ended before the outage");
        assertThat(children()).isEqualTo(before);
    }

    private static long children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    }
}
