// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.contender;

import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.Experiment;
import io.memshard.bench.lab.experiment.Plan;
import io.memshard.bench.lab.experiment.Profile;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import net.spy.memcached.ops.LinkedOperationQueueFactory;

/** Experiment on whether locks make a pool of clients slower than one client or an array. */
public final class Venus extends Experiment {
    private static final String SERVER = "server";
    private static final String ONE_WORKER = "one-worker";

    private static final List<Integer> CAUSAL_THREADS = List.of(8, 64, 300);

    private static final List<String> TWO = List.of("connection", "template");
    private static final List<String> MODES = List.of(
            "connection",
            "template",
            "array-round-robin",
            "array-thread-id",
            "memshard-template",
            "memshard-connection",
            "memshard-array-round-robin",
            "memshard-array-thread-id");

    /** Microseconds for which each borrow and each return holds the lock that {@link ClientPool#dosed} adds. */
    private static final int DOSE = 20;

    public Venus() {
        super("venus", "get");
    }

    @Override
    public int workersFor(Condition condition) {
        return condition.text(SERVER, "").equals(ONE_WORKER) ? 1 : WORKERS;
    }

    @Override
    public Plan plan(Size size, Profile profile) {
        return size == Size.QUICK ? quick() : full();
    }

    private Plan quick() {
        Condition eight = of(8);
        Duration half = Duration.ofMillis(500);
        return Plan.of(
                        Plan.all(
                                Plan.cross(List.of(of(2), eight, of(64)), TWO),
                                Plan.cross(List.of(eight), others(TWO, armNames())),
                                Plan.cross(
                                        List.of(
                                                eight.with(SERVER, ONE_WORKER),
                                                eight.with(Condition.ROUND_TRIP, "500us")),
                                        TWO.subList(0, 1))),
                        1,
                        half,
                        half)
                .withProfiles(Plan.cross(List.of(of(64)), List.of("connection", "template", "pool-lock-20us")));
    }

    private Plan full() {
        List<String> profiled = List.of(
                "connection", "template", "array-thread-id", "memshard", "pool", "pool-lock-free", "pool-lock-20us");
        // After a warm-up of only 2 s, many arms with 64 threads or more got faster during the measurement.
        return Plan.of(claimed(), 6, Duration.ofSeconds(5), Duration.ofSeconds(2))
                .withProfiles(Plan.cross(List.of(of(64), of(300)), profiled))
                .withAside(aside(), 3);
    }

    private static List<Plan.Cell> claimed() {
        return Plan.all(
                Plan.cross(each(List.of(1, 2, 4, 8, 16, 32, 64, 100, 200, 300, 500)), TWO),
                Plan.cross(
                        List.of(of(64)),
                        List.of(
                                "socket-per-thread",
                                "connection-linked-queue",
                                "array-thread-id",
                                "array-round-robin")),
                Plan.cross(List.of(of(64).with(SERVER, ONE_WORKER)), List.of("connection", "array-thread-id")),
                Plan.cross(List.of(of(300)), List.of("pool", "pool-lock-free", "pool-affine", "pool-lock-20us")));
    }

    private List<Plan.Cell> aside() {
        List<String> few = List.of("connection", "template", "array-thread-id", "memshard");
        List<Condition> networks = Stream.of("200us", "500us", "1000us")
                .flatMap(time -> each(CAUSAL_THREADS).stream().map(of -> of.with(Condition.ROUND_TRIP, time)))
                .toList();
        return Plan.all(
                Plan.cross(each(List.of(1, 8, 64, 300)), others(TWO, MODES)),
                Plan.cross(each(CAUSAL_THREADS), others(MODES, armNames())),
                Plan.cross(List.of(of(64).with(SERVER, ONE_WORKER)), few),
                Plan.cross(networks, few));
    }

    private static List<String> others(List<String> excluded, List<String> arms) {
        return arms.stream().filter(name -> !excluded.contains(name)).toList();
    }

    private static List<Condition> each(List<Integer> threads) {
        return threads.stream().map(Venus::of).toList();
    }

    private static Condition of(int threads) {
        return Condition.ofThreads(threads).with(Clients.VALUE, Clients.VALUE_BYTES);
    }

    @Override
    public List<Arm> arms() {
        return List.of(
                arm("connection", ContenderKind.CONNECTION::open),
                arm("template", ContenderKind.TEMPLATE::open),
                arm("array-round-robin", ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN::open),
                arm("array-thread-id", ContenderKind.SPYMEMCACHED_ARRAY_THREAD_ID::open),
                arm("memshard-template", Templates::pooledMemshard),
                arm("memshard-connection", ContenderKind.MEMSHARD_SINGLE::open),
                arm("memshard-array-round-robin", ContenderKind.MEMSHARD_ROUND_ROBIN::open),
                arm("memshard-array-thread-id", ContenderKind.MEMSHARD_THREAD_ID::open),
                arm("memshard", ContenderKind.MEMSHARD_STICKY::open),
                arm("xmemcached", ContenderKind.XMEMCACHED::open),
                arm("socket-per-thread", ContenderKind.SOCKET_PER_THREAD::open),
                // Each later arm differs from pool in one respect.
                pool("pool", ClientPool::commons),
                pool("pool-affine", ClientPool::affine),
                pool("pool-lock-free", ClientPool::lockFree),
                pool("pool-lock-" + DOSE + "us", clients -> ClientPool.dosed(clients, DOSE)),
                arm(
                        "connection-linked-queue",
                        settings -> SpymemcachedClients.single(
                                settings, builder -> builder.setOpQueueFactory(new LinkedOperationQueueFactory()))));
    }

    private static Arm pool(String name, ClientPool.Opener opener) {
        return arm(name, settings -> ClientPool.open(settings, opener));
    }

    private static Arm arm(String name, Clients.Opener opener) {
        return Arm.of(name, Clients.opener(Clients.USUAL_SOCKETS, opener));
    }
}
