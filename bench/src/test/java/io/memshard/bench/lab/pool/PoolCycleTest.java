// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.variant.ArmDriver;
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
        Map<String, Double> figures =
                ArmDriver.drive("pool-cycle", name, "threads=" + THREADS + ",max=8,hold=none", CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0);
        if (!name.startsWith("array")) {
            assertThat(figures).containsEntry("lost_uses", 0.0);
        }
    }

    @Test
    void aUseThatNoItemCountedIsFound() throws Exception {
        Pool<Item> others = Pool.of(Item::new, item -> {}, () -> {});
        try (OpenedArm arm = Item.arm(others, List.of(), Condition.ofThreads(1))) {
            arm.cycle(0).run(0);

            assertThat(arm.figures()).containsEntry("lost_uses", 1.0);
        }
    }
}
