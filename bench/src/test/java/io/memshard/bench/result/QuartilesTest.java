// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class QuartilesTest {

    @Test
    void quartilesOfAnOddSampleAreElementsOfIt() {
        assertThat(Quartiles.of(5, 1, 4, 2, 3)).isEqualTo(new Quartiles(2, 3, 4));
    }

    @Test
    void quartilesOfAnEvenSampleLieBetweenElements() {
        assertThat(Quartiles.of(4, 3, 2, 1)).isEqualTo(new Quartiles(1.75, 2.5, 3.25));
    }

    @Test
    void quartilesOfOneAreThatOne() {
        assertThat(Quartiles.of(7)).isEqualTo(new Quartiles(7, 7, 7));
    }

    @Test
    void oneDisturbedRoundDoesNotMoveTheMedian() {
        assertThat(Quartiles.of(1, 2, 3, 4, 1e9).median()).isEqualTo(3);
    }

    @Test
    void theSampleIsLeftAsItIs() {
        double[] sample = {3, 1, 2};
        Quartiles.of(sample);

        assertThat(sample).containsExactly(3, 1, 2);
    }

    @Test
    void anEmptySampleIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(Quartiles::of);
    }
}
