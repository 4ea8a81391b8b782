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
        return stalledMillis(millis, millis);
    }

    private long stalledMillis(long sinceMillis, long millis) {
        return TimeUnit.NANOSECONDS.toMillis(detector.stalledNanos(
                TimeUnit.MILLISECONDS.toNanos(sinceMillis), TimeUnit.MILLISECONDS.toNanos(millis)));
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
        assertThat(stalledMillis(11_000, 11_100)).isEqualTo(1_100);
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
    void aStallIsReportedToCallsThatBeganBeforeItsEnd() {
        tickAt(10_000, 11_000, 11_050);
        assertThat(stalledMillis(10_990, 11_100)).isEqualTo(1_000);
        assertThat(stalledMillis(11_010, 11_100)).isZero();
        tickAt(11_350, 11_400);
        assertThat(stalledMillis(10_990, 11_400)).as("the last one").isEqualTo(300);
    }
}
