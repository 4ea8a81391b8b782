// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.ArmBenchmark;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.run.Blocks;
import io.memshard.bench.lab.run.LabPlan;
import io.memshard.bench.lab.variant.ArmDriver;
import io.memshard.bench.machine.Profile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class SourceArmTest {

    private static final int THREADS = 16;
    private static final int CYCLES = 100;

    private static Stream<String> table() {
        return new DruidTable().armNames().stream().filter(name -> !name.startsWith("bonecp"));
    }

    private static Stream<String> fairness() {
        return new DruidFairness().armNames().stream();
    }

    @ParameterizedTest
    @MethodSource("table")
    void everyPoolOfTheTableGivesAConnectionToOneCallerAtATime(String name) throws Exception {
        Map<String, Double> figures = ArmDriver.isolated(
                "druid-table",
                new DruidTable().arm(name),
                "threads=" + THREADS + ",body=select,hold=park-200us",
                CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0)
                .containsEntry("lost_uses", 0.0);
        assertThat(figures.get("physical_peak")).isBetween(1.0, 51.0);
    }

    @ParameterizedTest
    @MethodSource("fairness")
    void everyFairPoolKeepsItsMaximum(String name) throws Exception {
        Map<String, Double> figures = ArmDriver.isolated(
                "druid-fairness",
                new DruidFairness().arm(name),
                "threads=" + THREADS + ",max=4,hold=park-200us,body=select",
                CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry("lost_uses", 0.0);
        // IronJacamar may open one too many while it fills itself, and closes it when it comes back.
        assertThat(figures.get("physical_peak")).isBetween(1.0, name.startsWith("ironjacamar") ? 5.0 : 4.0);
    }

    /** In forks, because the Guava of BoneCP asks the class loader of the application, which has another version here. */
    @Test
    @Timeout(300)
    void theBoneCpOfTheTableOpensAllConnections(@TempDir Path folder) {
        Arm arm = new DruidTable().arm("bonecp-0.7.1-as-in-2012");
        LabPlan plan = new LabPlan(List.of(new Table(arm)), Size.QUICK, List.of(Profile.CLOUD), "", 1, true, 0);
        new Blocks(plan, folder, ArmDriver.fetched(arm), ArmBenchmark.class, new PrintWriter(new StringWriter()))
                .run("bench/run lab", "claims");

        assertThat(ForkFile.read(folder.resolve(ForkFile.NAME))).isNotEmpty().allSatisfy(fork -> {
            assertThat(fork.failure()).isEmpty();
            assertThat(fork.figures()).containsEntry("lost_uses", 0.0).containsEntry("physical_peak", 50.0);
        });
    }

    /** Table of which one arm runs. */
    private static final class Table extends Experiment {

        private final Arm only;

        Table(Arm only) {
            super("druid-table", "connection got and closed");
            this.only = only;
        }

        @Override
        public List<Arm> arms() {
            return List.of(only);
        }

        @Override
        public Plan plan(Size size, Profile profile) {
            Condition condition = Condition.ofThreads(THREADS).with(SourceArm.BODY, SourceArm.SELECT);
            return Plan.quick(Plan.cross(List.of(condition), armNames()));
        }
    }
}
