// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.ArmBenchmark;
import io.memshard.bench.lab.data.ForkFile;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.ArmsTest;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.run.Blocks;
import io.memshard.bench.lab.run.LabPlan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class SourceArmTest {

    private static final int THREADS = 16;

    /** In forks, because the Guava of BoneCP asks the class loader of the application, which has another version. */
    @Test
    void theBoneCpOfTheTableOpensAllConnections(@TempDir Path folder) {
        Arm arm = new DruidTable().arm("bonecp-0.7.1-as-in-2012");
        LabPlan plan = new LabPlan(List.of(new Table(arm)), Size.QUICK, List.of(Profile.CLOUD), "", 1, true, 0);
        new Blocks(plan, folder, ArmsTest.fetched(arm), ArmBenchmark.class, new PrintWriter(new StringWriter()))
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
