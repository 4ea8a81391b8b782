// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.bench.lab.data.ForkResult;
import io.memshard.bench.lab.experiment.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        Calibration small = new Calibration(10, 4, ForkNoise.normal(0.2, 0.1), Calibration.STANDARD.margin());

        assertThat(Calibration.table(small.rows(5))).isEqualTo(Calibration.table(small.rows(5)));
    }

    /** Forks in two modes, by a factor of 2 apart, as a connection with 8 callers has them. */
    @Test
    void noiseOfForksKeepsItsModes() {
        List<ForkResult> forks = new ArrayList<>();
        for (int block = 1; block <= 10; block++) {
            for (String arm : List.of("one", "two")) {
                boolean isFast = (block + arm.length() + arm.charAt(0)) % 2 == 0;
                forks.add(Runs.fork(block, arm, Condition.ofThreads(8), isFast ? 200 : 100));
            }
        }
        ForkNoise noise = ForkNoise.of(forks);

        SplittableRandom random = new SplittableRandom(1);
        ToDoubleFunction<SplittableRandom> cell = noise.cell().apply(random);
        assertThat(IntStream.range(0, 1_000).mapToDouble(i -> cell.applyAsDouble(random)))
                .allSatisfy(factor -> assertThat(Math.abs(Math.log(factor))).isBetween(0.3, 0.4));
        List<Calibration.Row> rows = new Calibration(100, 10, noise, Calibration.STANDARD.margin()).rows(1);
        assertThat(rows.get(0).covered()).isGreaterThanOrEqualTo(0.85);
        assertThat(rows.get(0).ahead() + rows.get(0).behind()).isLessThanOrEqualTo(0.15);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ForkNoise.of(forks.subList(0, 8)))
                .withMessage("no arm has 5 forks under one condition");
    }

    @Test
    @Tag("deep")
    @Timeout(120)
    void aLockProfileFindsThePlantedLock() throws Exception {
        LockFinder.Answer answer;
        do { // A busy machine may give the callers no processor in one profile.
            answer = LockFinder.find();
        } while (!answer.isFound());

        assertThat(answer.millisPerSecond()).isPositive();
    }
}
