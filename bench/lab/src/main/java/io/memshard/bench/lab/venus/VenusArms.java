// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.MemshardContender;
import io.memshard.bench.contender.SpymemcachedClients;
import io.memshard.bench.contender.TemplateContender;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.Transport;
import io.memshard.sharding.ConnectionChooser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.ops.LinkedOperationQueueFactory;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Every arm of the experiment {@code venus}. Threading: stateless. */
final class VenusArms {
    /** Microseconds for which the injected lock is held, at a borrow and at a return each. */
    private static final List<Integer> DOSES = List.of(0, 5, 20);

    /** A sleep is longer than it asks for by 60 or so. */
    private static final List<Integer> DOSES_ASLEEP = List.of(20, 200);

    private VenusArms() {}

    /** Returns all; the baseline is the first. */
    static List<Arm> all() {
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
        arms.addAll(factorial());
        return List.copyOf(arms);
    }

    /**
     * Returns arms that each differ in one thing from the pool of Template, which they use without the template around
     * it.
     */
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
                    settings -> ClientPools.injected(settings, dose, false)));
        }
        for (int dose : DOSES_ASLEEP) {
            arms.add(pooled(
                    "pool-lock-asleep-" + dose + "us",
                    "the same, but who holds the lock sleeps",
                    settings -> ClientPools.injected(settings, dose, true)));
        }
        return arms;
    }

    /** Returns Memshard by protocol, sockets and transport. */
    private static List<Arm> factorial() {
        List<Arm> arms = new ArrayList<>();
        for (Protocol protocol : List.of(Protocol.META, Protocol.CLASSIC)) {
            for (int sockets : List.of(1, 2)) {
                for (Transport transport : List.of(Transport.CALLER_DRIVEN, Transport.EVENT_LOOP)) {
                    String label = label(protocol) + "-" + sockets + "-" + label(transport);
                    arms.add(Arm.of(
                            "memshard-" + label,
                            "protocol, sockets, transport",
                            setup -> Keys.arm(
                                    setup,
                                    new MemshardContender(Keys.builder(setup)
                                            .connectionsPerServer(sockets)
                                            .chooser(ConnectionChooser.stickyRoundRobin())
                                            .protocol(protocol)
                                            .transport(transport)))));
                }
            }
        }
        return arms;
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
