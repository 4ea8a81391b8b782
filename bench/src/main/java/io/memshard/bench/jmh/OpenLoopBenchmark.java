// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.jmh.OpenLoop.Figures;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of latency: how long does a get take when requests come at a given rate and do not wait for the client?
 *
 * <p>One shot is one load: requests at random times, as from many independent users (Poisson), the same for all
 * clients. The time of a request is from when it was due until its end, so it includes the wait for a free caller. The
 * score is only the length of the shot; the figures are the secondary results. A client is {@code saturated} if it
 * serves less than is offered and its backlog grows to the end; then its percentiles depend on the length of the shot.
 * A shot is void, {@code coldOrLate}, if it warmed up for less than 10 s. The same holds if free callers began requests
 * late by more than a fifth of the median, 99 of 100 times.
 *
 * <p>Not measured: how much a client can do, which {@link GetBenchmark} shows, and a network.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(10)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class OpenLoopBenchmark {

    /** Kinds of callers. */
    public enum Callers {
        /** Threads of a service, each of which waits for its reply. */
        BLOCKING,
        /** The same as virtual threads, on JDK 21 or later. */
        VIRTUAL,
        /** Two threads that wait for no reply, whatever {@link #threads} says. */
        ASYNCHRONOUS
    }

    private static final int ASYNCHRONOUS_CALLERS = 2;

    /** Kind of the callers. */
    @Param("BLOCKING")
    public Callers callers;

    /** Number of callers. */
    @Param("64")
    public int threads;

    /** Requests a second, all callers together. */
    @Param({"5000", "20000"})
    public int rate;

    /** Seconds of load before the measurement. */
    @Param("10")
    public int warmUpSeconds;

    /** Seconds of the measurement. */
    @Param("30")
    public int seconds;

    /** Figures of a shot. Times are in microseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Shot {
        public long offered;
        public long served;
        public long failed;
        public double p50;
        public double p99;
        public double p999;
        public double lagP99;
        public long saturated;
        public long coldOrLate;

        private void take(Figures figures) {
            offered = figures.offered();
            served = figures.served();
            failed = figures.failed();
            p50 = figures.p50Micros();
            p99 = figures.p99Micros();
            p999 = figures.p999Micros();
            lagP99 = figures.lagP99Micros();
            saturated = figures.isSaturated() ? 1 : 0;
            coldOrLate = figures.isVoid() ? 1 : 0;
        }
    }

    /** Puts the load on the client. */
    @Benchmark
    public void load(OpenContender client, Shot shot) throws Exception {
        boolean isAsynchronous = callers == Callers.ASYNCHRONOUS;
        if (isAsynchronous) {
            future(client, 0).get();
        }
        int number = isAsynchronous ? ASYNCHRONOUS_CALLERS : threads;
        SplittableRandom[] keys = new SplittableRandom[number];
        for (int i = 0; i < number; i++) {
            keys[i] = new SplittableRandom(i);
        }
        OpenLoop.Load load = new OpenLoop.Load(
                rate,
                number,
                callers == Callers.VIRTUAL,
                Duration.ofSeconds(warmUpSeconds),
                Duration.ofSeconds(seconds));
        shot.take(new OpenLoop(load, caller -> {
                    int key = keys[caller].nextInt(OpenContender.KEYS);
                    return isAsynchronous ? sent(client, key) : got(client, key);
                })
                .run());
    }

    private static CompletableFuture<Boolean> got(OpenContender client, int key) throws Exception {
        if (!client.get(key)) {
            throw new IllegalStateException("a wrong value");
        }
        return null;
    }

    private static CompletableFuture<Boolean> sent(OpenContender client, int key) throws Exception {
        return future(client, key).thenApply(value -> client.isValueOf(key, value));
    }

    private static CompletableFuture<byte[]> future(OpenContender client, int key) throws Exception {
        Future<byte[]> reply = client.send(key);
        if (reply instanceof CompletableFuture<byte[]> future) {
            return future;
        }
        throw new UnsupportedOperationException(
                client.contender.label() + " has no replies that complete by themselves");
    }
}
