// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.result.ProcessFiles;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Benchmark of the latency of gets that come at a given rate.
 *
 * <p>The time of a request begins when the request is due. If {@code saturated} is 1, the percentiles depend on the
 * length of the measurement. If {@code late} is 1, the percentiles are invalid.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(64)
@Warmup(iterations = 1, time = 10)
@Measurement(iterations = 1, time = 30)
@Fork(10)
@NullUnmarked // JMH sets the fields that start as null.
public class OpenLoopBenchmark extends ClientState {

    private static final double MOST_BACKLOG = 0.01;
    private static final double MOST_LAG = 0.2;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Requests per second of all threads together. */
    @Param({"5000", "20000"})
    public int rate;

    private final ConcurrentHistogram latency = new ConcurrentHistogram(LONGEST_NANOS, 3);
    private final ConcurrentHistogram lag = new ConcurrentHistogram(LONGEST_NANOS, 3);
    private Arrivals arrivals;

    @Setup(Level.Iteration)
    public void begin() {
        latency.reset();
        lag.reset();
        arrivals = new Arrivals(rate);
    }

    /** Results of one iteration, in microseconds. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Figures {
        public double p50;
        public double p99;
        public double p999;
        public double lagP99;
        public long saturated;
        public long late;

        @Setup
        public void begin() {
            ProcessFiles.wakePrecisely();
        }

        @TearDown(Level.Iteration)
        public void end(OpenLoopBenchmark all, ThreadParams thread) {
            if (thread.getThreadIndex() == 0) {
                p50 = all.latency.getValueAtPercentile(50) / 1e3;
                p99 = all.latency.getValueAtPercentile(99) / 1e3;
                p999 = all.latency.getValueAtPercentile(99.9) / 1e3;
                lagP99 = all.lag.getValueAtPercentile(99) / 1e3;
                saturated = all.arrivals.backlog() > MOST_BACKLOG ? 1 : 0;
                late = lagP99 > MOST_LAG * p50 ? 1 : 0;
            }
        }
    }

    @Benchmark
    public long get(Caller caller, Figures figures, Control control) {
        long due = arrivals.take();
        boolean isFree = System.nanoTime() - due < 0;
        Arrivals.await(due, () -> control.stopMeasurement);
        if (isFree) {
            lag.recordValue(Math.max(0, System.nanoTime() - due));
        }
        long length = run(caller);
        latency.recordValue(Math.min(LONGEST_NANOS, Math.max(0, System.nanoTime() - due)));
        return length;
    }
}
