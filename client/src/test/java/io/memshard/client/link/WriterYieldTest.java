// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WriterYieldTest {

    private static final long QUICK = TimeUnit.MICROSECONDS.toNanos(5);
    private static final long TIME_SLICE = TimeUnit.MILLISECONDS.toNanos(3);

    private final AtomicInteger offers = new AtomicInteger();
    private long nanos;
    private long completed;
    private final WriterYield writerYield = new WriterYield(() -> completed, this::passProcessorOn, () -> nanos);

    private int comingWhileYielding;
    private int completedWhileYielding;
    private long yieldNanos = QUICK;
    private int yields;

    private void passProcessorOn() {
        yields++;
        nanos += yieldNanos;
        completed += completedWhileYielding;
        offers.addAndGet(comingWhileYielding);
    }

    private boolean yields(int offered, int inFlight) {
        int before = yields;
        offers.set(offered);
        writerYield.beforeWriting(offers, inFlight);
        return yields > before;
    }

    /** Numbers of the writes before which it yields, of so many. */
    private List<Integer> writesWithYield(int writes) {
        List<Integer> found = new ArrayList<>();
        for (int write = 0; write < writes; write++) {
            if (yields(1, 2)) {
                found.add(write);
            }
        }
        return found;
    }

    @Test
    void yieldsOnlyIfAnotherCommandIsInFlightAndNoneHasComeYet() {
        comingWhileYielding = 1;

        assertThat(yields(1, 1)).isFalse();
        assertThat(yields(2, 5)).isFalse();
        assertThat(yields(1, 2)).isTrue();
    }

    @Test
    void yieldsBeforeEachWriteWhereCommandsCome() {
        comingWhileYielding = 1;

        assertThat(writesWithYield(100)).hasSize(100);
    }

    @Test
    void yieldsMoreAndMoreRarelyWhereNoneCome() {
        assertThat(writesWithYield(40)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 25);
    }

    @Test
    void yieldsRarelyWhereAYieldLastsATimeSlice() {
        comingWhileYielding = 3;
        yieldNanos = TIME_SLICE;

        assertThat(writesWithYield(300)).containsExactly(0, 1, 258);
    }

    @Test
    void aLongYieldInWhichManyCallersProceedPays() {
        comingWhileYielding = 10;
        completedWhileYielding = 40;
        yieldNanos = TIME_SLICE;

        assertThat(writesWithYield(100)).hasSize(100);
    }

    @Test
    void yieldsAgainBeforeEachWriteWhenItPaysAgain() {
        writesWithYield(26);
        comingWhileYielding = 1;

        // It has 12 points, of which each yield that pays takes one back.
        assertThat(writesWithYield(50)).startsWith(16, 25, 30, 33, 34, 35);
    }

    @Test
    void neverStopsTrying() {
        yieldNanos = TIME_SLICE;
        writesWithYield(100_000);
        int before = yields;

        writesWithYield(16_385);
        assertThat(yields).isEqualTo(before + 1);
    }
}
