// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NaturalOrderTest {

    @Test
    void numbersCountAsNumbers() {
        List<String> ordered = List.of(
                "10.example:1",
                "cache",
                "cache-0.example:9",
                "cache-0.example:10",
                "cache-2.example:1",
                "cache-10.example:1",
                "cache-010.example:1",
                "cache-99999999999999999999999.example:1",
                "other");
        List<String> shuffled = new ArrayList<>(ordered);
        Random random = new Random(1);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(shuffled, random);
            shuffled.sort(NaturalOrder.OF_NAMES);
            assertThat(shuffled).containsExactlyInAnyOrderElementsOf(ordered);
            assertThat(shuffled.indexOf("cache-2.example:1")).isLessThan(shuffled.indexOf("cache-10.example:1"));
            assertThat(shuffled.indexOf("cache-0.example:9")).isLessThan(shuffled.indexOf("cache-0.example:10"));
            assertThat(shuffled.get(shuffled.size() - 1)).isEqualTo("other");
        }
    }

    @Test
    void differentNamesAreNeverEqual() {
        assertThat(NaturalOrder.OF_NAMES.compare("a-1", "a-01")).isNotZero();
        assertThat(NaturalOrder.OF_NAMES.compare("a-1", "a-1")).isZero();
    }
}
