// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.result.ComparisonResult;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.Environment;
import io.memshard.bench.result.SliceResult;
import io.memshard.bench.result.SliceResult.Fairness;
import io.memshard.bench.result.SliceResult.Latency;
import io.memshard.bench.result.SliceResult.Readings;
import io.memshard.bench.result.SliceResult.Scheduling;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockPlanTest {

    @Test
    void planOfAComparisonTakesWhoAndWhatTookPart() {
        LockPlan plan = LockPlan.explaining(
                comparison(
                        Condition.Callers.BLOCKING,
                        "connection",
                        "connection-again",
                        "template",
                        "spymemcached-array-round-robin"),
                true);

        assertThat(plan.contenders())
                .containsExactlyInAnyOrder(
                        ContenderKind.TEMPLATE, ContenderKind.CONNECTION, ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN);
        assertThat(plan.threads()).containsExactly(64);
        assertThat(plan.poolSize()).isEqualTo(100);
        assertThat(plan.profiles()).isEqualTo(3);
    }

    @Test
    void comparisonOfAsynchronousCallersHasNoLockProfiles() {
        assertThat(LockPlan.explaining(comparison(Condition.Callers.ASYNC, "connection"), true)
                        .profiles())
                .isZero();
    }

    @Test
    void standardPlanHasTheModesOfTheArticleAndOurs() {
        assertThat(LockPlan.standard(true, 20).contenders())
                .extracting(ContenderKind::label)
                .contains("template", "connection", "memshard-single", "memshard-round-robin", "memshard-sticky")
                .doesNotContain("folsom");
    }

    private static ComparisonResult comparison(Condition.Callers callers, String... contenders) {
        Condition condition = new Condition(64, 500, Condition.Load.GET, callers, 1);
        return new ComparisonResult(
                new Environment(Instant.EPOCH, 2, "", "", "", List.of(), "", "", "", null, 0, 0, null, false, ""),
                new ComparisonResult.Plan("physical", 100, 1, 9, 1000, 1000, 1, List.of(contenders), ""),
                Arrays.stream(contenders)
                        .map(name -> new SliceResult(
                                condition,
                                1,
                                1,
                                1,
                                name,
                                4,
                                1,
                                1,
                                0,
                                0,
                                0,
                                1,
                                new Latency(1, 1, 1, 1),
                                Fairness.UNKNOWN,
                                new Readings(1, 1, 1, 1, 0, Scheduling.UNKNOWN)))
                        .toList());
    }
}
