// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/** System that a benchmark calls. The score of JMH is valid only if the counter {@code failed} is 0. */
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public abstract class ArmState {

    private OpenedArm opened;

    protected abstract OpenedArm open(Condition condition) throws Exception;

    @Setup(Level.Trial)
    public void open(BenchmarkParams params) throws Exception {
        opened = open(Condition.ofThreads(params.getThreads()));
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        opened.close();
    }

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Caller {

        public long failed;

        private int index;
        private OpenedArm.Cycle cycle;
        private long number;

        @Setup
        public void begin(ThreadParams thread) {
            index = thread.getThreadIndex();
        }
    }

    protected final long run(Caller caller) {
        if (caller.cycle == null) {
            caller.cycle = opened.cycle(caller.index);
        }
        try {
            return caller.cycle.run(caller.number++);
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            caller.failed++;
            return -1;
        }
    }
}
