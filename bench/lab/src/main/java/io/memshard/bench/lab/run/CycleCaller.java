// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.contender.Tally;
import io.memshard.bench.lab.experiment.OpenedArm.Cycle;
import io.memshard.bench.lab.run.CycleCaller.Phases.Phase;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calling thread, which repeats its cycle and counts the cycles that end in each phase. The warm-up is counted too,
 * because code that first runs when the measurement begins would not be compiled yet. With more callers than
 * processors, the compiler waits long for its turn.
 *
 * <p>Threading: {@link #run} on its own thread; the figures are read after {@link Phases} says that all have paused.
 *
 * <p>Memory effects: a caller pauses by counting down a latch on which the reader waited.
 */
final class CycleCaller implements Runnable {

    private final Phases phases;
    private final Cycle cycle;
    private final int batch;
    private final long fixedCycles;
    private final long intervalNanos;
    private final long offsetNanos;
    private final Map<Phase, Tally> tallies = new EnumMap<>(Phase.class);
    private long number;
    /** Sum of all results. It only ensures that the results are used. */
    private long sink;

    /**
     * Creates a caller that times {@code batch} cycles together and does {@code fixedCycles} after the measurement. In
     * an open loop, cycles are {@code intervalNanos} apart (0 for a closed one) and begin after {@code offsetNanos}.
     */
    CycleCaller(Phases phases, Cycle cycle, int batch, long fixedCycles, long intervalNanos, long offsetNanos) {
        this.phases = phases;
        this.cycle = cycle;
        this.batch = batch;
        this.fixedCycles = fixedCycles;
        this.intervalNanos = intervalNanos;
        this.offsetNanos = offsetNanos;
        EnumSet.range(Phase.WARM_UP, Phase.PAUSE).forEach(phase -> tallies.put(phase, new Tally(1)));
    }

    @Override
    public void run() {
        untilPause();
        if (phases.pauseOfCaller() == Phase.FIXED) {
            for (long i = 0; i < fixedCycles; i++) {
                once();
            }
            phases.fixedWorkEnded();
        }
    }

    private void untilPause() {
        long start = System.nanoTime() + offsetNanos;
        Phase phase = phases.current();
        while (phase.compareTo(Phase.PAUSE) < 0) {
            if (intervalNanos > 0) {
                start = waitFor(start + intervalNanos);
            }
            Throwable failure = null;
            for (int i = 0; i < batch; i++) {
                Throwable failed = once();
                failure = failed == null ? failure : failed;
            }
            long end = System.nanoTime();
            phase = phases.current();
            if (failure == null) {
                of(phase).right(end - start, batch);
            } else {
                of(phase).failed(failure, end - start);
            }
            if (intervalNanos == 0) {
                start = end;
            }
        }
    }

    /** Waits until {@code due}, which has passed already if the caller is late, and returns it. */
    private static long waitFor(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return due;
    }

    private @Nullable Throwable once() {
        try {
            sink += cycle.run(number++);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        } catch (Exception e) {
            return e;
        }
    }

    /** Returns the cycles that ended in {@code phase}, one of the warm-up, the measurement and the pause. */
    Tally of(Phase phase) {
        return Objects.requireNonNull(tallies.get(phase), "a cycle ends while callers run or pause");
    }

    /** Returns the number of cycles that ended in the measurement. */
    long cycles() {
        return of(Phase.MEASURE).calls() + of(Phase.MEASURE_LATE).calls();
    }

    long sink() {
        return sink;
    }

    /**
     * Phase of all callers of a fork: they warm up, are measured in two halves, pause, do the fixed work, and end.
     *
     * <p>Threading: thread-safe; moved by the thread that measures, read by callers after each cycle.
     *
     * <p>Memory effects: the phase is volatile, and a pause is a latch on either side.
     */
    static final class Phases {

        private static final long PATIENCE_SECONDS = 60;

        /** Phases, in their order. */
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

        /** Makes the callers do the fixed work and waits. Returns false if that takes longer than {@code seconds}. */
        boolean pauseToFixed(long seconds) throws InterruptedException {
            phase = Phase.FIXED;
            resumed.countDown();
            return fixed.await(seconds, TimeUnit.SECONDS);
        }

        void pauseToEnd() {
            phase = Phase.END;
            resumed.countDown();
        }

        /** Waits for the next phase and returns it. Called by a caller after its last cycle. */
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
}
