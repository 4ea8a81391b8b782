// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.pool.Queues;
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

/** Benchmark of the queues and patterns of {@link io.memshard.bench.lab.pool.Queues}. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
@Fork(3)
@NullUnmarked // JMH sets the fields that start as null.
public class QueueBenchmark extends ArmState {

    @Param({"array-blocking-queue", "linked-blocking-deque", "linked-blocking-queue", "linked-transfer-queue"})
    public String queue;

    @Param({"pool", "client-drain"})
    public String pattern;

    @Override
    protected OpenedArm open(Condition condition) throws Exception {
        Condition used = condition.with("pattern", pattern);
        return new Queues().arm(queue).opener().open(new Arm.Setup(used, Profile.CLOUD, List.of()));
    }

    @Benchmark
    public long cycle(Caller caller) {
        return run(caller);
    }
}
