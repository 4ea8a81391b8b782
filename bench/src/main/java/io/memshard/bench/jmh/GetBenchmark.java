// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Benchmark of gets. For virtual threads, add {@code -jvmArgsAppend -Djmh.executor=VIRTUAL}, on JDK 21 or later. */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class GetBenchmark extends ClientState {

    @Benchmark
    public long get(Caller caller) {
        return run(caller);
    }
}
