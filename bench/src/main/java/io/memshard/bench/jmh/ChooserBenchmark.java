// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.ConnectionChooser.Candidates;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
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
import org.openjdk.jmh.annotations.Warmup;

/** Benchmark of the choosers of connections. The simulated connections are always ready and idle. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class ChooserBenchmark {

    private record Idle(int size) implements Candidates {

        @Override
        public boolean isReady(int index) {
            return true;
        }

        @Override
        public int inFlight(int index) {
            return 0;
        }
    }

    @Param({"ROUND_ROBIN", "STICKY", "THREAD_ID", "LEAST_IN_FLIGHT"})
    public String chooser;

    @Param({"2", "20"})
    public int connections;

    private ConnectionChooser made;
    private Candidates candidates;

    @Setup(Level.Trial)
    public void make() {
        made = switch (chooser) {
            case "ROUND_ROBIN" -> ConnectionChooser.roundRobin();
            case "THREAD_ID" -> ConnectionChooser.threadAffinity();
            case "LEAST_IN_FLIGHT" -> ConnectionChooser.leastInFlight();
            case "STICKY" -> ConnectionChooser.stickyRoundRobin();
            default -> throw new IllegalArgumentException("unknown chooser " + chooser);
        };
        candidates = new Idle(connections);
    }

    @Benchmark
    public int choose() {
        return made.choose(candidates);
    }
}
