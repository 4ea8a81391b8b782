// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge is judged: by arms that are equal, by effects that were planted, by a lock that was. */
class CalibrationTest {

    @Test
    void equalArmsAreSeldomToldApartAndLargeEffectsAreFound() {
        List<Calibration.Row> rows = Calibration.STANDARD.rows(1);

        Calibration.Row none = rows.get(0);
        assertThat(none.ahead() + none.behind())
                .as("false verdicts of 200 A/A pairs")
                .isLessThanOrEqualTo(0.05);
        assertThat(none.covered()).isGreaterThanOrEqualTo(0.9);
        assertThat(rows.get(1).behind())
                .as("an effect of 5 % in the wrong direction")
                .isLessThanOrEqualTo(0.01);
        assertThat(rows.get(3).effect()).isEqualTo(0.5);
        assertThat(rows.get(3).ahead()).as("an effect of 50 % found").isGreaterThanOrEqualTo(0.99);
        assertThat(rows).extracting(Calibration.Row::ahead).isSorted();
    }

    @Test
    void theSameSeedGivesTheSameTable() {
        Calibration small = new Calibration(10, 4, 0.2, 0.1, Calibration.STANDARD.margin());

        assertThat(Calibration.table(small.rows(5))).isEqualTo(Calibration.table(small.rows(5)));
    }

    @Test
    void aLockProfileFindsThePlantedLock() throws Exception {
        LockFinder.Answer answer = LockFinder.find();

        assertThat(answer.isFound()).as(answer.toString()).isTrue();
        assertThat(answer.millisPerSecond()).isPositive();
    }
}
