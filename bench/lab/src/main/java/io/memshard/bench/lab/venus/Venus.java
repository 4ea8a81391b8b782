// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Template, Connection or an array: which of them is fast at how many threads, and is it the pool's locks that decide?
 *
 * <p>The article's modes run over the whole range of threads. The causal arms run where the modes differ: they change
 * one thing each. If the same clients without a pool are as slow as the pool, its locks are not the cause.
 */
public final class Venus implements Experiment {

    /** Parameter of a condition with the memcached: {@value #ONE_WORKER}, or the default. */
    static final String SERVER = "server";

    static final String ONE_WORKER = "one-worker";

    private static final List<Integer> THREADS = List.of(1, 2, 4, 8, 16, 32, 64, 100, 200, 300, 500);
    private static final List<Integer> CAUSAL_THREADS = List.of(8, 64, 300);
    private static final List<Integer> ROUND_TRIPS_MICROS = List.of(200, 500, 1000);
    private static final int BLOCKS = 6;
    private static final int SMALL = 10;
    private static final int LARGE = 1024;

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

    @Override
    public String name() {
        return "venus";
    }

    @Override
    public String question() {
        return "Is a pool of memcached clients slower than one client or an array of clients, from how many threads on,"
                + " and are its locks the reason?";
    }

    @Override
    public String unit() {
        return "get";
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

    private static Plan quick() {
        Condition eight = value(8, LARGE);
        List<Plan.Cell> cells = new ArrayList<>(
                Plan.cross(List.of(value(2, LARGE), eight, value(64, LARGE)), List.of("connection", "template")));
        cells.addAll(Plan.cross(List.of(eight), others(List.of("connection", "template"), names())));
        cells.addAll(Plan.cross(
                List.of(eight.with(SERVER, ONE_WORKER), eight.with(Condition.ROUND_TRIP, "500us")),
                List.of("connection")));
        return new Plan(
                cells,
                1,
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                0,
                1,
                Plan.cross(List.of(value(64, LARGE)), List.of("connection", "template", "pool-lock-20us")));
    }

    private static Plan full() {
        List<Condition> profiled = List.of(value(64, LARGE), value(300, LARGE));
        return new Plan(
                        claimed(),
                        BLOCKS,
                        // With two seconds many arms of 64 threads or more got faster while they were measured.
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2),
                        0,
                        1,
                        Plan.cross(
                                profiled,
                                List.of(
                                        "connection",
                                        "template",
                                        "array-thread-id",
                                        "memshard",
                                        "pool",
                                        "pool-lock-free",
                                        "pool-lock-20us")))
                .withAside(aside(), 3);
    }

    /** What claims are judged by. */
    private static List<Plan.Cell> claimed() {
        List<Plan.Cell> cells = new ArrayList<>();
        for (int threads : THREADS) {
            cells.addAll(Plan.cross(List.of(value(threads, LARGE)), List.of("connection", "template")));
        }
        Condition middle = value(64, LARGE);
        cells.addAll(Plan.cross(
                List.of(middle),
                List.of("socket-per-thread", "connection-linked-queue", "array-thread-id", "array-round-robin")));
        cells.addAll(Plan.cross(List.of(middle.with(SERVER, ONE_WORKER)), List.of("connection", "array-thread-id")));
        cells.addAll(Plan.cross(
                List.of(value(300, LARGE)), List.of("pool", "pool-lock-free", "pool-affine", "pool-lock-20us")));
        return cells;
    }

    /** The wider picture: the other modes, every cause, small values, one worker, a network, one processor. */
    private static List<Plan.Cell> aside() {
        List<Plan.Cell> cells = new ArrayList<>();
        for (int threads : List.of(1, 8, 64, 300)) {
            cells.addAll(Plan.cross(List.of(value(threads, LARGE)), others(List.of("connection", "template"), MODES)));
        }
        for (int threads : CAUSAL_THREADS) {
            cells.addAll(Plan.cross(List.of(value(threads, LARGE)), others(MODES, names())));
        }
        List<String> few = List.of("connection", "template", "array-thread-id", "memshard");
        cells.addAll(Plan.cross(List.of(value(64, SMALL), value(64, LARGE).with(SERVER, ONE_WORKER)), few));
        for (int micros : ROUND_TRIPS_MICROS) {
            for (int threads : CAUSAL_THREADS) {
                cells.addAll(Plan.cross(List.of(value(threads, LARGE).with(Condition.ROUND_TRIP, micros + "us")), few));
            }
        }
        for (int threads : List.of(1, 2)) {
            cells.addAll(Plan.cross(List.of(value(threads, LARGE).with(Condition.CPUS, 1)), few));
        }
        return cells;
    }

    private static List<String> names() {
        return VenusArms.all().stream().map(Arm::name).toList();
    }

    /** All of {@code arms} but {@code those}. */
    private static List<String> others(List<String> those, List<String> arms) {
        return arms.stream().filter(name -> !those.contains(name)).toList();
    }

    private static Condition value(int threads, int bytes) {
        return Condition.ofThreads(threads).with(Keys.VALUE, bytes);
    }
}
