// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.variant.ArmDriver;
import io.memshard.bench.lab.variant.IsolatedArm;
import io.memshard.bench.machine.Profile;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class PoolCycleTest {

    private static final int THREADS = 16;
    private static final int CYCLES = 500;

    private static Stream<String> arms() {
        return new PoolCycle().armNames().stream();
    }

    /** Half of the callers have to wait at any time. */
    @ParameterizedTest
    @MethodSource("arms")
    void everySystemGivesAnItemToOneCallerAtATimeAndLosesNone(String name) throws Exception {
        Map<String, Double> figures = IsolatedArm.run(
                "pool-cycle", new PoolCycle().arm(name), "threads=" + THREADS + ",max=8,hold=none", CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0)
                .containsEntry("items_made", 8.0);
        if (!name.startsWith("array")) {
            assertThat(figures).containsEntry("lost_uses", 0.0);
        }
    }

    /** With the libraries that this module is compiled against, wherever the tests run. */
    @Test
    void theAdaptersWorkOnTheClassPathOfTheBuild() throws Exception {
        List<Pool.Opener> openers = List.of(
                CommonsPool1::open,
                (max, items) -> PoolCycle.pool2(max, items, config -> {}),
                (max, items) -> PoolCycle.pool2(max, items, config -> config.setCollectDetailedStatistics(false)),
                (max, items) -> PoolCycle.pool2(max, items, config -> config.setFairness(true)),
                HikariBag::open,
                (max, items) -> Vibur.open(max, items, true),
                JdkPools::deque,
                (max, items) -> JdkPools.semaphore(max, items, true));
        for (Pool.Opener opener : openers) {
            try (OpenedArm arm =
                    PoolArm.open(opener, true, Condition.ofThreads(1).with(PoolArm.MAX, 3))) {
                OpenedArm.Cycle cycle = arm.cycle(0);
                for (int i = 0; i < 100; i++) {
                    cycle.run(i);
                }
                assertThat(arm.figures()).containsEntry("items_made", 3.0).containsEntry("lost_uses", 0.0);
            }
        }
    }

    @Test
    void aUseThatNoItemCountedIsFound() throws Exception {
        try (OpenedArm arm = PoolArm.open(
                (max, items) -> new UncountedPool(),
                true,
                Condition.ofThreads(1).with(PoolArm.MAX, 1))) {
            arm.cycle(0).run(0);

            assertThat(arm.figures()).containsEntry("lost_uses", 1.0);
        }
    }

    @Test
    void plansNameArmsThatThereAre() {
        List<String> names = new PoolCycle().armNames();
        for (Size size : Size.values()) {
            for (Profile profile : Profile.values()) {
                Plan plan = new PoolCycle().plan(size, profile);
                assertThat(names)
                        .containsAll(plan.cells().stream().map(Plan.Cell::arm).toList());
                assertThat(plan.cells()).doesNotHaveDuplicates();
            }
        }
    }

    /** Gives out items that are not those it was opened with. */
    private static final class UncountedPool implements Pool<PoolArm.Item> {

        @Override
        public PoolArm.Item borrow() {
            return new PoolArm.Item();
        }

        @Override
        public void giveBack(PoolArm.Item borrowed) {
            // It is gone.
        }
    }
}
