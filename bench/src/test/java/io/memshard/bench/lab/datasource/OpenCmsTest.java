// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.variant.ArmDriver;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class OpenCmsTest {

    private static final int THREADS = 12;
    private static final int READS = 20;

    private static Stream<String> arms() {
        return new OpenCms().armNames().stream();
    }

    @ParameterizedTest
    @MethodSource("arms")
    void everyReadAsksOnceAndEveryCallerHasAConnection(String name) throws Exception {
        Map<String, Double> figures = ArmDriver.isolated(
                "opencms", new OpenCms().arm(name), "threads=" + THREADS + ",hold=park-100us", READS);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * READS)
                .containsEntry(ArmDriver.FAILED, 0.0)
                .containsEntry("lost_uses", 0.0)
                .containsEntry("physical_peak", (double) THREADS);
        assertThat(figures.get("hold_us")).isGreaterThanOrEqualTo(100);
    }
}
