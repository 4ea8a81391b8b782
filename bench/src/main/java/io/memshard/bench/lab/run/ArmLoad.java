// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import io.memshard.bench.jmh.Arrivals;
import io.memshard.bench.lab.data.LoadEvent;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.result.BenchException;
import io.memshard.bench.result.ProcessFiles;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads that call one system (callers), and the phase of the measurement. {@link ForkProfiler} changes the phase,
 * because an iteration of JMH ends only with its slowest caller.
 *
 * <p>Memory effects: {@code phase} is volatile. A caller that pauses counts down a latch, and the measuring thread
 * waits for this latch before it reads the recorders.
 */
public final class ArmLoad {

    private static final long PATIENCE_SECONDS = 60;
    private static final CompletableFuture<ArmLoad> OPENED = new CompletableFuture<>();

    /** True if {@link ForkProfiler} ends the iteration. */
    private static volatile boolean timed;

    private final OpenedArm arm;
    private final int batch;
    private final @Nullable Arrivals arrivals;
    private final boolean isBySecond;
    private final List<Caller> callers = new ArrayList<>();
    private final CountDownLatch begun;
    private final CountDownLatch paused;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Start of the measurement, written before {@code phase}. */
    private long beginNanos;

    private volatile Phase phase = Phase.WARM_UP;

    enum Phase {
        WARM_UP,
        MEASURE,
        MEASURE_LATE,
        PAUSE
    }

    /** Creates the load. If there is an outage, each second of the measurement also has its own recorders. */
    public ArmLoad(OpenedArm arm, Condition condition, int batch) {
        this.arm = arm;
        this.batch = condition.rate() == 0 ? batch : 1;
        this.arrivals = condition.rate() == 0 ? null : new Arrivals(condition.rate());
        this.isBySecond = condition.hasOutage();
        this.begun = new CountDownLatch(condition.threads());
        this.paused = new CountDownLatch(condition.threads());
        OPENED.complete(this);
    }

    public static void failed(Throwable failure) {
        OPENED.completeExceptionally(failure);
    }

    static void timeByProfiler() {
        timed = true;
    }

    static CompletableFuture<ArmLoad> opened() {
        return OPENED;
    }

    public Caller caller(int number) {
        Caller caller = new Caller(arm.cycle(number), number);
        synchronized (callers) {
            callers.add(caller);
        }
        return caller;
    }

    OpenedArm arm() {
        return arm;
    }

    List<Caller> awaitCallers() throws InterruptedException {
        begun.await();
        synchronized (callers) {
            return List.copyOf(callers);
        }
    }

    int batch() {
        return batch;
    }

    void warmUpToMeasure() {
        beginNanos = System.nanoTime();
        phase = Phase.MEASURE;
    }

    void measureToLate() {
        phase = Phase.MEASURE_LATE;
    }

    void measureToPause() {
        phase = Phase.PAUSE;
    }

    void awaitPause() throws InterruptedException {
        if (!paused.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new BenchException(
                    "a caller did not complete its last operation within a minute after the measurement");
        }
    }

    void end() {
        ended.countDown();
    }

    public final class Caller {

        private final OpenedArm.Cycle cycle;
        private final String name;
        private final Map<Phase, CallRecorder> recorders = new EnumMap<>(Phase.class);
        private long number;

        /** Id of the thread, or 0 before its first call. */
        volatile long threadId;

        /** Calls by the second of the measurement in which they ended. */
        final Map<Integer, CallRecorder> seconds = new HashMap<>();

        /** Delays of calls that this caller began late although the caller was free. */
        final CallRecorder lag = new CallRecorder();

        private Caller(OpenedArm.Cycle cycle, int index) {
            this.cycle = cycle;
            this.name = LoadEvent.CALLER + index;
            EnumSet.allOf(Phase.class).forEach(each -> recorders.put(each, new CallRecorder()));
        }

        /** Runs cycles. If {@code timed}, returns only after the measurement, which JMH could otherwise cut short. */
        public long run() {
            if (threadId == 0) {
                begin(Thread.currentThread());
            }
            long sum = 0;
            do {
                sum += arrivals == null ? batch(System.nanoTime()) : arrival(arrivals);
            } while (timed && phase.compareTo(Phase.PAUSE) < 0);
            if (phase == Phase.PAUSE) {
                pause();
            }
            return sum;
        }

        // Thread.threadId() does not exist before JDK 19.
        @SuppressWarnings("deprecation")
        private void begin(Thread self) {
            self.setName(name);
            if (arrivals != null) {
                ProcessFiles.wakePrecisely();
            }
            threadId = self.getId();
            begun.countDown();
        }

        private long batch(long start) {
            long sum = 0;
            Throwable failure = null;
            for (int i = 0; i < batch; i++) {
                try {
                    sum += cycle.run(number++);
                } catch (Exception e) {
                    if (e instanceof InterruptedException) {
                        Thread.currentThread().interrupt();
                    }
                    failure = e;
                }
            }
            long end = System.nanoTime();
            Phase at = phase;
            record(of(at), end - start, failure, sum);
            if (isBySecond && isMeasured(at)) {
                int second = (int) TimeUnit.NANOSECONDS.toSeconds(end - beginNanos);
                record(seconds.computeIfAbsent(second, any -> new CallRecorder()), end - start, failure, sum);
            }
            return sum;
        }

        private void record(CallRecorder recorder, long elapsed, @Nullable Throwable failure, long result) {
            if (failure != null) {
                recorder.failed(failure, elapsed, arrivals != null);
                return;
            }
            recorder.right(elapsed, batch);
            recorder.missed += result == OpenedArm.MISS ? 1 : 0;
        }

        private static boolean isMeasured(Phase at) {
            return at == Phase.MEASURE || at == Phase.MEASURE_LATE;
        }

        private long arrival(Arrivals open) {
            long due = open.take();
            boolean isFree = System.nanoTime() - due < 0;
            Arrivals.await(due, () -> phase.compareTo(Phase.PAUSE) >= 0);
            if (isFree && isMeasured(phase)) {
                lag.right(System.nanoTime() - due, 1);
            }
            return batch(due);
        }

        private void pause() {
            paused.countDown();
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        CallRecorder of(Phase phase) {
            return Objects.requireNonNull(recorders.get(phase), "this phase of the measurement has no recorder");
        }

        long cycles() {
            return of(Phase.MEASURE).calls + of(Phase.MEASURE_LATE).calls;
        }
    }
}
