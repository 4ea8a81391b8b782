// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ServerLadder;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

// Closing an arm may throw anything.
@Tag("installed")
class VenusIT {

    private static MemcachedServer server;

    @BeforeAll
    static void findServer() {
        server = ServerLadder.find().server();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void everyArmGetsTheRightValues() throws Exception {
        for (Arm arm : new Venus().arms()) {
            try (OpenedArm opened = open(arm)) {
                OpenedArm.Cycle first = opened.cycle(0);
                OpenedArm.Cycle second = opened.cycle(1);
                for (int i = 0; i < 20; i++) {
                    assertThat(first.run(i)).as(arm.name()).isEqualTo(100);
                    assertThat(second.run(i)).as(arm.name()).isEqualTo(100);
                }
            }
        }
    }

    private OpenedArm open(Arm arm) throws Exception {
        Condition condition = Condition.ofThreads(2).with(Clients.VALUE, 100);
        return Objects.requireNonNull(
                arm.opener().open(new Setup(condition, Profile.CLOUD, List.of(server.address()))));
    }
}
