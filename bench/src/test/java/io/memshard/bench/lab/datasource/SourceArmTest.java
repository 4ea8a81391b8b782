// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.variant.ArmDriver;
import io.memshard.bench.lab.variant.IsolatedArm;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class SourceArmTest {

    private static final int THREADS = 16;
    private static final int CYCLES = 100;

    private static Stream<String> table() {
        return new DruidTable().armNames().stream();
    }

    private static Stream<String> fairness() {
        return new DruidFairness().armNames().stream();
    }

    @ParameterizedTest
    @MethodSource("table")
    void everyPoolOfTheTableGivesAConnectionToOneCallerAtATime(String name) throws Exception {
        Map<String, Double> figures = IsolatedArm.run(
                "druid-table",
                new DruidTable().arm(name),
                "threads=" + THREADS + ",body=select,hold=park-200us",
                CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0)
                .containsEntry("lost_uses", 0.0);
        assertThat(figures.get("physical_peak")).isBetween(1.0, 51.0);
    }

    @ParameterizedTest
    @MethodSource("fairness")
    void everyFairPoolKeepsItsMaximum(String name) throws Exception {
        Map<String, Double> figures = IsolatedArm.run(
                "druid-fairness",
                new DruidFairness().arm(name),
                "threads=" + THREADS + ",max=4,hold=park-200us,body=select",
                CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry("lost_uses", 0.0);
        // IronJacamar may open one too many while it fills itself, and closes it when it comes back.
        assertThat(figures.get("physical_peak")).isBetween(1.0, name.startsWith("ironjacamar") ? 5.0 : 4.0);
    }
}
