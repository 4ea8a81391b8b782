// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TickWatchTest {

    private final TickWatch watch = new TickWatch();

    private void tickAt(long... millis) {
        for (long at : millis) {
            watch.tick(TimeUnit.MILLISECONDS.toNanos(at));
        }
    }

    private long heldUpMillisAt(long millis) {
        return TimeUnit.NANOSECONDS.toMillis(watch.heldUpNanos(TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    @Test
    void saysNothingBeforeTheFirstTick() {
        assertThat(heldUpMillisAt(10_000)).isZero();
    }

    @Test
    void tellsOfAFirstTickThatIsDueAndDoesNotCome() {
        watch.expect(TimeUnit.MILLISECONDS.toNanos(10_000));
        watch.expect(TimeUnit.MILLISECONDS.toNanos(10_050));
        assertThat(heldUpMillisAt(11_000)).isEqualTo(1_000);
        tickAt(11_100);
        assertThat(heldUpMillisAt(11_100)).isEqualTo(1_100);
    }

    @Test
    void saysNothingWhileTicksCome() {
        tickAt(10_000, 10_050, 10_100, 10_300);
        assertThat(heldUpMillisAt(10_500)).isZero();
    }

    @Test
    void tellsOfAGapThatLasts() {
        tickAt(10_000, 10_050);
        assertThat(heldUpMillisAt(10_299)).isZero();
        assertThat(heldUpMillisAt(11_050)).isEqualTo(1_000);
    }

    @Test
    void tellsOfTheLongestGapUntilItIsLongOver() {
        tickAt(10_000, 11_000, 11_300, 11_350);
        assertThat(heldUpMillisAt(11_400)).isEqualTo(1_000);
        tickAt(12_000, 12_500, 13_000);
        assertThat(heldUpMillisAt(13_000)).isEqualTo(1_000);
        tickAt(13_050, 13_100);
        assertThat(heldUpMillisAt(13_150)).isZero();
    }
}
