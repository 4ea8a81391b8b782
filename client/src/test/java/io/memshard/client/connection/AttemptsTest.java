// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.concurrent.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How often a connection tries to connect, and how many sockets it may open, by a clock of the test. */
class AttemptsTest {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));
    private static final IOException CAUSE = new IOException("of the test");
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Random random = new Random(7);
    private long now = Long.MAX_VALUE - SECOND; // As nanoTime may be: it runs over within the test.
    private final SocketBudget budget = new SocketBudget(BACKOFF.limit(), now);
    private final Attempts attempts = new Attempts(BACKOFF, budget, random);

    /** What a server does to each attempt, and what that costs. */
    private enum Server {
        REFUSES(1, false, 0, 0),
        HANGS_UP(2, false, 0, 0),
        HANGS_UP_ON_MN(5, false, 0, 0),
        GREETS_AND_CLOSES(1, true, 0, 0),
        ANSWERS_ONE_COMMAND_AND_CLOSES(1, true, 1, 0),
        IS_DETECTED_AND_CLOSES(5, true, 0, 0),
        IS_DETECTED_ANSWERS_AND_CLOSES(5, true, 3, 0),
        CLOSES_WHEN_IDLE_FOR_A_SECOND(1, true, 0, SECOND),
        CLOSES_WHEN_IDLE_FOR_TWO_SECONDS(1, true, 0, 2 * SECOND);

        private final int sockets;
        private final boolean greets;
        private final int answers;
        private final long livesNanos;

        Server(int sockets, boolean greets, int answers, long livesNanos) {
            this.sockets = sockets;
            this.greets = greets;
            this.answers = answers;
            this.livesNanos = livesNanos;
        }
    }

    /** Plays an attempt, and returns how long to wait for the next. */
    private long attempt(Server server) {
        for (int i = 0; i < server.sockets; i++) {
            budget.take(now);
        }
        if (!server.greets) {
            return attempts.delayNanos(CAUSE, now);
        }
        attempts.linkReady(1, now);
        now += server.livesNanos;
        return attempts.hasServed(1 + server.answers, now) && attempts.mayStart(now)
                ? 0
                : attempts.delayNanos(CAUSE, now);
    }

    @ParameterizedTest
    @EnumSource
    void serverGetsAtMostSixtySocketsInAnyMinuteAndFewerOnAverage(Server server) {
        long start = now;
        Deque<Long> lastMinute = new ArrayDeque<>();
        long sockets = 0;
        while (now - start < 60 * MINUTE) {
            long opened = now;
            now += attempt(server);
            for (int i = 0; i < server.sockets; i++) {
                lastMinute.add(opened);
            }
            sockets += server.sockets;
            while (opened - lastMinute.peek() >= MINUTE) {
                lastMinute.remove();
            }
            assertThat(lastMinute).hasSizeLessThanOrEqualTo(60);
        }
        assertThat(sockets).isBetween(60L * 10, 60L * 50);
    }

    /** After five sockets there are four to be made up for. */
    @ParameterizedTest
    @CsvSource({"REFUSES, 5", "HANGS_UP_ON_MN, 7"})
    void serverIsAskedAgainWithinSeconds(Server server, int seconds) {
        for (int i = 0; i < 1_000; i++) {
            long delay = attempt(server);
            assertThat(delay).isLessThanOrEqualTo(seconds * SECOND); // by the clock of the test
            now += delay;
        }
    }

    @Test
    void lossOfALinkThatHasServedIsFollowedByAQuickAttempt() {
        for (int i = 0; i < 20; i++) {
            now += attempt(Server.GREETS_AND_CLOSES);
        }
        now += MINUTE;
        attempts.linkReady(1, now);
        assertThat(attempts.hasServed(2, now)).isTrue();

        assertThat(attempts.delayNanos(CAUSE, now))
                .isLessThanOrEqualTo(BACKOFF.base().toNanos());
    }

    @Test
    void lossOfALinkThatHasOnlyGreetedIsAFailureLikeAnother() {
        long longest = 0;
        for (int i = 0; i < 40; i++) {
            long delay = attempt(Server.GREETS_AND_CLOSES);
            longest = Math.max(longest, delay);
            now += delay;
        }
        assertThat(longest).isGreaterThan(4 * SECOND);
    }

    @Test
    void refusedCredentialsAreTriedAgainSlowlyFromTheFirstOn() {
        AuthenticationRefusedException refused = new AuthenticationRefusedException("no", CAUSE);

        assertThat(attempts.delayNanos(refused, now)).isBetween(2_500_000_000L, 5_000_000_000L); // by its clock
    }

    // Several connections to one server share the sockets.

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
}
