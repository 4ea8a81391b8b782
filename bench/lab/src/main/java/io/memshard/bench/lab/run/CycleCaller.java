// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.contender.CallRecorder;
import io.memshard.bench.jmh.Arrivals;
import io.memshard.bench.lab.experiment.OpenedArm.Cycle;
import io.memshard.bench.lab.run.CycleCaller.Phases.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calling thread, which repeats its cycle and counts the cycles that end in each phase. It counts in the warm-up too.
 * Otherwise the counting code would first run in the measurement, before it is compiled. With more callers than
 * processors, the JIT compiler waits long for a processor.
 *
 * <p>Threading: {@link #run} on its own thread. In an open loop, the cycles of an asynchronous arm end on threads of
 * the client, one after the other. The measuring thread reads the figures after {@link Phases} reports that all callers
 * have paused.
 *
 * <p>Memory effects: a caller that pauses counts down a latch, and the reader waits for that latch before it reads.
 */
final class CycleCaller implements Runnable {

    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Phases phases;
    private final Cycle cycle;
    private final int batch;
    private final long fixedCycles;
    private final @Nullable Arrivals arrivals;
    private final Map<Phase, CallRecorder> recorders = new EnumMap<>(Phase.class);

    /** Times of the measured cycles from their real beginning instead of their due time, in an open loop. */
    final CallRecorder service = new CallRecorder(1);

    /** Times by which this caller began a cycle late although it was free, in an open loop. */
    final CallRecorder lag = new CallRecorder(1);

    private long number;
    /** Sum of all results. It only ensures that the JVM does not optimize the cycles away. */
    private long sink;

    /**
     * Creates a caller that times {@code batch} cycles together and runs {@code fixedCycles} cycles after the
     * measurement.
     *
     * @param arrivals due times of the cycles in an open loop, shared by all callers; null for a closed loop
     */
    CycleCaller(Phases phases, Cycle cycle, int batch, long fixedCycles, @Nullable Arrivals arrivals) {
        this.phases = phases;
        this.cycle = cycle;
        this.batch = batch;
        this.fixedCycles = fixedCycles;
        this.arrivals = arrivals;
        EnumSet.range(Phase.WARM_UP, Phase.PAUSE).forEach(phase -> recorders.put(phase, new CallRecorder(1)));
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
        if (arrivals != null) {
            untilPause(arrivals);
            return;
        }
        long start = System.nanoTime();
        Phase phase = phases.current();
        while (phase.compareTo(Phase.PAUSE) < 0) {
            Throwable failure = null;
            for (int i = 0; i < batch; i++) {
                Throwable failed = once();
                failure = failed == null ? failure : failed;
            }
            long end = System.nanoTime();
            phase = phases.current();
            count(phase, failure, end - start, batch);
            start = end;
        }
    }

    private void count(Phase phase, @Nullable Throwable failure, long elapsed, int number) {
        if (failure == null) {
            of(phase).right(elapsed, number);
        } else {
            of(phase).failed(failure, elapsed);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback counts the end.
    private void untilPause(Arrivals open) {
        wakePrecisely();
        while (phases.current().compareTo(Phase.PAUSE) < 0) {
            long due = open.take();
            boolean isFree = System.nanoTime() - due < 0;
            waitFor(due);
            long begin = System.nanoTime();
            CompletableFuture<?> reply = cycle.begin();
            if (reply == null) {
                ended(due, begin, once());
            } else {
                reply.whenComplete((value, failure) -> ended(due, begin, failure));
            }
            if (isFree && isMeasured(phases.current())) {
                lag.right(begin - due, 1);
            }
        }
    }

    private synchronized void ended(long due, long begin, @Nullable Throwable failure) {
        long end = System.nanoTime();
        Phase phase = phases.current();
        if (phase.compareTo(Phase.PAUSE) > 0) {
            return;
        }
        count(phase, failure, end - due, 1);
        if (failure != null) {
            of(phase).waited(end - due);
        }
        if (isMeasured(phase)) {
            service.right(end - begin, 1);
        }
    }

    private static boolean isMeasured(Phase phase) {
        return phase == Phase.MEASURE || phase == Phase.MEASURE_LATE;
    }

    /** Waits until {@code due}, if that is not past, or until the callers pause. */
    private void waitFor(long due) {
        for (long left = due - System.nanoTime();
                left > 0 && phases.current().compareTo(Phase.PAUSE) < 0;
                left = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, LONGEST_WAIT_NANOS));
        }
    }

    /** Asks Linux to wake this thread at the requested time. By default a wake-up may be 50 us late. */
    private static void wakePrecisely() {
        try {
            Files.writeString(Path.of("/proc/thread-self/timerslack_ns"), "1");
        } catch (IOException | RuntimeException e) {
            // On other systems the lag shows the delay.
        }
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

    /** Returns the recorder of the cycles that ended in {@code phase}, from the warm-up to the pause. */
    CallRecorder of(Phase phase) {
        return Objects.requireNonNull(recorders.get(phase), "a cycle ends while callers run or pause");
    }

    /** Returns the number of cycles that ended in the measurement. */
    long cycles() {
        return of(Phase.MEASURE).calls() + of(Phase.MEASURE_LATE).calls();
    }

    long sink() {
        return sink;
    }

    /**
     * Phase of all callers of a fork: they warm up, are measured in two halves, pause, run the fixed cycles, and end.
     *
     * <p>Threading: thread-safe. The measuring thread changes the phase; callers read it after each cycle.
     *
     * <p>Memory effects: the phase is volatile; a pause begins and ends with a latch.
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

        /**
         * Makes the callers run the fixed cycles and waits for them. Returns false if that takes longer than {@code
         * seconds}.
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
