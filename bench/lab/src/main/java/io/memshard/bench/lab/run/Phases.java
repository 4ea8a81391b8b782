// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Phase of all callers of a fork: they warm up, are measured in two halves, pause, do the fixed work, and end.
 *
 * <p>Threading: thread-safe; moved by the thread that measures, read by callers after each cycle.
 *
 * <p>Memory effects: the phase is volatile, and a pause is a latch on either side.
 */
final class Phases {

    private static final long PATIENCE_SECONDS = 60;

    /** In the order in which they come. */
    enum Phase {
        WARM_UP,
        MEASURE,
        MEASURE_LATE,
        PAUSE,
        FIXED,
        END
    }

    private volatile Phase phase = Phase.WARM_UP;
    private final CountDownLatch paused;
    private final CountDownLatch resumed = new CountDownLatch(1);
    private final CountDownLatch fixed;

    Phases(int callers) {
        paused = new CountDownLatch(callers);
        fixed = new CountDownLatch(callers);
    }

    Phase current() {
        return phase;
    }

    void warmUpToMeasure() {
        phase = Phase.MEASURE;
    }

    void measureToLate() {
        phase = Phase.MEASURE_LATE;
    }

    void measureToPause() {
        phase = Phase.PAUSE;
    }

    /** Waits until each caller has ended its cycle. Returns false if that takes more than a minute. */
    boolean awaitPause() throws InterruptedException {
        return paused.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Has the callers do the fixed work and waits. Returns false if that takes longer than {@code seconds}.
     */
    boolean pauseToFixed(long seconds) throws InterruptedException {
        phase = Phase.FIXED;
        resumed.countDown();
        return fixed.await(seconds, TimeUnit.SECONDS);
    }

    void pauseToEnd() {
        phase = Phase.END;
        resumed.countDown();
    }

    /** Called by a caller when it has ended its last cycle: waits, and returns the phase that follows. */
    Phase pauseOfCaller() {
        paused.countDown();
        try {
            resumed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Phase.END;
        }
        return phase;
    }

    void fixedWorkEnded() {
        fixed.countDown();
    }
}
