// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.ejection.SimulatedServer.Trick;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a server that answers hardly anything is ejected, and what its callers wait, by a clock of the test. */
class MisbehavingServersTest {

    /**
     * The table of docs/server-down.md.
     *
     * @param timeout of requests, in milliseconds
     * @param ejectedAfter milliseconds at most
     * @param waitedOfHalfAMinute per cent of the first 30 s that callers wait at most
     * @param waitedAfterwards per cent of their time that callers wait after the first ejection, at most
     */
    private record Figures(int timeout, int ejectedAfter, int waitedOfHalfAMinute, int waitedAfterwards) {}

    private static final List<Figures> FIGURES = List.of(
            new Figures(100, 600, 3, 9),
            new Figures(200, 1_200, 5, 9),
            new Figures(500, 2_600, 11, 9),
            new Figures(1_000, 5_100, 21, 9),
            new Figures(1_500, 8_100, 31, 9),
            new Figures(3_000, 19_100, 61, 9),
            new Figures(5_000, 25_700, 100, 9));

    /** One that resets all connections each 100 ms answers half of the time, while sockets are left. */
    private static final int RESETS_EJECTED_AFTER = 2_000;

    private static final int MOSTLY_LATE_EJECTED_AFTER = 3_300;

    /** What each standstill of 250 ms adds at most, with the tick after it. */
    private static final int STANDSTILL_DELAYS = 300;

    private static final int HALF_A_MINUTE = 30_000;
    private static final int HEALTHY = 3_000;
    private static final int[] CALLERS = {1, 4, 16};

    private static Stream<Arguments> misbehaving() {
        return Stream.of(Trick.GREETS, Trick.FIRST_ONLY, Trick.ONE_OF_TWENTY, Trick.RESETS, Trick.LATE)
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
    @Tag("deep")
    @ParameterizedTest
    @MethodSource("misbehaving")
    void callersWaitATenthOfTheTimeAtMostWhereProbesAreAnswered(Trick trick, Figures figures) {
        SimulatedServer server = new SimulatedServer(trick, figures.timeout, true, 1).run(10 * HALF_A_MINUTE);
        assertThat(server.ejections).as(server.toString()).hasSizeGreaterThan(1);
        assertThat(server.percentWaitedAfterEjection()).as(server.toString()).isLessThan(figures.waitedAfterwards);
    }

    /** A server that worked until then, and one caller, a few or many. */
    @ParameterizedTest
    @EnumSource(names = {"GREETS", "LATE"})
    void isEjectedAsSoonUnderLoad(Trick trick) {
        for (Figures figures : FIGURES) {
            for (int callers : CALLERS) {
                assertEjects(loaded(trick, figures.timeout, callers, -1), figures.ejectedAfter);
            }
        }
    }

    @Tag("deep")
    @Test
    void standstillsOfThisProcessDelayAnEjectionByTheirLength() {
        for (Figures figures : FIGURES) {
            int standstills = 2 + figures.ejectedAfter / 2_000;
            for (int callers : CALLERS) {
                for (int at = 0; at < 2_000; at += 390) {
                    SimulatedServer server = loaded(Trick.GREETS, figures.timeout, callers, at);
                    assertEjects(server, figures.ejectedAfter + standstills * STANDSTILL_DELAYS);
                }
            }
        }
    }

    private static void assertEjects(SimulatedServer server, int withinMillis) {
        assertThat(server.run(HEALTHY + withinMillis).ejections)
                .as(server.toString())
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 500})
    void isEjectedInTheSameTimeWhereMostCommandsAreLate(int timeout) {
        SimulatedServer server = loaded(Trick.MOSTLY_LATE, timeout, 16, -1);
        assertEjects(server, MOSTLY_LATE_EJECTED_AFTER);
        server.run(10 * HALF_A_MINUTE);
        assertThat(server.percentWaitedAfterEjection()).as(server.toString()).isLessThan(10);
    }

    private static SimulatedServer loaded(Trick trick, int timeout, int callers, int standstillAt) {
        return new SimulatedServer(trick, timeout, true, 1, callers, standstillAt).healthyUntil(HEALTHY);
    }

    @ParameterizedTest
    @EnumSource(names = {"HEALTHY", "PAUSES", "SLOW", "OFTEN_LATE"})
    void isNotEjectedWhereMostCommandsAreAnswered(Trick trick) {
        for (Figures figures : FIGURES) {
            // A single caller may meet five late answers in a row.
            for (int callers : trick == Trick.OFTEN_LATE ? new int[] {16} : CALLERS) {
                for (int standstillAt : trick == Trick.HEALTHY ? new int[] {0, 700} : new int[] {-1}) {
                    SimulatedServer server = new SimulatedServer(trick, figures.timeout, true, 1, callers, standstillAt)
                            .run(HALF_A_MINUTE);
                    assertThat(server.ejections).as(server.toString()).isEmpty();
                }
            }
        }
    }
}
