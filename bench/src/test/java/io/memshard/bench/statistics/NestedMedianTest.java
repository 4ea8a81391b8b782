// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class NestedMedianTest {

    private static final Bootstrap BOOTSTRAP = new Bootstrap(200, 1);

    @Test
    void itIsTheMedianOverForksOfTheMediansOfTheirRounds() {
        Interval found = BOOTSTRAP.nestedMedian(
                List.of(new double[] {1, 2, 100}, new double[] {3, 3, 0.01}, new double[] {5, 5, 5}));

        assertThat(found.mid()).isCloseTo(3, within(1e-9));
        assertThat(found.low()).isLessThanOrEqualTo(2);
        assertThat(found.high()).isCloseTo(5, within(1e-9));
    }

    @Test
    void oneForkHasNoIntervalHoweverManyRounds() {
        Interval found = BOOTSTRAP.nestedMedian(List.of(new double[] {1, 2, 3, 4, 5, 6, 7}));

        assertThat(found.mid()).isCloseTo(4, within(1e-9));
        assertThat(found.isKnown()).isFalse();
    }

    @Test
    void theIntervalIsAsWideAsForksDifferThoughTheRoundsOfEachAgree() {
        Interval found =
                BOOTSTRAP.nestedMedian(List.of(new double[] {1, 1, 1}, new double[] {2, 2, 2}, new double[] {4, 4, 4}));

        assertThat(found.low()).isCloseTo(1, within(1e-9));
        assertThat(found.high()).isCloseTo(4, within(1e-9));
    }

    @Test
    void aFigureThatIsNotPositiveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BOOTSTRAP.nestedMedian(List.of(new double[] {1, 0})))
                .withMessageContaining("0.0");
        assertThatIllegalArgumentException().isThrownBy(() -> BOOTSTRAP.nestedMedian(List.of(new double[0])));
    }
}
