// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.contract.AsyncAsBlocking;
import io.memshard.client.contract.OperationContract;
import io.memshard.client.contract.ServerKind;
import io.memshard.client.contract.Subject;
import io.memshard.client.contract.Subject.Speech;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.testkit.EmbeddedMemcached;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.Program;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract over a fleet, over zones, and at every stage of a move, with what many callers do at once. */
@Timeout(300)
@ParameterizedClass
@MethodSource("subjects")
class ItemOperationsIT extends OperationContract {

    private static final String PREFIX = "shop:";
    private static final ReplicaOptions ZONES = ReplicaOptions.of("own").withOwner("own");
    private static final Map<ServerKind, List<MemcachedServer>> SERVERS = new EnumMap<>(ServerKind.class);

    /** What the client is over. */
    enum Copies {
        FLEET,
        /** With a prefix of the keys, which are all at one server. */
        ROUTED_FLEET,
        ZONES,
        ZONES_OF_MAJORITY,
        ZONES_OF_ONE,
        ZONES_THAT_ADD,
        PREPARING,
        MOVING,
        MOVING_ON_THE_SAME_SERVERS,
        MOVING_FROM_CLASSIC,
        LEAVING,
        ENDED
    }

    private final Copies copies;
    private final boolean isAsync;
    private final ServerKind kind;
    private final List<MemcachedServer> servers;

    /** A client of the fleet, or of a zone, that has what others do not. */
    private MemcachedClient<String> other;

    ItemOperationsIT(Copies copies, boolean isAsync, ServerKind kind) {
        this.copies = copies;
        this.isAsync = isAsync;
        this.kind = kind;
        servers = SERVERS.computeIfAbsent(kind, ItemOperationsIT::start);
    }

    /** All copies on real servers; some also on others, and asynchronously. */
    static Stream<Arguments> subjects() {
        Set<Copies> some = EnumSet.of(Copies.FLEET, Copies.ZONES, Copies.MOVING);
        return Stream.of(Copies.values())
                .flatMap(copies -> Stream.of(false, true)
                        .flatMap(isAsync -> Stream.of(ServerKind.values())
                                .filter(kind -> kind == ServerKind.TWEMPROXY
                                        ? copies == Copies.FLEET
                                        : Subject.RUNS_ALL
                                                || some.contains(copies)
                                                || kind == ServerKind.FOUND && !isAsync)
                                .map(kind -> Arguments.of(copies, isAsync, kind))));
    }

    /** Starts four servers, which end with the JVM, or takes the one proxy. */
    private static List<MemcachedServer> start(ServerKind kind) {
        return switch (kind) {
            case FOUND -> {
                Program.MEMCACHED.need();
                yield Stream.<MemcachedServer>generate(MemcachedProcess::start)
                        .limit(4)
                        .toList();
            }
            case EMBEDDED ->
                Stream.<MemcachedServer>generate(EmbeddedMemcached::start)
                        .limit(4)
                        .toList();
            case TWEMPROXY -> List.of(kind.server());
        };
    }

    @Override
    protected Subject open() {
        return switch (copies) {
            case FLEET -> fleet(UnaryOperator.identity());
            case ROUTED_FLEET -> fleet(client -> client.withKeyPrefix(PREFIX).withRoutingKey("books"));
            case ZONES -> zones(ZONES);
            case ZONES_OF_MAJORITY -> zones(ZONES.withAcknowledgement(Acknowledgement.MAJORITY));
            case ZONES_OF_ONE -> zones(ZONES.withAcknowledgement(Acknowledgement.ONE));
            case ZONES_THAT_ADD -> zones(ZONES.addingOnMiss());
            case PREPARING -> move(MigrationStage.PREPARING);
            case LEAVING -> move(MigrationStage.LEAVING);
            case ENDED -> move(MigrationStage.ENDED);
            default -> move(MigrationStage.MOVING);
        };
    }

    @Override
    protected String stored(String key) {
        return copies == Copies.ROUTED_FLEET ? PREFIX + key : key;
    }

    private Subject fleet(UnaryOperator<MemcachedClient<String>> settings) {
        Memshard fleet = builder(servers).build();
        other = settings.apply(fleet.client(Transcoder.utf8()));
        return subject(other, fleet);
    }

    private Subject subject(MemcachedClient<String> opened, AutoCloseable resource) {
        return new Subject(
                isAsync ? AsyncAsBlocking.of(opened.async()) : opened,
                kind.speech(),
                kind == ServerKind.TWEMPROXY ? List.of(kind.itemServer()) : servers,
                resource);
    }

    private MemshardBuilder builder(List<MemcachedServer> some) {
        return Fleet.patient()
                .servers(some.stream()
                        .map(server -> "127.0.0.1:" + server.port())
                        .collect(Collectors.joining(",")));
    }

    private Subject zones(ReplicaOptions options) {
        ZonedMemshard zoned = Fleet.patient()
                .servers("127.0.0.1:%d@own, 127.0.0.1:%d@own, 127.0.0.1:%d@b, 127.0.0.1:%d@c"
                        .formatted(servers.stream().map(MemcachedServer::port).toArray()))
                .buildZones(options);
        other = zoned.zone("c").client(Transcoder.utf8());
        return subject(zoned.client(Transcoder.utf8()), zoned);
    }

    private Subject move(MigrationStage stage) {
        boolean sameServers = copies == Copies.MOVING_ON_THE_SAME_SERVERS;
        MemshardBuilder source =
                builder(sameServers ? servers : servers.subList(0, 2)).ring(Ring.spymemcached());
        Memshard target = builder(sameServers ? servers : servers.subList(2, 4)).build();
        MemshardMigration move = MemshardMigration.of(
                copies == Copies.MOVING_FROM_CLASSIC
                        ? source.protocol(Protocol.CLASSIC).build()
                        : source.build(),
                target,
                MigrationOptions.DEFAULT.withStage(stage));
        other = move.source().client(Transcoder.utf8());
        return subject(move.client(Transcoder.utf8()), move);
    }

    @Test
    void oneOfManyCallersLoads() throws Exception {
        if (speech() != Speech.META) {
            return;
        }
        AtomicInteger loads = new AtomicInteger();
        List<String> loaded = together(
                16,
                () -> client.getOrLoad(
                        key("k"),
                        HOUR,
                        key -> {
                            loads.incrementAndGet();
                            return "loaded";
                        },
                        LoadOptions.DEFAULTS.withClaimTtl(HOUR)));

        assertThat(loaded).containsOnly("loaded");
        assertThat(loads).hasValue(1);
    }

    @Test
    void changesOfManyCallersAreAllDone() throws Exception {
        client.set(key("n"), "0", HOUR);

        together(16, () -> {
            for (int i = 0; i < 25; i++) {
                client.incr(key("n"), 1);
            }
            return "";
        });

        assertThat(client.incr(key("n"), 0)).isEqualTo(OptionalLong.of(400));
    }

    /** What another copy has is read and copied by many callers while one deletes it; afterwards nobody has it. */
    @Test
    void noCopyOutlivesADelete() throws Exception {
        for (int round = 0; round < 10; round++) {
            String key = key("round" + round);
            other.set(key, "old", HOUR);
            AtomicInteger turn = new AtomicInteger();
            together(6, () -> {
                if (turn.getAndIncrement() == 3) {
                    client.delete(key);
                } else {
                    client.get(key);
                    client.async().get(key).join();
                }
                return "";
            });
            client.multiGet(List.of(key));
            assertThat(client.get(key)).isNull();
        }
        eventually(
                "no copy that is under way brings one back",
                () -> client.multiGet(IntStream.range(0, 10)
                                .mapToObj(round -> key("round" + round))
                                .toList())
                        .hitsOrThrow()
                        .isEmpty());
    }

    private static <R> List<R> together(int threads, Callable<R> call) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier barrier = new CyclicBarrier(threads);
            List<Future<R>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(executor.submit(() -> {
                    barrier.await();
                    return call.call();
                }));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> each : all) {
                results.add(each.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }
}
