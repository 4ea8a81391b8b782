// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StallDetectorTest {

    private final StallDetector detector = new StallDetector();

    private void tickAt(long... millis) {
        for (long at : millis) {
            detector.tick(TimeUnit.MILLISECONDS.toNanos(at));
        }
    }

    private long stalledMillisAt(long millis) {
        return TimeUnit.NANOSECONDS.toMillis(detector.stalledNanos(TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    @Test
    void nothingIsReportedBeforeTheFirstTick() {
        assertThat(stalledMillisAt(10_000)).isZero();
    }

    @Test
    void aFirstTickThatIsDueAndDoesNotComeIsReported() {
        detector.expect(TimeUnit.MILLISECONDS.toNanos(10_000));
        detector.expect(TimeUnit.MILLISECONDS.toNanos(10_050));
        assertThat(stalledMillisAt(11_000)).isEqualTo(1_000);
        tickAt(11_100);
        assertThat(stalledMillisAt(11_100)).isEqualTo(1_100);
    }

    @Test
    void nothingIsReportedWhileTicksCome() {
        tickAt(10_000, 10_050, 10_100, 10_300);
        assertThat(stalledMillisAt(10_500)).isZero();
    }

    @Test
    void aStallIsReportedWhileItLasts() {
        tickAt(10_000, 10_050);
        assertThat(stalledMillisAt(10_299)).isZero();
        assertThat(stalledMillisAt(11_050)).isEqualTo(1_000);
    }

    @Test
    void theLongestStallIsReportedUntilItIsLongOver() {
        tickAt(10_000, 11_000, 11_300, 11_350);
        assertThat(stalledMillisAt(11_400)).isEqualTo(1_000);
        tickAt(12_000, 12_500, 13_000);
        assertThat(stalledMillisAt(13_000)).isEqualTo(1_000);
        tickAt(13_050, 13_100);
        assertThat(stalledMillisAt(13_150)).isZero();
    }
}
