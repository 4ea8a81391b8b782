// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.SpymemcachedClients;
import io.memshard.bench.contender.TemplateContender;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.machine.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.ops.LinkedOperationQueueFactory;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/**
 * Experiment on Template, Connection and array: which of them is fast at which number of threads, and whether the
 * pool's locks are the cause.
 *
 * <p>The article's modes run over the whole range of threads. The causal arms, each with one change, run where the
 * modes differ. If the same clients without a pool are as slow as the pool, the pool's locks are not the cause.
 */
public final class Venus extends Experiment {
    /** Parameter of a condition for the memcached: {@value #ONE_WORKER}, or absent for the default. */
    private static final String SERVER = "server";

    private static final String ONE_WORKER = "one-worker";

    private static final List<Integer> CAUSAL_THREADS = List.of(8, 64, 300);
    private static final int SMALL = 10;
    private static final int LARGE = 1024;

    private static final List<String> TWO = List.of("connection", "template");
    /** The article's modes, and the same modes with Memshard. */
    private static final List<String> MODES = List.of(
            "connection",
            "template",
            "array-round-robin",
            "array-thread-id",
            "memshard-template",
            "memshard-connection",
            "memshard-array-round-robin",
            "memshard-array-thread-id");

    /** Microseconds for which a borrow, and again a return, holds the injected lock. */
    private static final List<Integer> DOSES = List.of(0, 5, 20);

    /** Makes the experiment. */
    public Venus() {
        super("venus", "get");
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
                .withProfiles(Plan.cross(List.of(middle), List.of("connection", "template", "pool-lock-20us")));
    }

    private Plan full() {
        List<String> profiled = List.of(
                "connection", "template", "array-thread-id", "memshard", "pool", "pool-lock-free", "pool-lock-20us");
        // With two seconds of warm-up many arms of 64 threads or more got faster while they were measured.
        return Plan.of(claimed(), 6, Duration.ofSeconds(5), Duration.ofSeconds(2))
                .withProfiles(Plan.cross(List.of(value(64, LARGE), value(300, LARGE)), profiled))
                .withAside(aside(), 3);
    }

    /** Returns the cells that decide on claims. */
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
                        List.of("pool", "pool-lock-free", "pool-affine", "pool-lock-20us")));
    }

    /**
     * Returns additional cells: the other modes, all causal arms, small values, one worker, a network, one processor.
     */
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

    @Override
    public List<Arm> arms() {
        List<Arm> arms = new ArrayList<>();
        arms.add(contender("connection", ContenderKind.CONNECTION));
        arms.add(contender("template", ContenderKind.TEMPLATE));
        arms.add(contender("array-round-robin", ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN));
        arms.add(contender("array-thread-id", ContenderKind.SPYMEMCACHED_ARRAY_THREAD_ID));
        arms.add(Arm.of("memshard-template", "MemcachedTemplate over a pool of Memshard clients", setup -> {
            ContenderSettings settings = Keys.settings(setup);
            return Keys.arm(setup, TemplateContender.pooledMemshard(settings, settings.poolSize()));
        }));
        arms.add(contender("memshard-connection", ContenderKind.MEMSHARD_SINGLE));
        arms.add(contender("memshard-array-round-robin", ContenderKind.MEMSHARD_ROUND_ROBIN));
        arms.add(contender("memshard-array-thread-id", ContenderKind.MEMSHARD_THREAD_ID));
        arms.add(contender("memshard", ContenderKind.MEMSHARD_STICKY));
        arms.add(contender("xmemcached", ContenderKind.XMEMCACHED));
        arms.add(contender("socket-per-thread", ContenderKind.SOCKET_PER_THREAD));
        arms.addAll(causesInThePool());
        arms.add(connection(
                "connection-linked-queue",
                "one client, operation queue LinkedBlockingQueue",
                builder -> builder.setOpQueueFactory(new LinkedOperationQueueFactory())));
        arms.add(connection(
                "connection-optimized",
                "one client, shouldOptimize: adjacent gets become one",
                builder -> builder.setShouldOptimize(true)));
        return List.copyOf(arms);
    }

    /** Returns arms that use Template's pool without the template, each with one difference from that pool. */
    private static List<Arm> causesInThePool() {
        List<Arm> arms = new ArrayList<>();
        arms.add(commons("pool", "the pool of template", config -> {}));
        arms.add(commons("pool-max-idle-8", "the default of 8 idle clients", config -> config.setMaxIdle(8)));
        arms.add(commons("pool-fair", "a fair lock", config -> config.setFairness(true)));
        arms.add(commons("pool-no-statistics", "less", config -> config.setCollectDetailedStatistics(false)));
        arms.add(commons("pool-fifo", "first in, first out", config -> config.setLifo(false)));
        arms.add(pooled(
                "pool-affine",
                "the same clients by affinity, without a pool",
                settings -> ClientPools.owned(SpymemcachedClients.open(settings, settings.poolSize()))));
        arms.add(pooled("pool-lock-free", "the same clients without exclusive locks", ClientPools::lockFree));
        for (int dose : DOSES) {
            arms.add(pooled(
                    "pool-lock-" + dose + "us",
                    "the pool without locks behind one that borrow and return hold for " + dose + " us",
                    settings -> ClientPools.injected(settings, dose)));
        }
        return arms;
    }

    static Arm contender(String name, ContenderKind kind) {
        return Arm.of(name, kind.description(), setup -> Keys.arm(setup, kind.open(Keys.settings(setup))));
    }

    private static Arm connection(String name, String description, Consumer<ConnectionFactoryBuilder> change) {
        return pooled(
                name, description, settings -> ClientPools.owned(List.of(SpymemcachedClients.open(settings, change))));
    }

    private static Arm commons(
            String name, String description, Consumer<GenericObjectPoolConfig<MemcachedClient>> change) {
        return pooled(name, description, settings -> ClientPools.commons(settings, change));
    }

    private interface PoolOpener {
        Keys.Source open(ContenderSettings settings) throws Exception;
    }

    private static Arm pooled(String name, String description, PoolOpener opener) {
        return Arm.of(name, description, setup -> Keys.arm(setup, opener.open(Keys.settings(setup))));
    }
}
