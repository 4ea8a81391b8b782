// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.lab.run.ArmLoad;
import io.memshard.bench.server.PlainSocket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/** Benchmark of one system of an experiment: how many calls per second do {@code -t} threads complete? */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields that start as null.
public class ArmBenchmark {

    private static final String NO_SERVER = "none";

    @Param("pool-cycle")
    public String experiment;

    @Param("semaphore-queue")
    public String arm;

    @Param("threads=1,max=20,hold=none")
    public String condition;

    @Param("CLOUD")
    public Profile profile;

    @Param(NO_SERVER)
    public String server;

    @Param("1")
    public int batch;

    private ArmLoad load;

    protected Experiment experiment(String name) {
        return name.equals(Clients.NAME) ? new Clients() : Experiments.named(name);
    }

    /** Opens the system. Exceptions have no cause, because JMH's parent process may lack the class of the cause. */
    @Setup(Level.Trial)
    public void open(BenchmarkParams params) {
        Condition under = Condition.parse(condition).withThreads(params.getThreads());
        List<InetSocketAddress> at = server.equals(NO_SERVER) ? List.of() : PlainSocket.parseAll(server);
        OpenedArm opened;
        try {
            Arm named = experiment(experiment).arm(arm);
            opened = named.opener().open(new Arm.Setup(under, profile, at));
        } catch (Exception | LinkageError e) {
            ArmLoad.failed(e);
            throw new IllegalStateException(e.toString());
        }
        load = new ArmLoad(opened, under, batch);
    }

    @State(Scope.Thread)
    public static class Caller {

        private int number;
        private ArmLoad.Caller caller;

        @Setup(Level.Trial)
        public void number(ThreadParams threads) {
            number = threads.getThreadIndex();
        }
    }

    @Benchmark
    public long cycle(Caller caller) {
        if (caller.caller == null) {
            caller.caller = load.caller(caller.number);
        }
        return caller.caller.run();
    }
}
