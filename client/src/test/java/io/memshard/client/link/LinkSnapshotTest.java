// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkSnapshotTest {

    private static final long MILLI = 1_000_000;

    @Test
    void commandThatIsNotSeenInTheQueueHasNoPosition() {
        assertThat(new LinkSnapshot(0, 7, 12 * MILLI, "event loop", 0, 0))
                .hasToString("7 in flight, nothing received for 12 ms");
    }

    @Test
    void whatWasHeldUpIsSaid() {
        assertThat(new LinkSnapshot(1, 1, 900 * MILLI, "reading thread", 800 * MILLI, 700 * MILLI))
                .hasToString("1 of 1 in flight, nothing received for 900 ms,"
                        + " its reading thread was blocked for 800 ms,"
                        + " this process was suspended or had no CPU for 700 ms");
    }

    @Test
    void readerIsNotBlamedForAStandstillOfTheProcess() {
        assertThat(new LinkSnapshot(1, 1, 900 * MILLI, "event loop", 800 * MILLI, 0).blamesReader())
                .isTrue();
        assertThat(new LinkSnapshot(1, 1, 900 * MILLI, "event loop", 300 * MILLI, 290 * MILLI).blamesReader())
                .isFalse();
        assertThat(new LinkSnapshot(1, 1, 900 * MILLI, "event loop", 0, 700 * MILLI).blamesReader())
                .isFalse();
    }
}
