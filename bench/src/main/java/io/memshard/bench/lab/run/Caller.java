// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.contender.Failures;
import io.memshard.bench.lab.experiment.OpenedArm.Cycle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One calling thread: runs its cycle over and over and notes those that end in the measurement.
 *
 * <p>Threading: {@link #run} on its own thread; the figures are read after {@link Phases} says that all have paused.
 *
 * <p>Memory effects: a caller pauses by counting down a latch on which the reader waited.
 */
final class Caller implements Runnable {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Phases phases;
    private final Cycle cycle;
    private final int batch;
    private final long fixedCycles;
    /** Between two cycles of an open loop; 0 for a closed one. */
    private final long intervalNanos;
    /** After which the first of these is over, so that callers do not come all at once. */
    private final long offsetNanos;

    private final Histogram nanos = new Histogram(1, LONGEST_NANOS, 2);
    private double totalNanos;
    private long number;
    private long cycles;
    private long lateCycles;
    private long errors;
    private long timeouts;
    private long longestNanos;
    private long sink;

    /**
     * A caller.
     *
     * @param phases what all callers do now
     * @param cycle what it does
     * @param batch cycles between two time stamps
     * @param fixedCycles its share of the fixed work
     * @param intervalNanos between two cycles of an open loop; 0 for a closed one
     * @param offsetNanos added to the first of these
     */
    Caller(Phases phases, Cycle cycle, int batch, long fixedCycles, long intervalNanos, long offsetNanos) {
        this.phases = phases;
        this.cycle = cycle;
        this.batch = batch;
        this.fixedCycles = fixedCycles;
        this.intervalNanos = intervalNanos;
        this.offsetNanos = offsetNanos;
    }

    @Override
    public void run() {
        untilPause();
        if (phases.pauseOfCaller() == Phases.Phase.FIXED) {
            for (long i = 0; i < fixedCycles; i++) {
                once();
            }
            phases.fixedWorkEnded();
        }
    }

    private void untilPause() {
        long start = System.nanoTime() + offsetNanos;
        while (phases.isRunning()) {
            if (intervalNanos > 0) {
                start = waitFor(start + intervalNanos);
            }
            Throwable failure = null;
            for (int i = 0; i < batch; i++) {
                Throwable failed = once();
                failure = failed == null ? failure : failed;
            }
            long end = System.nanoTime();
            note(failure, end - start);
            if (intervalNanos == 0) {
                start = end;
            }
        }
    }

    /** Waits until {@code due}, which is over already if the caller is late, and returns it. */
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

    private void note(@Nullable Throwable failure, long elapsed) {
        if (!phases.isWarmingUp()) {
            longestNanos = Math.max(longestNanos, elapsed);
        }
        if (!phases.isMeasuring()) {
            return;
        }
        if (failure == null) {
            cycles += batch;
            lateCycles += phases.isMeasuringLate() ? batch : 0;
            totalNanos += elapsed;
            nanos.recordValueWithCount(Math.min(LONGEST_NANOS, Math.max(1, elapsed / batch)), batch);
        } else if (Failures.isTimeout(failure)) {
            timeouts++;
            phases.failed(failure);
        } else {
            errors++;
            phases.failed(failure);
        }
    }

    long cycles() {
        return cycles;
    }

    /** Those of them in the second half of the measurement. */
    long lateCycles() {
        return lateCycles;
    }

    long errors() {
        return errors;
    }

    long timeouts() {
        return timeouts;
    }

    long longestNanos() {
        return longestNanos;
    }

    double totalNanos() {
        return totalNanos;
    }

    Histogram nanos() {
        return nanos;
    }

    /** What all results were added up to; of no meaning but that they were used. */
    long sink() {
        return sink;
    }
}
