// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {

    @Test
    void waitsUntilItHolds() {
        AtomicInteger asked = new AtomicInteger();
        eventually("asked often", () -> asked.incrementAndGet() == 5);
        assertThat(asked).hasValue(5);
    }

    @Test
    void failsWithTheConditionThatDidNotHoldInTime() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> eventually("the end", Duration.ofMillis(5), () -> false))
                .withMessage("not true within PT0.005S: the end");
    }

    @Test
    void interruptEndsTheWaitAndTheFlagStaysSet() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> eventually("the end", () -> false))
                .withMessage("interrupted: the end");
        assertThat(Thread.interrupted()).isTrue();
    }
}
