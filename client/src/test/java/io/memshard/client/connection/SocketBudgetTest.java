// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many sockets a client opens to a server that fails, by a clock of the test. */
class SocketBudgetTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MINUTE = 60 * SECOND;

    private long now = Long.MAX_VALUE - SECOND; // As nanoTime may be: it runs over within the test.
    private final SocketBudget budget = new SocketBudget(Duration.ofSeconds(5), now);

    private int takeAll() {
        int taken = 0;
        while (budget.waitNanos(now) == 0) {
            budget.take(now);
            taken++;
        }
        return taken;
    }

    /** Each attempt takes as many sockets, as soon as it may. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "1, 5", "4, 1", "4, 5"})
    void serverGetsAtMostSixtySocketsInAnyMinute(int connections, int socketsOfAnAttempt) {
        budget.share(connections);
        Deque<Long> lastMinute = new ArrayDeque<>();
        for (long end = now + 10 * MINUTE; now - end < 0; now += budget.waitNanos(now)) {
            for (int i = 0; i < socketsOfAnAttempt; i++) {
                budget.take(now);
                lastMinute.add(now);
            }
            while (now - lastMinute.peek() >= MINUTE) {
                lastMinute.remove();
            }
            assertThat(lastMinute).hasSizeBetween(1, 64);
        }
        assertThat(lastMinute).hasSizeBetween(44, 53);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100, 2_048})
    void firstOpeningOfAllConnectionsIsNotDelayed(int connections) {
        budget.share(connections);
        assertThat(takeAll()).isEqualTo(connections + SocketBudget.SPARE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100, 2_048})
    void eachConnectionCanHaveAnAttemptWithinTheLongestDelay(int connections) {
        budget.share(connections);
        takeAll();
        now += 5 * SECOND;
        assertThat(takeAll()).isGreaterThanOrEqualTo(Math.min(connections, 4));
        assertThat(budget.waitNanos(now)).isLessThanOrEqualTo(1_250_000_000L); // by the clock of the test
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void missingSocketsAreMadeUpForWithinHalfAMinute(int connections) {
        budget.share(connections);
        for (int i = 0; i < 1_000; i++) {
            budget.take(now);
        }
        assertThat(budget.waitNanos(now)).isBetween(20 * SECOND, 30 * SECOND); // by its clock
    }
}
