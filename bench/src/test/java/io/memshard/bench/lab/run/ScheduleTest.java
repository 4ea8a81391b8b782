// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.Experiments;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.run.LabPlan.Schedule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleTest {

    private static final Experiment COUNTING = new Counting();

    @Test
    void everyBlockHasEveryCellAndTheBaselineTwice() {
        Schedule schedule = schedule(1);

        for (int block = 1; block <= 3; block++) {
            int wanted = block;
            List<ForkKey> forks = schedule.forks().stream()
                    .filter(fork -> fork.block() == wanted && !fork.profiled())
                    .toList();
            assertThat(forks)
                    .extracting(fork -> fork.arm() + " " + fork.condition().label())
                    .containsExactlyInAnyOrder(
                            "plain threads=1",
                            "plain threads=2",
                            "plain-again threads=1",
                            "plain-again threads=2",
                            "failing threads=1",
                            "failing threads=2");
        }
        assertThat(schedule.forks()).doesNotHaveDuplicates().hasSize(19);
        assertThat(schedule.forks().get(18).profiled()).isTrue();
    }

    @Test
    void eachBlockIsShuffledByTheSeed() {
        Schedule schedule = schedule(1);

        assertThat(schedule(1).forks()).isEqualTo(schedule.forks());
        assertThat(schedule(2).forks()).isNotEqualTo(schedule.forks());
        assertThat(labels(schedule, 1)).isNotEqualTo(labels(schedule, 2));
    }

    @Test
    void asideConditionsRunInSomeBlocksOnlyAndOnce() {
        Plan plan = COUNTING.plan(Size.FULL, Profile.CLOUD);
        Condition wide = Condition.ofThreads(9);
        Schedule schedule = Schedule.of(
                COUNTING,
                plan.withBlocks(7).withAside(Plan.cross(List.of(wide), List.of("plain", "failing")), 3),
                Profile.CLOUD,
                1);

        assertThat(schedule.forks().stream().filter(fork -> fork.condition().equals(wide)))
                .extracting(fork -> fork.block() + " " + fork.arm())
                .containsExactlyInAnyOrder("1 plain", "1 failing", "4 plain", "4 failing", "7 plain", "7 failing");
    }

    private static Schedule schedule(long seed) {
        return Schedule.of(COUNTING, COUNTING.plan(Size.FULL, Profile.CLOUD), Profile.CLOUD, seed);
    }

    private static List<String> labels(Schedule schedule, int block) {
        return schedule.forks().stream()
                .filter(fork -> fork.block() == block && !fork.profiled())
                .map(ForkKey::label)
                .toList();
    }

    /** Each arm of each plan can be found by its name, and no name is there twice. */
    @Test
    void everyPlanNamesExistingArms() {
        for (Experiment experiment : Experiments.ALL) {
            List<String> arms = experiment.arms().stream().map(Arm::name).toList();
            assertThat(arms).as(experiment.name()).doesNotHaveDuplicates();
            for (Size size : Size.values()) {
                for (Profile profile : Profile.values()) {
                    Schedule schedule = Schedule.of(experiment, experiment.plan(size, profile), profile, 1);
                    assertThat(schedule.forks())
                            .extracting(ForkKey::openedArm)
                            .as("%s, %s", experiment.name(), size)
                            .isSubsetOf(arms);
                    assertThat(schedule.forks()).doesNotHaveDuplicates();
                }
            }
        }
    }

    @Test
    void aQuickRunOfEverythingEndsWithinAQuarterOfAnHour() {
        LabPlan plan = new LabPlan(Experiments.ALL, Size.QUICK, List.of(Profile.CLOUD), "", 1, false, 0);

        assertThat(plan.length()).isLessThan(Duration.ofMinutes(15));
    }

    @Test
    void anotherPlanHasAnotherHash() {
        LabPlan plan = new LabPlan(List.of(COUNTING), Size.FULL, List.of(Profile.CLOUD), "", 1, false, 0);

        assertThat(plan.withSeed(1).hash()).isEqualTo(plan.hash());
        assertThat(plan.withSeed(2).hash()).isNotEqualTo(plan.hash());
    }

    @Test
    void clientAndServerAreApartWhereThereAreMoreThanTwoProcessors() {
        assertThat(Processors.of(Profile.CLOUD, true, List.of(0, 1)).label())
                .isEqualTo("client and server share CPUs 0,1, by processor affinity");
        assertThat(Processors.of(Profile.CLOUD, true, List.of(0, 1, 2, 3, 4, 5)).label())
                .isEqualTo("client on CPUs 1,2,3, server on 0, by processor affinity");
        assertThat(Processors.of(Profile.PHYSICAL, true, Processors.parse("0-15"))
                        .server())
                .containsExactly(0, 1, 2, 3);
        assertThat(Processors.of(Profile.PHYSICAL, false, Processors.parse("0-2,7"))
                        .client())
                .containsExactly(0, 1, 2, 7);
    }

    @Test
    void aBusyMachineIsDetected() {
        long[] start = {0, 0, 0, 0, 0, 0, 0, 0};

        assertThat(BusyCheck.reasons(0.2, 2, start, new long[] {5, 0, 5, 190, 0, 0, 0, 0}))
                .isEmpty();
        assertThat(BusyCheck.reasons(3, 2, start, new long[] {100, 0, 20, 60, 0, 0, 0, 20}))
                .containsExactly(
                        "load average 3.0 on 2 CPUs", "70 % of CPU time in use", "10 % of CPU time stolen by the host");
    }

    @Test
    void aRowThatWasUnderWayWhenARunStoppedIsDropped(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("forks.csv"), "a,b\n1,2\n3,");

        Blocks.dropTornRow(file);

        assertThat(file).hasContent("a,b\n1,2\n");
    }

    @Test
    void aConditionIsReadAsItIsWritten() {
        Condition condition = Condition.ofThreads(8).with("value", 1024).with("hold", "park-200us");

        assertThat(condition.label()).isEqualTo("threads=8,hold=park-200us,value=1024");
        assertThat(Condition.parse(condition.label())).isEqualTo(condition);
        assertThat(condition.with(Condition.ROUND_TRIP, "500us").roundTripMicros())
                .isEqualTo(500);
        assertThat(condition.roundTripMicros()).isZero();
    }
}
