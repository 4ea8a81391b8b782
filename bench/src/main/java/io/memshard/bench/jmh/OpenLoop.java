// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.machine.ProcessFiles;
import io.memshard.bench.machine.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/**
 * Load that does not wait for the system under test. Requests are due at the times of {@link Arrivals}. A free caller
 * takes the next request and waits until the request is due. If no caller is free at the due time, the wait of the
 * request for a caller is part of its latency.
 *
 * <p>Threading: {@link #run} on one thread, once. Callers and the threads that complete replies only add to counters
 * and histograms, which are thread-safe.
 */
final class OpenLoop {

    /** Share of the offered requests by which the served ones may be fewer. */
    private static final double MOST_OFF = 0.01;

    private static final Duration SHORTEST_WARM_UP = Duration.ofSeconds(10);
    private static final double MOST_LAG = 0.2;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Time after the measurement in which requests that were due in it may still end. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Load load;
    private final Call call;
    private final Arrivals arrivals;
    private final ConcurrentHistogram latency = new ConcurrentHistogram(LONGEST_NANOS, 3);
    private final ConcurrentHistogram lag = new ConcurrentHistogram(LONGEST_NANOS, 3);
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final long beginNanos;
    private final long middleNanos;
    private final long endNanos;

    /**
     * Load on a system. Threading: immutable.
     *
     * @param rate requests a second, all callers together
     * @param callers number of threads that take requests
     * @param areVirtual whether these are virtual threads
     * @param warmUp time before the measurement, at the same load
     * @param window time of the measurement
     */
    record Load(int rate, int callers, boolean areVirtual, Duration warmUp, Duration window) {}

    /** Request of a system under test. Called by many threads. */
    @FunctionalInterface
    interface Call {

        /**
         * Makes one request. Returns null if it has ended with the right result, or its future result, which is false
         * if it is wrong.
         *
         * @param number number of the caller, from 0
         * @throws Exception if the request failed
         */
        @Nullable
        CompletableFuture<Boolean> begin(int number) throws Exception;
    }

    /**
     * Figures of a load.
     *
     * @param warmUp time before the measurement
     * @param callers number of callers, of which each may have a request in flight
     * @param offered number of requests that were due in the measurement
     * @param served number of requests that ended in the measurement, those of a backlog too
     * @param failed number of requests that failed, from the start of the warm-up on
     * @param grown requests by which the backlog grew in the first half of the measurement
     * @param grownLate requests by which it grew in the second half
     * @param p50Micros median time from when a request of the measurement was due until its end
     * @param lagP99Micros time by which a caller that was free began a request late, not exceeded in 99 of 100 requests
     */
    record Figures(
            Duration warmUp,
            int callers,
            long offered,
            long served,
            long failed,
            long grown,
            long grownLate,
            double p50Micros,
            double p99Micros,
            double p999Micros,
            double lagP99Micros) {

        /** Returns whether fewer requests were served than offered, and the backlog grew to the end. */
        boolean isSaturated() {
            double noise = Math.max(MOST_OFF * offered, 2.0 * callers);
            return offered - served > noise && grown > 0 && grownLate > noise / 2;
        }

        /** Returns whether the latencies mean nothing: the JVM was cold, or the callers were late themselves. */
        boolean isVoid() {
            return warmUp.compareTo(SHORTEST_WARM_UP) < 0 || lagP99Micros > MOST_LAG * p50Micros;
        }
    }

    /** Creates a load whose first request is due from now on. */
    OpenLoop(Load load, Call call) {
        this.load = load;
        this.call = call;
        this.arrivals = new Arrivals(load.rate);
        this.beginNanos = System.nanoTime() + load.warmUp.toNanos();
        this.endNanos = beginNanos + load.window.toNanos();
        this.middleNanos = beginNanos + load.window.toNanos() / 2;
    }

    /** Runs the load and returns its figures. */
    Figures run() throws InterruptedException {
        List<Thread> callers = new ArrayList<>();
        ThreadFactory factory = VirtualThreads.callers(load.areVirtual);
        for (int i = 0; i < load.callers; i++) {
            int number = i;
            Thread caller = factory.newThread(() -> callUntilEnd(number));
            callers.add(caller);
            caller.start();
        }
        long begin = endedAt(beginNanos);
        long middle = endedAt(middleNanos);
        long end = endedAt(endNanos);
        for (Thread caller : callers) {
            caller.join(TimeUnit.NANOSECONDS.toMillis(2 * GRACE_NANOS));
        }
        while (ended.sum() < begun.sum() && System.nanoTime() - endNanos < GRACE_NANOS) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        long dueEarly = arrivals.countBetween(beginNanos, middleNanos);
        long dueLate = arrivals.countBetween(middleNanos, endNanos);
        return new Figures(
                load.warmUp,
                load.callers,
                dueEarly + dueLate,
                end - begin,
                failed.sum(),
                dueEarly - (middle - begin),
                dueLate - (end - middle),
                latency.getValueAtPercentile(50) / 1e3,
                latency.getValueAtPercentile(99) / 1e3,
                latency.getValueAtPercentile(99.9) / 1e3,
                lag.getValueAtPercentile(99) / 1e3);
    }

    private long endedAt(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
        return ended.sum();
    }

    private void callUntilEnd(int number) {
        ProcessFiles.wakePrecisely();
        for (long due = arrivals.take(); due - endNanos < 0; due = arrivals.take()) {
            boolean isFree = System.nanoTime() - due < 0;
            waitFor(due);
            long begin = System.nanoTime();
            if (begin - endNanos > GRACE_NANOS || Thread.currentThread().isInterrupted()) {
                return;
            }
            if (isFree && due - beginNanos >= 0) {
                lag.recordValue(begin - due);
            }
            request(number, due);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The callback counts the end.
    private void request(int number, long due) {
        begun.increment();
        try {
            CompletableFuture<Boolean> reply = call.begin(number);
            if (reply == null) {
                ended(due, true);
            } else {
                reply.whenComplete((right, failure) -> ended(due, failure == null && right));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended(due, false);
        } catch (Exception e) {
            ended(due, false);
        }
    }

    /** Counts a request; one that failed counts with the time that it took. */
    private void ended(long due, boolean right) {
        ended.increment();
        if (!right) {
            failed.increment();
        }
        if (due - beginNanos >= 0) {
            latency.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - due));
        }
    }

    private static void waitFor(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, LONGEST_WAIT_NANOS));
        }
    }
}
