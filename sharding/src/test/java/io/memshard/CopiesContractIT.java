// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.CasValue;
import io.memshard.client.MemcachedClient;
import io.memshard.client.load.LoadOptions;
import io.memshard.client.meta.WriteStatus;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.Protocol;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.replica.Acknowledgement;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of operation over zones, and at every stage of a move, as over a single copy of the data. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(300)
@ParameterizedClass
@EnumSource
class CopiesContractIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final List<MemcachedProcess> SERVERS = new ArrayList<>();

    /** What the client is over. */
    enum Copies {
        ZONES(false),
        ZONES_OF_MAJORITY(false),
        ZONES_OF_ONE(false),
        ZONES_THAT_ADD(false),
        PREPARING(true),
        MOVING(true),
        MOVING_ON_THE_SAME_SERVERS(true),
        MOVING_FROM_CLASSIC(true),
        LEAVING(true),
        ENDED(true);

        private final boolean isMove;

        Copies(boolean isMove) {
            this.isMove = isMove;
        }
    }

    @Parameter
    private Copies copies;

    private LeakCheck leaks;
    private AutoCloseable opened;
    private MemcachedClient<String> client;
    private AsyncMemcachedClient<String> async;

    /** A client of the fleet, or of a zone, that has what others do not. */
    private MemcachedClient<String> other;

    @BeforeEach
    void start() {
        while (SERVERS.size() < 4) {
            SERVERS.add(MemcachedProcess.start());
        }
        leaks = LeakCheck.start();
        for (MemcachedProcess server : SERVERS) {
            try (Memshard one = builder(List.of(server)).build()) {
                one.admin().flushAll(Duration.ZERO);
            }
        }
        if (copies.isMove) {
            openMove();
        } else {
            openZones();
        }
    }

    @AfterEach
    void close() throws Exception {
        opened.close();
        leaks.assertNothingLeft();
    }

    @AfterAll
    static void stopServers() {
        SERVERS.forEach(MemcachedProcess::close);
        SERVERS.clear();
    }

    private MemshardBuilder builder(List<MemcachedProcess> servers) {
        return Fleet.patient()
                .servers(servers.stream()
                        .map(server -> "127.0.0.1:" + server.port())
                        .collect(Collectors.joining(",")));
    }

    private void openZones() {
        ReplicaOptions options = ReplicaOptions.of("own").withOwner("own");
        options = switch (copies) {
            case ZONES_OF_MAJORITY -> options.withAcknowledgement(Acknowledgement.MAJORITY);
            case ZONES_OF_ONE -> options.withAcknowledgement(Acknowledgement.ONE);
            case ZONES_THAT_ADD -> options.addingOnMiss();
            default -> options;
        };
        ZonedMemshard zoned = Fleet.patient()
                .servers("127.0.0.1:%d@own, 127.0.0.1:%d@own, 127.0.0.1:%d@b, 127.0.0.1:%d@c"
                        .formatted(SERVERS.stream().map(MemcachedProcess::port).toArray()))
                .buildZones(options);
        opened = zoned;
        client = zoned.client(Transcoder.utf8());
        async = zoned.asyncClient(Transcoder.utf8());
        other = zoned.zone("c").client(Transcoder.utf8());
    }

    private void openMove() {
        boolean sameServers = copies == Copies.MOVING_ON_THE_SAME_SERVERS;
        MemshardBuilder source =
                builder(sameServers ? SERVERS : SERVERS.subList(0, 2)).ring(Ring.spymemcached());
        Memshard target = builder(sameServers ? SERVERS : SERVERS.subList(2, 4)).build();
        MemshardMigration move = MemshardMigration.of(
                copies == Copies.MOVING_FROM_CLASSIC
                        ? source.protocol(Protocol.CLASSIC).build()
                        : source.build(),
                target,
                MigrationOptions.DEFAULT.withStage(
                        switch (copies) {
                            case PREPARING -> MigrationStage.PREPARING;
                            case LEAVING -> MigrationStage.LEAVING;
                            case ENDED -> MigrationStage.ENDED;
                            default -> MigrationStage.MOVING;
                        }));
        opened = move;
        client = move.client(Transcoder.utf8());
        async = move.asyncClient(Transcoder.utf8());
        other = move.source().client(Transcoder.utf8());
    }

    @Test
    void valuesAreStoredReadTouchedAndDeleted() {
        assertThat(client.get("k")).isNull();
        client.set("k", "v", HOUR);
        assertThat(client.get("k")).isEqualTo("v");
        assertThat(client.getAndTouch("k", HOUR)).isEqualTo("v");
        assertThat(client.touch("k", HOUR)).isTrue();
        assertThat(client.touch("missing", HOUR)).isFalse();
        assertThat(client.delete("k")).isTrue();
        assertThat(client.delete("k")).isFalse();
        assertThat(client.get("k")).isNull();
    }

    @Test
    void asynchronousCallersSeeTheSame() {
        async.set("k", "v", HOUR).join();
        assertThat(async.get("k").join()).isEqualTo("v");
        assertThat(async.add("k", "w", HOUR).join()).isFalse();
        assertThat(async.append("k", "w").join()).isTrue();
        assertThat(async.get("k").join()).isEqualTo("vw");
        assertThat(async.incr("n", 1, 1, HOUR).join()).isEqualTo(1);
        assertThat(async.incr("n", 1).join()).isEqualTo(OptionalLong.of(2));
        assertThat(async.delete("k").join()).isTrue();
        assertThat(async.get("k").join()).isNull();
        assertThat(async.multiSet(values(100), HOUR).join().doneOrThrow()).hasSize(100);
        assertThat(async.multiGet(values(100).keySet()).join().hitsOrThrow()).hasSize(100);
    }

    @Test
    void conditionsHold() {
        assertThat(client.replace("k", "v", HOUR)).isFalse();
        assertThat(client.append("k", "v")).isFalse();
        assertThat(client.add("k", "v", HOUR)).isTrue();
        assertThat(client.add("k", "w", HOUR)).isFalse();
        assertThat(client.replace("k", "v2", HOUR)).isTrue();
        assertThat(client.append("k", "b")).isTrue();
        assertThat(client.prepend("k", "a")).isTrue();
        assertThat(client.get("k")).isEqualTo("av2b");
        CasValue<String> read = Objects.requireNonNull(client.gets("k"));
        assertThat(client.cas("k", "c", read.casUnique(), HOUR)).isEqualTo(WriteStatus.DONE);
        assertThat(client.cas("k", "d", read.casUnique(), HOUR)).isEqualTo(WriteStatus.EXISTS);
        assertThat(client.cas("missing", "d", read.casUnique(), HOUR)).isEqualTo(WriteStatus.NOT_FOUND);
        assertThat(client.get("k")).isEqualTo("c");
    }

    @Test
    void countersCount() {
        assertThat(client.incr("n", 1)).isEmpty();
        assertThat(client.incr("n", 1, 10, HOUR)).isEqualTo(10);
        assertThat(client.incr("n", 5)).isEqualTo(OptionalLong.of(15));
        assertThat(client.decr("n", 3)).isEqualTo(OptionalLong.of(12));
        assertThat(client.incr("n", 0)).isEqualTo(OptionalLong.of(12));
    }

    private static Map<String, String> values(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "key" + i, i -> "value " + i));
    }

    @Test
    void manyKeysAreAccountedForOneByOne() {
        Map<String, String> values = values(500);

        assertThat(client.multiSet(values, HOUR).doneOrThrow()).hasSize(500);
        MultiGetResult<String> got = client.multiGet(values(501).keySet());
        assertThat(got.hitsOrThrow()).isEqualTo(values);
        assertThat(got.misses()).containsExactly("key500");
        assertThat(client.multiGets(values(20).keySet()).hitsOrThrow()).hasSize(20);
        assertThat(client.multiGetAndTouch(values(20).keySet(), HOUR).hitsOrThrow())
                .isEqualTo(values(20));
        assertThat(client.multiDelete(values(501).keySet()).doneOrThrow()).hasSize(500);
        assertThat(client.multiGet(values.keySet()).hitsOrThrow()).isEmpty();
    }

    @Test
    void oneOfManyCallersLoads() throws Exception {
        AtomicInteger loads = new AtomicInteger();
        List<String> loaded = together(
                16,
                () -> client.getOrLoad(
                        "k",
                        HOUR,
                        key -> {
                            loads.incrementAndGet();
                            return "loaded";
                        },
                        LoadOptions.DEFAULTS.withClaimTtl(HOUR)));

        assertThat(loaded).containsOnly("loaded");
        assertThat(loads).hasValue(1);
        assertThat(client.invalidate("k", HOUR)).isTrue();
        assertThat(client.getOrLoad("k", HOUR, key -> "again")).isEqualTo("again");
        assertThat(client.delete("k")).isTrue();
    }

    @Test
    void changesOfManyCallersAreAllDone() throws Exception {
        client.set("n", "0", HOUR);

        together(16, () -> {
            for (int i = 0; i < 25; i++) {
                client.incr("n", 1);
            }
            return "";
        });

        assertThat(client.incr("n", 0)).isEqualTo(OptionalLong.of(400));
    }

    /** What another copy has is read and copied by many callers while one deletes it; afterwards nobody has it. */
    @Test
    void noCopyOutlivesADelete() throws Exception {
        for (int round = 0; round < 10; round++) {
            String key = "round" + round;
            other.set(key, "old", HOUR);
            AtomicInteger turn = new AtomicInteger();
            together(6, () -> {
                if (turn.getAndIncrement() == 3) {
                    client.delete(key);
                } else {
                    client.get(key);
                    async.get(key).join();
                }
                return "";
            });
            client.multiGet(List.of(key));
            assertThat(client.get(key)).isNull();
        }
        eventually(
                "no copy that is under way brings one back",
                () -> client.multiGet(IntStream.range(0, 10)
                                .mapToObj(round -> "round" + round)
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
