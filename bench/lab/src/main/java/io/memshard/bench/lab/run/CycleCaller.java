// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.contender.Contender;
import io.memshard.bench.lab.experiment.OpenedArm.Cycle;
import io.memshard.bench.lab.run.Phases.Phase;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One calling thread: runs its cycle over and over and notes those that end in the measurement.
 *
 * <p>Threading: {@link #run} on its own thread; the figures are read after {@link Phases} says that all have paused.
 *
 * <p>Memory effects: a caller pauses by counting down a latch on which the reader waited.
 */
final class CycleCaller implements Runnable {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Phases phases;
    private final Cycle cycle;
    private final int batch;
    private final long fixedCycles;
    /** Between two cycles of an open loop; 0 for a closed one. */
    private final long intervalNanos;
    /** After which the first of these is over, so that callers do not come all at once. */
    private final long offsetNanos;

    private final Map<Phase, Tally> tallies = new EnumMap<>(Phase.class);
    private long number;
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
    CycleCaller(Phases phases, Cycle cycle, int batch, long fixedCycles, long intervalNanos, long offsetNanos) {
        this.phases = phases;
        this.cycle = cycle;
        this.batch = batch;
        this.fixedCycles = fixedCycles;
        this.intervalNanos = intervalNanos;
        this.offsetNanos = offsetNanos;
        EnumSet.range(Phase.WARM_UP, Phase.PAUSE).forEach(phase -> tallies.put(phase, new Tally()));
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
            note(phase, failure, end - start);
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

    private void note(Phase phase, @Nullable Throwable failure, long elapsed) {
        Tally tally = of(phase);
        tally.longestNanos = Math.max(tally.longestNanos, elapsed);
        if (failure == null) {
            tally.cycles += batch;
            tally.totalNanos += elapsed;
            tally.nanos.recordValueWithCount(Math.min(LONGEST_NANOS, Math.max(1, elapsed / batch)), batch);
            return;
        }
        if (Contender.isTimeout(failure)) {
            tally.timeouts++;
        } else {
            tally.errors++;
        }
        if (phase == Phase.MEASURE || phase == Phase.MEASURE_LATE) {
            phases.failed(failure);
        }
    }

    private Tally of(Phase phase) {
        return Objects.requireNonNull(tallies.get(phase), "a cycle ends while callers run or pause");
    }

    private Tally early() {
        return of(Phase.MEASURE);
    }

    private Tally late() {
        return of(Phase.MEASURE_LATE);
    }

    long cycles() {
        return early().cycles + late().cycles;
    }

    /** Those of them in the second half of the measurement. */
    long lateCycles() {
        return late().cycles;
    }

    long errors() {
        return early().errors + late().errors;
    }

    long timeouts() {
        return early().timeouts + late().timeouts;
    }

    /** The longest of the cycles that ended after the warm-up, the last of the caller among them. */
    long longestNanos() {
        return Stream.of(early(), late(), of(Phase.PAUSE))
                .mapToLong(tally -> tally.longestNanos)
                .max()
                .orElse(0);
    }

    double totalNanos() {
        return early().totalNanos + late().totalNanos;
    }

    /** Adds its times of a cycle to {@code all}. */
    void addNanosTo(Histogram all) {
        all.add(early().nanos);
        all.add(late().nanos);
    }

    /** What all results were added up to; of no meaning but that they were used. */
    long sink() {
        return sink;
    }

    /**
     * What the cycles that ended in one phase add up to.
     *
     * <p>The warm-up has one too, which nobody reads. Code that first runs when the measurement begins would not be
     * compiled yet. Among more callers than processors the compiler waits long for its turn.
     */
    private static final class Tally {

        private final Histogram nanos = new Histogram(1, LONGEST_NANOS, 2);
        private double totalNanos;
        private long cycles;
        private long errors;
        private long timeouts;
        private long longestNanos;
    }
}
