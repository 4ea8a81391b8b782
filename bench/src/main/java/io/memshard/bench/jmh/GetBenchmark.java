// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.locks.LoadEvent;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
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

    private final LongAdder made = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private LoadEvent event;

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

        /**
         * Begins the load of an iteration, which a recording of its waits has as an event. The first thread does this
         * alone: for a state of all threads, JMH would let the others spin meanwhile.
         */
        @Setup(Level.Iteration)
        public void begin(GetBenchmark all, OpenContender client, BenchmarkParams params, ThreadParams thread) {
            if (thread.getThreadIndex() == 0) {
                all.made.reset();
                all.failed.reset();
                all.event = LoadEvent.begun(
                        client.contender.label(),
                        client.contender.sockets(client.settings(), params.getThreads()),
                        params.getThreads());
            }
        }

        /** Ends the load of an iteration. */
        @TearDown(Level.Iteration)
        public void end(GetBenchmark all, ThreadParams thread) {
            if (thread.getThreadIndex() == 0) {
                all.event.end(all.made.sum() - all.failed.sum(), all.failed.sum());
            }
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
            stopIfEnded(e);
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
            stopIfEnded(e);
        }
        return counted(right, caller);
    }

    private boolean counted(boolean right, Caller caller) {
        made.increment();
        if (!right) {
            failed.increment();
            caller.failed++;
        }
        return right;
    }

    private static void stopIfEnded(Exception e) {
        if (e instanceof UnsupportedOperationException unsupported) {
            throw unsupported;
        }
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}
