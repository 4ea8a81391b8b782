// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.ejection.SimulatedServer.Trick;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How soon a server that answers hardly anything is ejected, and what its callers wait, by a clock of the test. */
class MisbehavingServersTest {

    private static final int[] TIMEOUTS = {100, 200, 500, 1_000, 1_500, 3_000, 5_000};

    /** Each failure is seen by the next tick. */
    private static final int SLACK = 100;

    /**
     * A server that resets all connections each 100 ms answers half of the time at first. The budget of sockets, which
     * makes it longer, is not simulated.
     */
    private static final int RESETS_LIMIT = 2_000;

    private static final int HALF_A_MINUTE = 30_000;

    private static Stream<Arguments> misbehaving() {
        return Stream.of(Trick.GREETS, Trick.FIRST_ONLY, Trick.ONE_OF_TWENTY, Trick.RESETS)
                .flatMap(trick -> Arrays.stream(TIMEOUTS).mapToObj(timeout -> Arguments.of(trick, timeout)));
    }

    @ParameterizedTest
    @MethodSource("misbehaving")
    void isEjectedAfterFiveTimesTheTimeoutAndStaysAway(Trick trick, int timeout) {
        SimulatedServer server = new SimulatedServer(trick, timeout, false).run(HALF_A_MINUTE);
        assertThat(server.ejections).as(server.toString()).hasSize(1);
        assertThat(server.ejections.get(0))
                .as(server.toString())
                .isLessThanOrEqualTo(trick == Trick.RESETS ? RESETS_LIMIT : 5 * timeout + SLACK);
        // Calls that are in flight when it is ejected wait for a sixth time-out.
        if (6 * timeout < HALF_A_MINUTE / 10) {
            assertThat(server.waitedMillis / 4.0 / HALF_A_MINUTE)
                    .as(server.toString())
                    .isLessThan(0.1);
        }
    }

    /** As when one of several threads of a server hangs, or a probe meets a part of it that works. */
    @ParameterizedTest
    @MethodSource("misbehaving")
    void callersWaitATenthOfTheTimeAtMostWhereProbesAreAnswered(Trick trick, int timeout) {
        SimulatedServer server = new SimulatedServer(trick, timeout, true).run(20 * HALF_A_MINUTE);
        assertThat(server.ejections).as(server.toString()).hasSizeGreaterThan(1);
        assertThat(server.shareWaitedAfterEjection()).as(server.toString()).isLessThan(0.1);
    }

    @ParameterizedTest
    @EnumSource(names = {"HEALTHY", "PAUSES", "SLOW"})
    void isNotEjectedWhereMostCommandsAreAnswered(Trick trick) {
        for (int timeout : TIMEOUTS) {
            SimulatedServer server = new SimulatedServer(trick, timeout, true).run(10 * HALF_A_MINUTE);
            assertThat(server.ejections).as(server.toString()).isEmpty();
        }
    }
}
