// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.venus;

import io.memshard.Memshard;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.contender.ContenderSettings;
import io.memshard.bench.contender.SpymemcachedClients;
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
import org.apache.commons.pool2.impl.BaseObjectPoolConfig;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** Every arm of the experiment {@code venus}. Threading: stateless. */
final class VenusArms {

    /** Microseconds for which the injected lock is held, at a borrow and at a return each. */
    private static final List<Integer> DOSES = List.of(0, 5, 20);

    private static final int DEFAULT_MAX_IDLE = 8;

    private VenusArms() {}

    /** All; the baseline is the first. */
    static List<Arm> all() {
        List<Arm> arms = new ArrayList<>();
        arms.add(contender("connection", ContenderKind.CONNECTION));
        arms.add(contender("template", ContenderKind.TEMPLATE));
        arms.add(contender("array-round-robin", ContenderKind.SPYMEMCACHED_ARRAY_ROUND_ROBIN));
        arms.add(contender("array-thread-id", ContenderKind.SPYMEMCACHED_ARRAY_THREAD_ID));
        arms.add(Arm.of(
                "memshard-template",
                "MemcachedTemplate over a pool of Memshard clients",
                setup -> new ContenderGet(
                        new MemshardTemplate(
                                Keys.settings(setup), setup.profile().poolSize()),
                        Keys.store(setup))));
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

    /** Arms that differ from the pool in one thing each. */
    private static List<Arm> causesInThePool() {
        List<Arm> arms = new ArrayList<>();
        arms.add(commons("pool", "the pool of template without our template around it", config -> {}));
        arms.add(commons(
                "pool-max-idle-8",
                "the pool with the default of 8 idle clients",
                config -> config.setMaxIdle(DEFAULT_MAX_IDLE)));
        arms.add(commons("pool-fair", "the pool with a fair lock", config -> config.setFairness(true)));
        arms.add(commons(
                "pool-no-statistics",
                "the pool without its detailed statistics",
                config -> config.setCollectDetailedStatistics(false)));
        arms.add(commons(
                "pool-fifo",
                "the pool first in, first out",
                config -> config.setLifo(!BaseObjectPoolConfig.DEFAULT_LIFO)));
        arms.add(pooled("pool-affine", "the same clients by affinity, without a pool", OwnedClients::new));
        arms.add(pooled(
                "pool-lock-free", "the same clients in a pool without exclusive locks", LockFreeClientPool::new));
        for (int dose : DOSES) {
            arms.add(pooled(
                    "pool-lock-" + dose + "us",
                    "the pool without locks behind one that borrow and return hold for " + dose + " us",
                    settings -> new InjectedLock(new LockFreeClientPool(settings), dose)));
        }
        return arms;
    }

    /** Memshard by protocol, sockets and transport. */
    private static List<Arm> factorial() {
        List<Arm> arms = new ArrayList<>();
        for (Protocol protocol : List.of(Protocol.META, Protocol.CLASSIC)) {
            for (int sockets : List.of(1, 2)) {
                for (Transport transport : List.of(Transport.CALLER_DRIVEN, Transport.EVENT_LOOP)) {
                    String name = "memshard-" + label(protocol) + "-" + sockets + "-" + label(transport);
                    String description = "Memshard, protocol " + label(protocol) + ", " + sockets
                            + " sockets, transport " + label(transport);
                    arms.add(Arm.of(
                            name,
                            description,
                            setup -> new ContenderGet(
                                    new MemshardGet(Memshard.builder()
                                            .servers(MemshardGet.address(Keys.settings(setup)))
                                            .connectionsPerServer(sockets)
                                            .chooser(ConnectionChooser.stickyRoundRobin())
                                            .protocol(protocol)
                                            .transport(transport)
                                            .requestTimeout(ContenderSettings.TIMEOUT)),
                                    Keys.store(setup))));
                }
            }
        }
        return arms;
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Arm contender(String name, ContenderKind kind) {
        return Arm.of(
                name,
                kind.description(),
                setup -> new ContenderGet(kind.open(Keys.settings(setup)), Keys.store(setup)));
    }

    private static Arm connection(String name, String description, Consumer<ConnectionFactoryBuilder> change) {
        return Arm.of(
                name,
                description,
                setup -> new PooledGet(
                        new OneClient(SpymemcachedClients.open(Keys.settings(setup), change)), Keys.store(setup)));
    }

    private static Arm commons(
            String name, String description, Consumer<GenericObjectPoolConfig<MemcachedClient>> change) {
        return pooled(name, description, settings -> new CommonsClientPool(settings, change));
    }

    private interface PoolOpener {
        ClientPool open(ContenderSettings settings) throws Exception;
    }

    private static Arm pooled(String name, String description, PoolOpener opener) {
        return Arm.of(name, description, setup -> new PooledGet(opener.open(Keys.settings(setup)), Keys.store(setup)));
    }

    /** One client for all. */
    private record OneClient(MemcachedClient client) implements ClientPool {

        @Override
        public MemcachedClient borrow(int caller) {
            return client;
        }

        @Override
        public void giveBack(MemcachedClient borrowed) {
            // All have it.
        }

        @Override
        public void close() {
            SpymemcachedClients.close(client);
        }
    }
}
