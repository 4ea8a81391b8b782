// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReaderLoadTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10 * MILLI);
    private long yieldNanos;
    private int yields;
    private final ReaderLoad load = new ReaderLoad(clock::get, this::yieldProcessor);

    private void yieldProcessor() {
        yields++;
        clock.addAndGet(yieldNanos);
    }

    private int yieldsOf(int times) {
        yields = 0;
        for (int i = 0; i < times; i++) {
            load.yieldProcessor();
        }
        return yields;
    }

    @Test
    void yieldsWhileOthersNeedTheProcessorBriefly() {
        yieldNanos = 2 * MILLI;
        assertThat(yieldsOf(20)).isEqualTo(20);
    }

    @Test
    void doesNotYieldForAWhileAfterOthersHaveKeptTheProcessor() {
        yieldNanos = 3 * MILLI;
        assertThat(yieldsOf(20)).isEqualTo(1);
        clock.addAndGet(60 * MILLI - 1);
        assertThat(yieldsOf(20)).isZero();
        clock.addAndGet(1);
        yieldNanos = MILLI;
        assertThat(yieldsOf(20)).isEqualTo(20);
    }

    @Test
    void loadIsLargeIfItsAverageIs() {
        for (int round = 0; round < 20; round++) {
            load.sample(1, 2);
            load.sample(3, 2);
        }
        assertThat(load.isLarge()).as("four on average").isFalse();
        for (int round = 0; round < 4; round++) {
            load.sample(3, 2);
            load.sample(3, 2);
        }
        assertThat(load.isLarge()).as("above four on average").isTrue();
        for (int round = 0; round < 4; round++) {
            load.sample(0, 2);
            load.sample(0, 2);
        }
        assertThat(load.isLarge()).as("few again").isFalse();
    }
}
