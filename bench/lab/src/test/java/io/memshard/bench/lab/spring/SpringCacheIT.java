// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.server.BenchServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The arm of ours; the others need the jars of their variants, which {@code bench/run lab} fetches. */
@Tag("installed")
class SpringCacheIT {

    private static final int CYCLES = 50;

    @Test
    void everyCycleIsAHit() throws Exception {
        try (BenchServer server = BenchServer.find(null);
                OpenedArm arm = new CachedReads(
                        new Setup(Condition.ofThreads(1), Profile.CLOUD, server.address()), SpringCache::memshard)) {
            OpenedArm.Cycle cycle = arm.cycle(0);
            for (int i = 0; i < CYCLES; i++) {
                assertThat(cycle.run(i)).isNotNegative();
            }
            assertThat(arm.figures().get("round_trips")).isGreaterThanOrEqualTo(1);
        }
    }
}
