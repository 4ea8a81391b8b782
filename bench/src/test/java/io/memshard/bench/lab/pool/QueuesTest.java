// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.variant.ArmDriver;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class QueuesTest {

    private static final int THREADS = 16;
    private static final int CYCLES = 200;

    private static Stream<Arguments> queuesInEachPattern() {
        return new Queues()
                .armNames().stream()
                        .flatMap(name -> Stream.of("pool", "client-drain").map(pattern -> Arguments.of(name, pattern)));
    }

    /** A request that the queue loses fails the cycle of its caller. */
    @ParameterizedTest
    @MethodSource("queuesInEachPattern")
    void everyQueueLosesNothing(String name, String pattern) throws Exception {
        Map<String, Double> figures =
                ArmDriver.drive("queues", name, "threads=" + THREADS + ",pattern=" + pattern, CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0);
        assertThat(figures.getOrDefault("lost_uses", 0.0)).isZero();
    }
}
