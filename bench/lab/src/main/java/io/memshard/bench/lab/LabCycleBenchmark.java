// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Arm.Setup;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.machine.Profile;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * JMH benchmark that checks the lab's figures of an arm that needs no server.
 *
 * <p>The arms are the lab's own; threads, warm-up, time stamps and statistics are JMH's. {@link LabCrossCheck} runs the
 * benchmark, because an arm may need libraries of another version.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class LabCycleBenchmark {

    /** Name of an experiment. */
    @Param("pool-cycle")
    public String experiment;

    /** Name of an arm of the experiment. */
    @Param("semaphore-queue")
    public String arm;

    /** Condition as the lab writes it; {@code -t} must give the same number of threads. */
    @Param("threads=1,max=20,hold=none")
    public String condition;

    private OpenedArm opened;

    /** Opens the arm. */
    @org.openjdk.jmh.annotations.Setup(Level.Trial)
    public void open() throws Exception {
        Arm named = Experiments.named(experiment).arm(arm);
        opened = named.opener().open(new Setup(Condition.parse(condition), Profile.CLOUD, null));
    }

    /** Closes the arm. */
    @TearDown(Level.Trial)
    public void close() throws Exception {
        opened.close();
    }

    /** One calling thread. */
    @State(Scope.Thread)
    public static class Caller {

        private OpenedArm.Cycle cycle;
        private long number;

        /** Creates the cycle of this caller. */
        @org.openjdk.jmh.annotations.Setup(Level.Trial)
        public void make(LabCycleBenchmark benchmark, ThreadParams threads) {
            cycle = benchmark.opened.cycle(threads.getThreadIndex());
        }
    }

    /** Runs one cycle. */
    @Benchmark
    public long cycle(Caller caller) throws Exception {
        return caller.cycle.run(caller.number++);
    }
}
