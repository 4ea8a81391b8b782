// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.server.BenchServer;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

// Closing an arm may throw anything.
@Tag("installed")
class VenusIT {

    private static BenchServer server;

    @BeforeAll
    static void findServer() {
        server = BenchServer.find(null);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void everyArmGetsTheRightValues() throws Exception {
        for (Arm arm : new Venus().arms()) {
            try (OpenedArm opened = open(arm, 10)) {
                OpenedArm.Cycle first = opened.cycle(0);
                OpenedArm.Cycle second = opened.cycle(1);
                for (int i = 0; i < 20; i++) {
                    assertThat(first.run(i)).as(arm.name()).isEqualTo(10);
                    assertThat(second.run(i)).as(arm.name()).isEqualTo(10);
                }
            }
        }
    }

    @Test
    void anInjectedLockIsTakenTwiceAGet() throws Exception {
        try (OpenedArm opened = open(new Venus().arm("pool-lock-20us"), 1024)) {
            OpenedArm.Cycle cycle = opened.cycle(0);
            for (int i = 0; i < 50; i++) {
                cycle.run(i);
            }
            assertThat(opened.figures())
                    .containsEntry("injected_acquisitions", 100.0)
                    .hasEntrySatisfying(
                            "injected_hold_us", micros -> assertThat(micros).isGreaterThanOrEqualTo(20));
        }
    }

    @Test
    void aPoolThatKeepsAllClientsOpensNoneAnew() throws Exception {
        try (OpenedArm opened = open(new Venus().arm("pool"), 1024)) {
            OpenedArm.Cycle cycle = opened.cycle(0);
            for (int i = 0; i < 50; i++) {
                cycle.run(i);
            }
            assertThat(opened.figures()).containsEntry("clients_opened", 20.0);
        }
    }

    private OpenedArm open(Arm arm, int bytes) throws Exception {
        Condition condition = Condition.ofThreads(2).with(Keys.VALUE, bytes);
        return Objects.requireNonNull(arm.opener().open(new Setup(condition, Profile.CLOUD, server.address())));
    }
}
