// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ForkProfilerTest {

    @Test
    void bytesOfAThreadThatBeganCountAndThoseOfAThreadThatEndedDoNot() {
        Map<Long, Long> before = Map.of(1L, 100L, 2L, 5000L);
        Map<Long, Long> after = Map.of(1L, 160L, 3L, 7L);

        assertThat(ForkProfiler.growth(before, after)).isEqualTo(67);
    }
}
