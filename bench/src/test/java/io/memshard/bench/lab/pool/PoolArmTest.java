// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolArmTest {

    @Test
    void aUseThatNoItemCountedIsFound() throws Exception {
        Pool<Item> others = Pool.of(Item::new, item -> {}, () -> {});
        try (OpenedArm arm = Item.arm(others, List.of(), Condition.ofThreads(1))) {
            arm.cycle(0).run(0);

            assertThat(arm.figures()).containsEntry("lost_uses", 1.0);
        }
    }
}
