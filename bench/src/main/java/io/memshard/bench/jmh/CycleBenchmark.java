// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.pool.PoolCycle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/** Benchmark of pools. The results show which pool is faster, but not by which factor. */
@BenchmarkMode({Mode.Throughput, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
@Fork(3)
@NullUnmarked // JMH sets the fields that start as null.
public class CycleBenchmark extends ArmState {

    @Param({
        "commons-pool2-2.13.1",
        "commons-pool2-2.13.1-fair",
        "commons-pool2-2.13.1-no-statistics",
        "linked-blocking-deque",
        "semaphore-queue",
        "semaphore-queue-fair",
        "array-round-robin",
        "array-thread-id"
    })
    public String pool;

    @Param("20")
    public int size;

    @Param({"none", "park-200us"})
    public String hold;

    @Override
    protected OpenedArm open(Condition condition) throws Exception {
        Condition sized = condition.with("max", size).with("hold", hold);
        return new PoolCycle().arm(pool).opener().open(new Arm.Setup(sized, Profile.CLOUD, List.of()));
    }

    @Benchmark
    public long cycle(Caller caller) {
        return run(caller);
    }
}
