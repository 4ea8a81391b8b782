// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LinkHealthTest {

    /** By default, the liveness timeout is 5 s and the heartbeat interval 10 s, by the clock of the test. */
    private final LinkHealth health = new LinkHealth(new ConnectionOptions(), 0);

    private long readBytes;

    private LinkHealth.Need atSecond(int second, int inFlight, long completed) {
        return health.check(Duration.ofSeconds(second).toNanos(), inFlight, completed, readBytes);
    }

    @Test
    void idleLinkNeedsAHeartbeatAfterItsInterval() {
        assertThat(atSecond(9, 0, 0)).isEqualTo(LinkHealth.Need.LOOK);
        assertThat(atSecond(10, 0, 0)).isEqualTo(LinkHealth.Need.HEARTBEAT);
        assertThat(atSecond(11, 1, 0)).isEqualTo(LinkHealth.Need.NOTHING);
        assertThat(atSecond(12, 0, 1)).isEqualTo(LinkHealth.Need.NOTHING);
        assertThat(atSecond(21, 0, 1)).isEqualTo(LinkHealth.Need.LOOK);
        assertThat(atSecond(22, 0, 1)).isEqualTo(LinkHealth.Need.HEARTBEAT);
    }

    /** Ticks come every 50 ms, and to look costs a system call. */
    @Test
    void idleLinkIsCheckedOnceASecond() {
        int looks = 0;
        for (int tick = 1; tick <= 100; tick++) {
            if (health.check(Duration.ofMillis(50L * tick).toNanos(), 0, 0, 0) == LinkHealth.Need.LOOK) {
                looks++;
            }
        }
        assertThat(looks).isEqualTo(5);
    }

    @Test
    void silentLinkIsClosedAfterTheLivenessTimeout() {
        assertThat(atSecond(1, 3, 0)).isEqualTo(LinkHealth.Need.NOTHING);
        assertThat(atSecond(5, 3, 0)).isEqualTo(LinkHealth.Need.NOTHING);
        assertThat(atSecond(6, 9, 0)).isEqualTo(LinkHealth.Need.CLOSE);
    }

    @Test
    void silentLinkGetsMoreTimeAfterTheProcessStoodStill() {
        assertThat(atSecond(1, 3, 0)).isEqualTo(LinkHealth.Need.NOTHING);
        assertThat(atSecond(7, 3, 0)).isEqualTo(LinkHealth.Need.NOTHING);
        for (int second = 8; second < 12; second++) {
            assertThat(atSecond(second, 3, 0)).isEqualTo(LinkHealth.Need.NOTHING);
        }
        assertThat(atSecond(12, 3, 0)).isEqualTo(LinkHealth.Need.CLOSE);
    }

    @Test
    void linkThatAnswersInTimeIsAliveHoweverMuchIsInFlight() {
        for (int second = 1; second < 100; second++) {
            assertThat(atSecond(second, 1_000, 300L * second)).isEqualTo(LinkHealth.Need.NOTHING);
        }
    }

    /** A server may answer some of what it is asked, and so slowly that the rest has no hope. */
    @Test
    void linkIsClosedWhoseOldestCommandStaysUnanswered() {
        for (int second = 1; second <= 5; second++) {
            assertThat(atSecond(second, 1_000, second)).isEqualTo(LinkHealth.Need.NOTHING);
        }
        assertThat(atSecond(6, 1_000, 6)).isEqualTo(LinkHealth.Need.CLOSE);
    }

    /** One value of a MiB a second: the last of twenty takes longer than the timeout. */
    @Test
    void linkThatIsBusyWithLargeValuesIsAlive() {
        for (int second = 1; second < 20; second++) {
            readBytes += 1024 * 1024;
            assertThat(atSecond(second, 20 - second, second)).isEqualTo(LinkHealth.Need.NOTHING);
        }
    }

    /** Bytes alone, as of a reply without an end, are no sign of life. */
    @Test
    void linkThatReadsAndFinishesNothingIsClosed() {
        for (int second = 1; second <= 5; second++) {
            readBytes += 1024 * 1024;
            assertThat(atSecond(second, 2, 0)).isEqualTo(LinkHealth.Need.NOTHING);
        }
        readBytes += 1024 * 1024;
        assertThat(atSecond(6, 2, 0)).isEqualTo(LinkHealth.Need.CLOSE);
    }
}
