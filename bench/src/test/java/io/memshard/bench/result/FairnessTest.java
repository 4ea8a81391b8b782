// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.result.SliceResult.Fairness;
import org.junit.jupiter.api.Test;

class FairnessTest {

    @Test
    void theIndexIsOneForEqualsAndOneByTheirNumberIfOneHasAll() {
        assertThat(Fairness.of(7, 7, 7)).isEqualTo(new Fairness(1, 7, 7));
        assertThat(Fairness.of(0, 12, 0, 0)).isEqualTo(new Fairness(0.25, 0, 12));
    }
}
