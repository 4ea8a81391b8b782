// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.memshard.bench.jmh.OpenLoop.Call;
import io.memshard.bench.jmh.OpenLoop.Figures;
import io.memshard.bench.jmh.OpenLoop.Load;
import io.memshard.bench.machine.VirtualThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** An open loop sees what a closed one omits: the requests that were due while nothing was answered. */
class OpenLoopTest {

    private static final int RATE = 2000;
    private static final int CALLERS = 8;
    private static final long STALL_MILLIS = 200;
    private static final double SEEN_MICROS = 100_000;
    private static final Duration WARM = Duration.ofSeconds(10);

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
        assertThat(arrivals.countBetween(due[10], due[1000])).isEqualTo(990);
    }

    @Test
    void allClientsGetTheSameArrivals() {
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
        AtomicInteger calls = new AtomicInteger();

        Figures figures = measured(caller -> {
            lock.lock();
            try {
                if (calls.incrementAndGet() == RATE / 2) {
                    Thread.sleep(STALL_MILLIS); // The stall.
                }
            } finally {
                lock.unlock();
            }
            return null;
        });

        assertThat(figures.p99Micros()).isGreaterThan(SEEN_MICROS);
        assertThat(figures.failed()).isZero();
    }

    @Test
    void aReplyThatNoCallerWaitsForIsTimedFromWhenItWasDue() throws Exception {
        Figures figures = measured(caller -> {
            CompletableFuture<Boolean> reply = new CompletableFuture<>();
            reply.completeOnTimeout(true, STALL_MILLIS, TimeUnit.MILLISECONDS);
            return reply;
        });

        assertThat(figures.p50Micros()).isGreaterThan(SEEN_MICROS);
        assertThat(figures.failed()).isZero();
    }

    @Test
    void failuresAndWrongValuesAreCountedAndEndNothing() throws Exception {
        AtomicInteger calls = new AtomicInteger();

        Figures figures = measured(caller -> switch (calls.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("on purpose");
            case 2 -> CompletableFuture.completedFuture(false);
            default -> null;
        });

        assertThat(figures.failed()).isEqualTo(2);
        assertThat(figures.served()).isPositive();
    }

    @Test
    void virtualThreadsCallToo() throws Exception {
        boolean areThere = VirtualThreads.areThere();
        AtomicInteger calls = new AtomicInteger();
        Load load = new Load(RATE, CALLERS, areThere, Duration.ofMillis(50), Duration.ofMillis(200));

        new OpenLoop(load, caller -> {
                    calls.incrementAndGet();
                    return null;
                })
                .run();

        assertThat(calls).hasPositiveValue();
    }

    private static Figures measured(Call call) throws InterruptedException {
        Load load = new Load(RATE, CALLERS, false, Duration.ofMillis(100), Duration.ofSeconds(1));
        return new OpenLoop(load, call).run();
    }

    @Test
    void aClientIsSaturatedThatServesLessThanIsOfferedWhileItsBacklogGrows() {
        assertThat(figures(95_000, 2_500, 2_500, WARM, 20).isSaturated()).isTrue();
        assertThat(figures(99_500, 250, 250, WARM, 20).isSaturated())
                .as("noise")
                .isFalse();
        assertThat(figures(97_000, 3_000, 0, WARM, 20).isSaturated())
                .as("a backlog that no longer grows")
                .isFalse();
        assertThat(figures(110_000, -5_000, -5_000, WARM, 20).isSaturated())
                .as("more served than offered")
                .isFalse();
    }

    @Test
    void figuresOfAColdJvmOrOfLateCallersAreVoid() {
        assertThat(figures(100_000, 0, 0, WARM, 20).isVoid()).isFalse();
        assertThat(figures(100_000, 0, 0, WARM, 21).isVoid()).isTrue();
        assertThat(figures(100_000, 0, 0, WARM.minusMillis(1), 20).isVoid()).isTrue();
    }

    private static Figures figures(long served, long grown, long grownLate, Duration warmUp, double lagMicros) {
        return new Figures(warmUp, 64, 100_000, served, 0, grown, grownLate, 100, 1_000, 10_000, lagMicros);
    }
}
