// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionDemandTest {

    private final ConnectionDemand demand = new ConnectionDemand(1, 8);

    /** Takes the samples of one average, and returns the last answer. */
    private int average(int size, int... inFlight) {
        int wanted = size;
        for (int sample = 0; sample < ConnectionDemand.SAMPLES; sample++) {
            assertThat(wanted).isEqualTo(size);
            wanted = demand.wanted(inFlight[sample % inFlight.length], size);
        }
        return wanted;
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 3", "3, 4", "5, 7", "6, 8", "8, 8", "1000, 8"})
    void halfMoreThanCommandsAreInFlightUpToTheLimit(int inFlight, int wanted) {
        assertThat(average(1, inFlight)).isEqualTo(wanted);
    }

    @Test
    void callersThatMeetNowAndThenNeedNoMore() {
        assertThat(average(1, 1, 1, 1, 1, 2)).isEqualTo(1);
        assertThat(average(1, 1, 2)).isEqualTo(2);
        assertThat(average(3, 2, 2, 2, 2, 3)).isEqualTo(3);
    }

    @Test
    void callersThatAreOftenIdleNeedAsManyAsWhileTheyAreBusy() {
        assertThat(average(1, 0, 0, 4)).isEqualTo(6);
        assertThat(average(1, 0, 0, 1)).isEqualTo(1);
    }

    @Test
    void onePauseDoesNotCountAsIfItLasted() {
        assertThat(average(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6)).isEqualTo(3);
    }

    @Test
    void fallsAfterAMinuteToTheMostThatWasNeededInIt() {
        for (int average = 1; average < ConnectionDemand.AVERAGES_BEFORE_FALL; average++) {
            assertThat(average(8, average == 50 ? 3 : 1)).isEqualTo(8);
        }
        assertThat(average(8, 1)).isEqualTo(4);
        assertThat(average(4, 1)).as("a new minute").isEqualTo(4);
    }

    @Test
    void oneBusyHalfSecondKeepsTheSizeForAnotherMinute() {
        for (int average = 1; average < ConnectionDemand.AVERAGES_BEFORE_FALL; average++) {
            average(8, 0);
        }
        assertThat(average(8, 9)).isEqualTo(8);
        for (int average = 1; average < ConnectionDemand.AVERAGES_BEFORE_FALL; average++) {
            assertThat(average(8, 0)).isEqualTo(8);
        }
        assertThat(average(8, 0)).isEqualTo(1);
    }

    @Test
    void neverFallsBelowTheLeast() {
        ConnectionDemand fixed = new ConnectionDemand(3, 3);
        for (int sample = 0; sample < 2 * ConnectionDemand.SAMPLES * ConnectionDemand.AVERAGES_BEFORE_FALL; sample++) {
            assertThat(fixed.wanted(sample % 20, 3)).isEqualTo(3);
        }
    }
}
