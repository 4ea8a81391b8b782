// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomFaultsTest {

    @Test
    void faultsComeByTheirWeightUntilItIsOver() throws InterruptedException {
        List<String> caused = new ArrayList<>();
        RandomFaults faults = new RandomFaults(7, Duration.ofMillis(1))
                .with(1, random -> caused.add("seldom"))
                .with(9, random -> caused.add("often"));

        assertThat(faults.causeUntil(() -> caused.size() == 200)).isEqualTo(200);
        assertThat(caused).contains("seldom");
        assertThat(caused).filteredOn("often"::equals).hasSizeGreaterThan(100);
    }

    @Test
    void keyThatIsGivenUpHasAnotherNameAndNoValue() {
        SoakKey key = SoakKey.of(2).get(1);
        String before = key.text();
        key.wrote("value");
        assertThat(key.last()).isEqualTo("value");

        key.giveUp();

        assertThat(key.text()).isNotEqualTo(before).startsWith("key1-");
        assertThat(key.last()).isNull();
    }
}
