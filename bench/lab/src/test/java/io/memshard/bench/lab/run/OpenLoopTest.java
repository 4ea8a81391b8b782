// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.memshard.bench.contender.CallRecorder;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.run.CycleCaller.Phases;
import io.memshard.bench.lab.run.CycleCaller.Phases.Phase;
import io.memshard.bench.lab.venus.OfferedLoad;
import io.memshard.bench.machine.Profile;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An open loop sees what a closed one omits: the requests that were due while nothing was answered. */
class OpenLoopTest {

    private static final int RATE = 2000;
    private static final int CALLERS = 8;
    private static final long STALL_MILLIS = 200;
    private static final long HALF_MILLIS = 500;
    private static final double SEEN_MICROS = 100_000;

    /** Something that is done in the middle of a measurement. */
    private interface Stall {
        void run() throws Exception;
    }

    @Test
    void timesBetweenArrivalsAreThoseOfManyIndependentUsers() {
        Arrivals arrivals = new Arrivals(RATE);
        long[] due = LongStream.generate(arrivals::take).limit(100_001).toArray();
        double mean = (due[100_000] - due[0]) / 1e5;
        long shorter = LongStream.range(0, 100_000)
                .filter(i -> due[(int) i + 1] - due[(int) i] < mean)
                .count();

        assertThat(mean).isBetween(0.98e9 / RATE, 1.02e9 / RATE);
        assertThat(shorter / 1e5).as("1 - 1/e").isBetween(0.62, 0.645);
        assertThat(due).isSorted();
    }

    @Test
    void allArmsGetTheSameArrivals() {
        Arrivals one = new Arrivals(RATE);
        Arrivals other = new Arrivals(RATE);
        long first = one.take();
        long second = other.take();
        for (int i = 0; i < 1000; i++) {
            assertThat(one.take() - first).isCloseTo(other.take() - second, offset(2L));
        }
    }

    /** Callers are free at the time of few of the requests of a stall. */
    @Test
    void aStallOfAllCallersIsSeenByEachRequestThatWasDue() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        IntFunction<OpenedArm.Cycle> cycles = caller -> number -> {
            lock.lock();
            lock.unlock();
            return number;
        };
        Stall stall = () -> {
            lock.lock();
            Thread.sleep(STALL_MILLIS); // The stall.
            lock.unlock();
        };

        CallRecorder open = measured(new Arrivals(RATE), cycles, stall);
        CallRecorder closed = measured(null, cycles, stall);

        assertThat(open.latency().p99Micros()).as("open").isGreaterThan(SEEN_MICROS);
        assertThat(closed.latency().p99Micros()).as("closed").isLessThan(SEEN_MICROS);
        assertThat(closed.longestNanos()).isGreaterThan((long) SEEN_MICROS * 1000);
    }

    @Test
    void aReplyThatNoCallerWaitsForIsTimedFromWhenItWasDue() throws Exception {
        List<CompletableFuture<Long>> replies = new ArrayList<>();
        IntFunction<OpenedArm.Cycle> cycles = caller -> new OpenedArm.Cycle() {
            @Override
            public long run(long number) {
                throw new AssertionError("it has to be begun");
            }

            @Override
            public CompletableFuture<Long> begin() {
                CompletableFuture<Long> reply = new CompletableFuture<>();
                synchronized (replies) {
                    replies.add(reply);
                }
                return reply;
            }
        };

        CallRecorder open = measured(new Arrivals(RATE), cycles, () -> {
            synchronized (replies) {
                Thread.sleep(STALL_MILLIS); // Until these replies are old.
                replies.forEach(reply -> reply.complete(1L));
            }
        });

        assertThat(open.calls()).isGreaterThan(RATE / 10);
        assertThat(open.longestNanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS));
    }

    @NeedsProgram(Program.MEMCACHED)
    @Test
    void aStoppedMemcachedIsSeen() throws Exception {
        OfferedLoad load = new OfferedLoad(
                CALLERS, 100, List.of(RATE), List.of(), 1, Duration.ofSeconds(1), Duration.ofSeconds(1));
        try (MemcachedProcess server = MemcachedProcess.start()) {
            Condition condition = load.conditionOf(OfferedLoad.MEMSHARD, RATE);
            Setup setup = new Setup(condition, Profile.PHYSICAL, server.address());
            try (OpenedArm arm = load.arm(OfferedLoad.MEMSHARD).opener().open(setup)) {
                CallRecorder open = measured(new Arrivals(RATE), arm::cycle, () -> {
                    server.stop();
                    Thread.sleep(STALL_MILLIS); // The stall.
                    server.resume();
                });

                assertThat(open.firstFailure()).isNull();
                assertThat(open.latency().p99Micros()).isGreaterThan(SEEN_MICROS);
            }
        }
    }

    private static CallRecorder measured(@Nullable Arrivals arrivals, IntFunction<OpenedArm.Cycle> cycles, Stall stall)
            throws Exception {
        Phases phases = new Phases(CALLERS);
        List<CycleCaller> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            CycleCaller caller = new CycleCaller(phases, cycles.apply(i), 1, 0, arrivals);
            callers.add(caller);
            Thread thread = new Thread(caller, "caller");
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(HALF_MILLIS); // The warm-up.
        phases.warmUpToMeasure();
        Thread.sleep(HALF_MILLIS); // Requests before the stall.
        stall.run();
        Thread.sleep(HALF_MILLIS); // Requests after it.
        phases.measureToPause();
        assertThat(phases.awaitPause()).isTrue();
        phases.pauseToEnd();
        CallRecorder sum = new CallRecorder(1);
        callers.forEach(caller -> sum.add(caller.of(Phase.MEASURE)));
        return sum;
    }
}
