// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.ejection.SimulatedServer.Trick;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How soon a server that answers hardly anything is ejected, and what its callers wait, by a clock of the test. */
class MisbehavingServersTest {

    /**
     * The table of docs/servers.md.
     *
     * @param timeout of requests, in milliseconds
     * @param ejectedAfter milliseconds at most
     * @param waitedOfHalfAMinute per cent of the first 30 s that callers wait at most
     * @param waitedAfterwards per cent of their time that callers wait after the first ejection, at most
     */
    private record Figures(int timeout, int ejectedAfter, int waitedOfHalfAMinute, int waitedAfterwards) {}

    private static final List<Figures> FIGURES = List.of(
            new Figures(100, 600, 3, 9),
            new Figures(200, 1_100, 5, 9),
            new Figures(500, 2_600, 11, 9),
            new Figures(1_000, 5_100, 21, 9),
            new Figures(1_500, 7_600, 31, 9),
            new Figures(3_000, 15_100, 61, 9),
            new Figures(5_000, 25_500, 100, 9));

    /** One that resets all connections each 100 ms answers half of the time, while sockets are left. */
    private static final int RESETS_EJECTED_AFTER = 2_000;

    private static final int HALF_A_MINUTE = 30_000;

    private static Stream<Arguments> misbehaving() {
        return Stream.of(Trick.GREETS, Trick.FIRST_ONLY, Trick.ONE_OF_TWENTY, Trick.RESETS)
                .flatMap(trick -> FIGURES.stream().map(figures -> Arguments.of(trick, figures)));
    }

    @ParameterizedTest
    @MethodSource("misbehaving")
    void isEjectedAfterFiveTimesTheTimeoutAndStaysAway(Trick trick, Figures figures) {
        for (int seed = 1; seed <= 2; seed++) {
            SimulatedServer server = new SimulatedServer(trick, figures.timeout, false, seed).run(HALF_A_MINUTE);
            assertThat(server.ejections).as(server.toString()).hasSize(1);
            assertThat(server.ejections.get(0))
                    .as(server.toString())
                    .isLessThanOrEqualTo(trick == Trick.RESETS ? RESETS_EJECTED_AFTER : figures.ejectedAfter);
            assertThat(server.percentWaited()).as(server.toString()).isLessThanOrEqualTo(figures.waitedOfHalfAMinute);
            assertThat(server.millisWaitedAfterEjection())
                    .as(server.toString())
                    .isLessThanOrEqualTo(figures.timeout); // Simulated.
        }
    }

    /** As when one of several threads of a server hangs, or a probe meets a part of it that works. */
    @ParameterizedTest
    @MethodSource("misbehaving")
    void callersWaitATenthOfTheTimeAtMostWhereProbesAreAnswered(Trick trick, Figures figures) {
        SimulatedServer server = new SimulatedServer(trick, figures.timeout, true, 1).run(10 * HALF_A_MINUTE);
        assertThat(server.ejections).as(server.toString()).hasSizeGreaterThan(1);
        assertThat(server.percentWaitedAfterEjection()).as(server.toString()).isLessThan(figures.waitedAfterwards);
    }

    @ParameterizedTest
    @EnumSource(names = {"HEALTHY", "PAUSES", "SLOW"})
    void isNotEjectedWhereMostCommandsAreAnswered(Trick trick) {
        for (Figures figures : FIGURES) {
            SimulatedServer server = new SimulatedServer(trick, figures.timeout, true, 1).run(2 * HALF_A_MINUTE);
            assertThat(server.ejections).as(server.toString()).isEmpty();
        }
    }
}
