// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.data.ForkResult.ForkKey;
import io.memshard.bench.lab.data.Measure;
import io.memshard.bench.machine.Profile;
import io.memshard.bench.statistics.Margin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlantedVerdictsTest {

    private final List<ForkResult> data = new ArrayList<>();

    @Test
    void eachPairIsJudgedByItsOwnBlocks() {
        for (int block = 1; block <= 6; block++) {
            fork(block, Planted.BASE, 100);
            // The second pair is 50 % ahead where the first is equal.
            fork(block, Planted.arm(0.0), block <= 3 ? 100 : 150);
            fork(block, Planted.arm(0.5), 150);
        }

        List<Calibration.Row> rows = Planted.rows(data, Profile.CLOUD, 3, new Margin(0.05));

        assertThat(rows.get(0)).isEqualTo(new Calibration.Row(0, 0.5, 0, 0.5, 0.5));
        assertThat(rows.get(3).ahead()).isEqualTo(1);
    }

    @Test
    void aPairThatWasNotMeasuredWholeDoesNotCount() {
        for (int block = 1; block <= 6; block++) {
            fork(block, Planted.BASE, 100);
            if (block != 5) {
                fork(block, Planted.arm(0.0), 100);
            }
        }

        assertThat(Planted.rows(data, Profile.CLOUD, 3, new Margin(0.05)).get(0).equal())
                .isEqualTo(1);
    }

    private void fork(int block, String arm, double cycles) {
        ForkKey key = new ForkKey("planted", Profile.CLOUD, block, arm, Planted.CONDITION, false);
        data.add(ForkResult.of(key, Map.of(Measure.SECONDS, 1.0, Measure.CYCLES, cycles), Map.of(), List.of(1L)));
    }
}
