// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Template, Connection or an array: which of them is fast at how many threads, and is it the pool's locks that decide?
 *
 * <p>The article's modes run over the whole range of threads. The causal arms run where the modes differ: they change
 * one thing each. If the same clients without a pool are as slow as the pool, its locks are not the cause.
 */
public final class Venus extends Experiment {
    /** Parameter of a condition with the memcached: {@value #ONE_WORKER}, or the default. */
    private static final String SERVER = "server";

    private static final String ONE_WORKER = "one-worker";

    private static final List<Integer> CAUSAL_THREADS = List.of(8, 64, 300);
    private static final int SMALL = 10;
    private static final int LARGE = 1024;

    private static final List<String> TWO = List.of("connection", "template");
    /** The article's modes, and the same three of Memshard. */
    private static final List<String> MODES = List.of(
            "connection",
            "template",
            "array-round-robin",
            "array-thread-id",
            "memshard-template",
            "memshard-connection",
            "memshard-array-round-robin",
            "memshard-array-thread-id");

    /** Makes the experiment. */
    public Venus() {
        super("venus", "get");
    }

    @Override
    public List<Arm> arms() {
        return VenusArms.all();
    }

    @Override
    public ServerNeed serverFor(String arm, Condition condition) {
        return condition.text(SERVER, "").equals(ONE_WORKER) ? ServerNeed.ONE_WORKER : ServerNeed.DEFAULT;
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        return size == Size.QUICK ? quick() : full();
    }

    private Plan quick() {
        Condition eight = value(8, LARGE);
        Condition middle = value(64, LARGE);
        Duration half = Duration.ofMillis(500);
        return Plan.of(
                        Plan.all(
                                Plan.cross(List.of(value(2, LARGE), eight, middle), TWO),
                                Plan.cross(List.of(eight), others(TWO, armNames())),
                                Plan.cross(
                                        List.of(
                                                eight.with(SERVER, ONE_WORKER),
                                                eight.with(Condition.ROUND_TRIP, "500us")),
                                        TWO.subList(0, 1))),
                        1,
                        half,
                        half)
                .withProfiles(Plan.cross(
                        List.of(middle), List.of("connection", "template", "pool-lock-20us", "pool-lock-asleep-20us")));
    }

    private Plan full() {
        List<String> profiled = List.of(
                "connection", "template", "array-thread-id", "memshard", "pool", "pool-lock-free", "pool-lock-20us");
        // With two seconds of warm-up many arms of 64 threads or more got faster while they were measured.
        return Plan.of(claimed(), 6, Duration.ofSeconds(5), Duration.ofSeconds(2))
                .withProfiles(Plan.cross(List.of(value(64, LARGE), value(300, LARGE)), profiled))
                .withAside(aside(), 3);
    }

    /** Returns the cells that claims are judged by. */
    private static List<Plan.Cell> claimed() {
        Condition middle = value(64, LARGE);
        return Plan.all(
                Plan.cross(values(Stream.of(1, 2, 4, 8, 16, 32, 64, 100, 200, 300, 500)), TWO),
                Plan.cross(
                        List.of(middle),
                        List.of(
                                "socket-per-thread",
                                "connection-linked-queue",
                                "array-thread-id",
                                "array-round-robin")),
                Plan.cross(List.of(middle.with(SERVER, ONE_WORKER)), List.of("connection", "array-thread-id")),
                Plan.cross(
                        List.of(value(300, LARGE)),
                        List.of("pool", "pool-lock-free", "pool-affine", "pool-lock-20us", "pool-lock-asleep-20us")));
    }

    /** Returns the wider picture: the other modes, every cause, small values, one worker, a network, one processor. */
    private List<Plan.Cell> aside() {
        List<String> few = List.of("connection", "template", "array-thread-id", "memshard");
        List<Plan.Cell> cells = new ArrayList<>(Plan.all(
                Plan.cross(values(Stream.of(1, 8, 64, 300)), others(TWO, MODES)),
                Plan.cross(values(CAUSAL_THREADS.stream()), others(MODES, armNames())),
                Plan.cross(List.of(value(64, SMALL), value(64, LARGE).with(SERVER, ONE_WORKER)), few)));
        for (int micros : List.of(200, 500, 1000)) {
            for (Condition condition : values(CAUSAL_THREADS.stream())) {
                cells.addAll(Plan.cross(List.of(condition.with(Condition.ROUND_TRIP, micros + "us")), few));
            }
        }
        for (Condition condition : values(Stream.of(1, 2))) {
            cells.addAll(Plan.cross(List.of(condition.with(Condition.CPUS, 1)), few));
        }
        return cells;
    }

    /** Returns all of {@code arms} except {@code excluded}. */
    private static List<String> others(List<String> excluded, List<String> arms) {
        return arms.stream().filter(name -> !excluded.contains(name)).toList();
    }

    private static List<Condition> values(Stream<Integer> threads) {
        return threads.map(number -> value(number, LARGE)).toList();
    }

    private static Condition value(int threads, int bytes) {
        return Condition.ofThreads(threads).with(Keys.VALUE, bytes);
    }
}
