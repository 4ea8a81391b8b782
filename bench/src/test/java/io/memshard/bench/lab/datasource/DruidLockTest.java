// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.experiment.ArmsTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads by reflection whether the lock of Druid 1.1.20 is fair after each order of its setters. */
@Timeout(60)
class DruidLockTest {

    @ParameterizedTest
    @CsvSource({
        "druid-1.1.20, 0",
        "druid-1.1.20-max-wait, 1",
        "druid-1.1.20-max-wait-then-unfair, 0",
        "druid-1.1.20-unfair-then-max-wait, 1"
    })
    void maxWaitMakesTheLockFairUnlessUnfairIsSetAfterIt(String arm, double fair) throws Exception {
        assertThat(ArmsTest.isolated("druid-fairness", arm, "threads=1,max=1,hold=none", 1))
                .containsEntry("lock_is_fair", fair);
    }
}
