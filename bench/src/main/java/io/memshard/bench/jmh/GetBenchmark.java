// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.contender.ContenderSettings;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Benchmark of gets: how many does a client make a second, and how long does one take, with {@code -t} threads in a
 * closed loop?
 *
 * <p>The figures cover client, kernel and memcached together, on one machine. Every byte of each value is compared. Not
 * measured: misses, sets and a network. {@link OpenLoopBenchmark} measures how long a get takes at a given load.
 *
 * <p>A get that fails or has a wrong value is counted in {@code failed}, and the iteration goes on. In JMH's score a
 * failed get is a get: a figure with {@code failed} above 0 is none. {@link #getAsync} keeps {@link #inFlight} gets of
 * each thread in flight, and one operation is the wait for the oldest. For virtual threads add {@code -jvmArgsAppend
 * -Djmh.executor=VIRTUAL}, on JDK 21 or later.
 */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(3)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class GetBenchmark {

    /** Number of gets that each thread of {@link #getAsync} keeps in flight. */
    @Param("16")
    public int inFlight;

    /** One calling thread, with the gets that it has in flight. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Caller {

        /** Number of gets that failed. */
        public long failed;

        private final Queue<Sent> sent = new ArrayDeque<>();
        private SplittableRandom random;

        /** Seeds the keys with the number of the thread. */
        @Setup
        public void seed(ThreadParams thread) {
            random = new SplittableRandom(thread.getThreadIndex());
        }
    }

    private record Sent(int key, Future<byte[]> reply) {}

    /** Gets a key that exists, and waits for its value. */
    @Benchmark
    public boolean get(OpenContender client, Caller caller) {
        boolean right = false;
        try {
            right = client.get(caller.random.nextInt(OpenContender.KEYS));
        } catch (Exception e) {
            OpenContender.stopIfEnded(e);
        }
        return counted(right, caller);
    }

    /** Sends gets until enough are in flight, and waits for the value of the oldest. */
    @Benchmark
    public boolean getAsync(OpenContender client, Caller caller) {
        boolean right = false;
        try {
            while (caller.sent.size() < inFlight) {
                int key = caller.random.nextInt(OpenContender.KEYS);
                caller.sent.add(new Sent(key, client.send(key)));
            }
            Sent oldest = caller.sent.remove();
            // The client's own time-out comes first.
            long millis = 2 * ContenderSettings.TIMEOUT.toMillis();
            right = client.isValueOf(oldest.key, oldest.reply.get(millis, TimeUnit.MILLISECONDS));
        } catch (Exception e) {
            OpenContender.stopIfEnded(e);
        }
        return counted(right, caller);
    }

    private static boolean counted(boolean right, Caller caller) {
        caller.failed += right ? 0 : 1;
        return right;
    }
}
