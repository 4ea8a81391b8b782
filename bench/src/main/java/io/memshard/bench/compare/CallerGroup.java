// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.compare;

import io.memshard.bench.command.BenchException;
import io.memshard.bench.contender.CallRecorder;
import io.memshard.bench.contender.Contender;
import io.memshard.bench.machine.HiccupMeter;
import io.memshard.bench.machine.Meter;
import io.memshard.bench.machine.ProcessFiles;
import io.memshard.bench.machine.VirtualThreads;
import io.memshard.bench.result.Condition;
import io.memshard.bench.result.SliceResult.Fairness;
import io.memshard.bench.result.SliceResult.Readings;
import io.memshard.bench.result.SliceResult.Scheduling;
import io.memshard.bench.server.Keyspace;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Callers of one condition. Each has a thread, which lives through all slices. So no slice pays for starting threads,
 * and thread ids do not change.
 *
 * <p>Threading: {@link #call} and {@link #close} belong to one thread.
 *
 * <p>Memory effects: a slice lies between two barriers. The callers see what the thread in {@link #call} writes before
 * the first barrier. That thread sees what the callers write before the second barrier.
 */
final class CallerGroup implements AutoCloseable {

    /** Maximum time by which a slice may exceed its length, enough for many consecutive time-outs. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Caller[] callers;
    private final CyclicBarrier start;
    private final CyclicBarrier end;

    // Written by the thread that owns the group between two slices.
    private @Nullable Contender contender;
    private long lengthNanos;

    // Written by the barrier actions, each by the last thread to arrive.
    private Reading started;
    private Reading ended;

    /**
     * Starts the callers, which wait for the first slice. {@code servers} are the processes whose CPU time is read;
     * empty if they are unknown.
     */
    CallerGroup(Condition condition, Keyspace keyspace, long seed, List<Long> servers) {
        int size = condition.threads();
        callers = new Caller[size];
        started = Reading.atStart(servers);
        ended = started;
        start = new CyclicBarrier(size + 1, () -> started = Reading.atStart(servers));
        end = new CyclicBarrier(size + 1, () -> ended = Reading.atEnd(servers));
        ThreadFactory threads = VirtualThreads.callers(condition.callers() == Condition.Callers.VIRTUAL);
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < size; i++) {
            Caller caller = Caller.of(condition, keyspace, seeds.nextLong());
            callers[i] = caller;
            threads.newThread(() -> work(caller)).start();
        }
    }

    /**
     * Slice of one contender: the calls of all callers, and the readings of the machine. It lasts from the release of
     * the callers to the end of the last one.
     */
    record Slice(CallRecorder recorder, long elapsedNanos, long cpuNanos, Fairness fairness, Readings readings) {}

    /**
     * Clocks and counters of client, server and machine at one end of a slice. The CPU time of an unknown server is
     * NaN.
     */
    private record Reading(Meter clocks, Counters counters) {
        /** Reads the clocks last, because the preceding work is not part of the slice. */
        static Reading atStart(List<Long> servers) {
            Counters counters = Counters.read(servers);
            return new Reading(Meter.read(), counters);
        }

        /** Reads the clocks first, because the work that follows is not part of the slice. */
        static Reading atEnd(List<Long> servers) {
            Meter clocks = Meter.read();
            return new Reading(clocks, Counters.read(servers));
        }

        Readings since(Reading before, HiccupMeter hiccups) {
            Counters first = before.counters;
            return new Readings(
                    Math.rint((counters.serverCpuSeconds - first.serverCpuSeconds) * 1e9),
                    (double) Math.max(0, counters.switches - first.switches),
                    hiccups.p99Micros(),
                    hiccups.maxMicros(),
                    clocks.stealFractionSince(before.clocks),
                    new Scheduling(
                            (double) (counters.interrupts - first.interrupts),
                            (double) Math.max(0, counters.migrations - first.migrations),
                            clocks.idleFractionSince(before.clocks),
                            counters.busiestSince(first)));
        }
    }

    /**
     * Counters of the kernel at one end of a slice; {@code workers} has the CPU time of each server thread by its id.
     */
    private record Counters(
            double serverCpuSeconds, long switches, long migrations, long interrupts, Map<Long, Long> workers) {
        static Counters read(List<Long> servers) {
            return new Counters(
                    servers.isEmpty()
                            ? Double.NaN
                            : servers.stream()
                                    .mapToDouble(ProcessFiles::cpuSeconds)
                                    .sum(),
                    ProcessFiles.ownSwitches(),
                    ProcessFiles.ownMigrations(),
                    ProcessFiles.interrupts(),
                    ProcessFiles.threadCpuNanos(servers));
        }

        double busiestSince(Counters before) {
            return workers.entrySet().stream()
                    .mapToDouble(
                            worker -> (double) (worker.getValue() - before.workers.getOrDefault(worker.getKey(), 0L)))
                    .max()
                    .orElse(Double.NaN);
        }
    }

    /**
     * Makes every caller call {@code contender} for {@code length}.
     *
     * @throws BenchException if a caller does not return in time
     */
    Slice call(Contender contender, Duration length) {
        this.contender = contender;
        this.lengthNanos = length.toNanos();
        HiccupMeter hiccups = new HiccupMeter();
        hiccups.start();
        try {
            start.await();
            end.await(length.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
            hiccups.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        } catch (BrokenBarrierException | TimeoutException e) {
            throw new BenchException("a caller did not come back from its call", e);
        }
        Fairness fairness = Fairness.of(Arrays.stream(callers)
                .mapToDouble(caller -> (double) caller.recorder.calls())
                .toArray());
        CallRecorder sum = new CallRecorder(Caller.FINEST_NANOS);
        for (Caller caller : callers) {
            sum.add(caller.recorder);
            caller.recorder.clear();
        }
        return new Slice(
                sum,
                ended.clocks.nanos() - started.clocks.nanos(),
                ended.clocks.cpuNanos() - started.clocks.cpuNanos(),
                fairness,
                ended.since(started, hiccups));
    }

    private void work(Caller caller) {
        try {
            while (true) {
                start.await();
                Contender called = contender;
                if (called == null) {
                    return;
                }
                caller.callUntil(started.clocks().nanos() + lengthNanos, called);
                end.await();
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            // The owner gave up.
        } finally {
            start.reset();
            end.reset();
        }
    }

    /** Ends the threads of the callers. */
    @Override
    public void close() {
        contender = null;
        try {
            start.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (BrokenBarrierException | TimeoutException e) {
            // The threads are daemons, and end with the process.
        }
    }
}
