// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    /** Draws the most that it is allowed to. */
    private static final RandomGenerator LONGEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    @Test
    void longestWaitDoublesUpToTheLimit() {
        Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));
        long[] millis = {50, 100, 200, 400, 800, 1600, 3200, 5000, 5000};

        for (int failures = 0; failures < millis.length; failures++) {
            assertThat(backoff.delayNanos(failures, LONGEST)).isEqualTo(millis[failures] * 1_000_000);
        }
    }

    @Test
    void waitIsNeverLostToAnOverflow() {
        Backoff backoff = new Backoff(Duration.ofHours(5), Duration.ofHours(6));

        for (int failures : new int[] {1, 19, 20, 21, 62, 63, 64, 1_000, Integer.MAX_VALUE}) {
            assertThat(backoff.delayNanos(failures, LONGEST))
                    .isEqualTo(Duration.ofHours(6).toNanos());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT577H"})
    void waitThatCannotBeIsRefused(Duration wait) {
        Duration good = Duration.ofSeconds(1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(wait, good))
                .withMessageStartingWith("base is " + wait);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(good, wait))
                .withMessageStartingWith("limit is " + wait);
    }
}
