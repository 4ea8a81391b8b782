// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment.Size;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.variant.ArmDriver;
import io.memshard.bench.lab.variant.IsolatedArm;
import io.memshard.bench.machine.Profile;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class QueuesTest {

    private static final int THREADS = 16;
    private static final int CYCLES = 200;

    private static Stream<Arguments> usable() {
        return QueueKind.all().stream()
                .flatMap(kind -> Stream.of(QueueKind.Pattern.values())
                        .filter(pattern -> pattern.suits(kind))
                        .map(pattern -> Arguments.of(kind.name(), pattern)));
    }

    @ParameterizedTest
    @MethodSource("usable")
    void everyQueueLosesNothing(String name, QueueKind.Pattern pattern) throws Exception {
        Map<String, Double> figures = IsolatedArm.run(
                "queues", kind(name).arm(), "threads=" + THREADS + ",pattern=" + pattern.label(), CYCLES);

        assertThat(figures)
                .containsEntry(ArmDriver.DONE, (double) THREADS * CYCLES)
                .containsEntry(ArmDriver.FAILED, 0.0)
                .containsEntry("consumed", (double) THREADS * CYCLES)
                .containsEntry("lost", 0.0);
        assertThat(figures.getOrDefault("lost_uses", 0.0)).isZero();
    }

    @Test
    void aQueueForOneConsumerCannotServeAPool() {
        QueueKind kind = kind("jctools-mpsc-array");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> kind.open(Condition.ofThreads(2).with("pattern", "pool")))
                .withMessage("jctools-mpsc-array cannot be used as pool");
    }

    @Test
    void plansHaveNoPatternThatAQueueCannotServe() {
        for (Size size : Size.values()) {
            for (Plan.Cell cell : new Queues().plan(size, Profile.CLOUD).cells()) {
                QueueKind.Pattern pattern = QueueKind.Pattern.of(cell.condition());
                assertThat(pattern.suits(kind(cell.arm()))).as(cell.toString()).isTrue();
            }
        }
    }

    private static QueueKind kind(String name) {
        return QueueKind.all().stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
