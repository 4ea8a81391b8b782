// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.options.ConnectionOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many sockets the connections to a server may open, by a clock of the test. */
class SocketBudgetTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long now = Long.MAX_VALUE - SECOND; // As nanoTime may be: it runs over within the test.
    private final SocketBudget budget = new SocketBudget(ConnectionOptions.DEFAULTS.longestReconnectDelay(), now);

    /** Takes what is there, and returns how much that was. */
    private int takeAll() {
        int taken = 0;
        while (budget.waitNanos(now) == 0) {
            budget.take(now);
            taken++;
        }
        return taken;
    }

    private void share(int connections) {
        for (int i = 1; i <= connections; i++) {
            budget.share(i, now);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100, 2_048})
    void firstOpeningOfAllConnectionsIsNotHeldUp(int connections) {
        share(connections);
        assertThat(takeAll()).isEqualTo(connections + SocketBudget.SPARE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 100, 2_048})
    void eachConnectionCanHaveAnAttemptWithinTheLongestDelay(int connections) {
        share(connections);
        takeAll();
        now += 5 * SECOND;
        assertThat(takeAll()).isGreaterThanOrEqualTo(Math.min(connections, 4));
        assertThat(budget.waitNanos(now)).isLessThanOrEqualTo(1_250_000_000L); // by the clock of the test
    }

    /** Each with a budget of its own would open four times as many. */
    @Test
    void fourConnectionsGetTogetherWhatOneWouldGet() {
        share(4);
        int taken = 0;
        long end = now + 60 * SECOND;
        while (now - end < 0) {
            taken += takeAll();
            now += SECOND / 20;
        }
        assertThat(taken).isBetween(48, 60); // sockets
    }

    @Test
    void debtOfManyConnectionsIsPaidWithinTheLongestDelay() {
        share(1_000);
        for (int i = 0; i < 10_000; i++) {
            budget.take(now);
        }
        assertThat(budget.waitNanos(now)).isLessThanOrEqualTo(5 * SECOND + SECOND / 100); // by the clock of the test
    }

    /** Each attempt takes five sockets, and all begin as soon as one is left. */
    @Test
    void aServerThatHangsUpSeesAtMostFiveTimesThePace() {
        int connections = 32;
        share(connections);
        int sockets = 0;
        long end = now + 60 * SECOND;
        while (now - end < 0) {
            for (int i = 0; i < 5 * connections; i++) {
                budget.take(now);
                sockets++;
            }
            now += budget.waitNanos(now);
        }
        int atThePace = (int) (60 * SECOND / SocketBudget.paceNanos(connections, 5 * SECOND));
        assertThat(sockets).isBetween(4 * atThePace, 5 * atThePace + 5 * SocketBudget.burst(connections));
    }

    @Test
    void connectionsThatLeaveTakeTheirShareWithThem() {
        share(10);
        budget.share(1, now);
        assertThat(takeAll()).isEqualTo(SocketBudget.burst(1));
    }
}
