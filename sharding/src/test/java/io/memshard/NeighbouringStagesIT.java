// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Instances at neighbouring stages of a move write the same keys in turn, while readers of all of them take over what
 * only the source fleet has. No write that was acknowledged is undone.
 *
 * <p>A key has one writer at a time, which is another instance for each write. The system property {@code
 * memshard.stages.writes} is how many writes each pair of stages takes.
 */
@Timeout(300)
@NeedsProgram(Program.MEMCACHED)
class NeighbouringStagesIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int WRITES = Integer.getInteger("memshard.stages.writes", 300);
    private static final int KEYS = 50;
    private static final int WRITES_OF_A_KEY = 3;
    private static final int WRITERS = 2;
    private static final List<MemcachedProcess> SERVERS = new ArrayList<>();

    private final LeakCheck leaks = LeakCheck.start();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final Queue<String> undone = new ConcurrentLinkedQueue<>();

    /** What was written last under each key; null for a delete. Each element has one writer at a time. */
    private final @Nullable String[] last = new String[KEYS];

    private MemcachedClient<String> source;
    private MemcachedClient<String> target;
    private volatile boolean isOver;

    /**
     * An instance of the application.
     *
     * @param stage null for one that knows the source fleet alone
     */
    private record Instance(
            @Nullable MigrationStage stage, MemcachedClient<String> client, AsyncMemcachedClient<String> async) {

        boolean isOfSourceFleet() {
            return stage == null || stage == MigrationStage.PREPARING;
        }
    }

    static Stream<Arguments> neighbours() {
        List<@Nullable MigrationStage> stages = new ArrayList<>();
        stages.add(null);
        stages.addAll(List.of(MigrationStage.values()));
        return IntStream.range(1, stages.size()).mapToObj(next -> Arguments.of(stages.get(next - 1), stages.get(next)));
    }

    @BeforeAll
    static void startServers() {
        while (SERVERS.size() < 2) {
            SERVERS.add(MemcachedProcess.start());
        }
    }

    @BeforeEach
    void start() {
        Memshard sourceAlone = fleet(0);
        Memshard targetAlone = fleet(1);
        opened.addAll(List.of(sourceAlone, targetAlone));
        source = sourceAlone.client(Transcoder.utf8());
        target = targetAlone.client(Transcoder.utf8());
        Stream.of(sourceAlone, targetAlone).forEach(fleet -> fleet.admin().flushAll(Duration.ZERO));
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdown();
        for (AutoCloseable each : opened) {
            each.close();
        }
        leaks.assertNothingLeft();
    }

    @AfterAll
    static void stopServers() {
        SERVERS.forEach(MemcachedProcess::close);
        SERVERS.clear();
    }

    private static Memshard fleet(int server) {
        return Memshard.builder()
                .servers(SERVERS.get(server).address())
                .requestTimeout(LONG)
                .connectTimeout(LONG)
                .build();
    }

    private Instance instance(@Nullable MigrationStage stage) {
        if (stage == null) {
            Memshard alone = fleet(0);
            opened.add(alone);
            return new Instance(null, alone.client(Transcoder.utf8()), alone.asyncClient(Transcoder.utf8()));
        }
        MemshardMigration move = MemshardMigration.of(fleet(0), fleet(1), MigrationOptions.DEFAULT.withStage(stage));
        opened.add(move);
        return new Instance(stage, move.client(Transcoder.utf8()), move.asyncClient(Transcoder.utf8()));
    }

    @ParameterizedTest
    @MethodSource("neighbours")
    void noAcknowledgedWriteIsUndone(@Nullable MigrationStage stage, MigrationStage next) throws Exception {
        noAcknowledgedWriteIsUndone(stage, next, 2, WRITES);
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("neighbours")
    void noneOfManyAcknowledgedWritesIsUndone(@Nullable MigrationStage stage, MigrationStage next) throws Exception {
        noAcknowledgedWriteIsUndone(stage, next, 3, 10 * WRITES);
    }

    private void noAcknowledgedWriteIsUndone(@Nullable MigrationStage stage, MigrationStage next, int count, int writes)
            throws Exception {
        List<Instance> instances = IntStream.range(0, count)
                .mapToObj(i -> instance(i % 2 == 0 ? stage : next))
                .toList();
        for (int round = 0; acknowledged.get() < writes; round++) {
            prepare(round, stage);
            isOver = false;
            List<Future<Void>> readers = new ArrayList<>();
            instances.forEach(each -> readers.addAll(read(each)));
            List<Future<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.add(start(write(instances, writer, round)));
            }
            for (Future<Void> writer : writers) {
                writer.get(100, TimeUnit.SECONDS);
            }
            isOver = true;
            for (Future<Void> reader : readers) {
                reader.get(100, TimeUnit.SECONDS);
            }
            for (int key = 0; key < KEYS; key++) {
                for (Instance instance : instances) {
                    check("in the end", instance, null, key, instance.client.get("k" + key));
                }
            }
        }
        assertThat(undone).as("of " + acknowledged + " acknowledged writes").isEmpty();
    }

    /** Of the time before: the source fleet has values, of which the new one may have copies. */
    private void prepare(int round, @Nullable MigrationStage stage) {
        boolean isCopied = stage != null && round % 2 == 1;
        Map<String, String> values =
                IntStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> "k" + key, key -> "before " + round));
        source.multiSet(values, HOUR).storedOrThrow();
        if (isCopied) {
            target.multiSet(values, HOUR).storedOrThrow();
        } else {
            target.multiDelete(values.keySet()).deletedOrThrow();
        }
    }

    private Future<Void> start(Callable<@Nullable Void> task) {
        return threads.submit(task);
    }

    private List<Future<Void>> read(Instance instance) {
        return List.of(
                start(() -> {
                    Random random = new Random(1);
                    while (!isOver) {
                        instance.client.get("k" + random.nextInt(KEYS));
                    }
                    return null;
                }),
                start(() -> {
                    Random random = new Random(2);
                    while (!isOver) {
                        List<CompletableFuture<?>> started = new ArrayList<>();
                        IntStream.range(0, 5).forEach(i -> started.add(instance.async.get("k" + random.nextInt(KEYS))));
                        started.add(instance.async.multiGet(
                                IntStream.range(0, 10).mapToObj(i -> "k" + i).toList()));
                        CompletableFuture.allOf(started.toArray(new CompletableFuture<?>[0]))
                                .join();
                    }
                    return null;
                }));
    }

    private Callable<@Nullable Void> write(List<Instance> instances, int writer, int round) {
        return () -> {
            Random random = new Random(round * 31L + writer);
            List<Integer> mine = IntStream.range(0, KEYS)
                    .filter(key -> key % WRITERS == writer)
                    .boxed()
                    .toList();
            for (int turn = 0; turn < WRITES_OF_A_KEY; turn++) {
                for (int at = 0; at < mine.size(); at++) {
                    Instance instance = instances.get((turn + at + round) % instances.size());
                    boolean many = random.nextInt(8) == 0;
                    List<Integer> keys = mine.subList(at, many ? Math.min(at + 4, mine.size()) : at + 1);
                    String value = random.nextInt(3) == 0 ? null : "of round " + round + " and turn " + turn;
                    write(instance, random.nextBoolean(), keys, value);
                    at += keys.size() - 1;
                    for (int key : keys) {
                        Instance reader = instances.get(random.nextInt(instances.size()));
                        check("after the write", reader, instance, key, reader.client.get("k" + key));
                    }
                }
            }
            return null;
        };
    }

    private void write(Instance by, boolean blocking, List<Integer> keys, @Nullable String value) {
        String one = "k" + keys.get(0);
        List<String> all = keys.stream().map(key -> "k" + key).toList();
        Map<String, String> values =
                all.stream().collect(Collectors.toMap(Function.identity(), key -> String.valueOf(value)));
        if (keys.size() > 1 && value != null) {
            (blocking
                            ? by.client.multiSet(values, HOUR)
                            : by.async.multiSet(values, HOUR).join())
                    .storedOrThrow();
        } else if (keys.size() > 1) {
            (blocking ? by.client.multiDelete(all) : by.async.multiDelete(all).join()).deletedOrThrow();
        } else if (value != null && blocking) {
            by.client.set(one, value, HOUR);
        } else if (value != null) {
            by.async.set(one, value, HOUR).join();
        } else if (blocking) {
            by.client.delete(one);
        } else {
            by.async.delete(one).join();
        }
        keys.forEach(key -> last[key] = value);
        acknowledged.addAndGet(keys.size());
    }

    /** A reader of the source fleet may miss what was stored in the new one, and reads no other value either. */
    private void check(String when, Instance reader, @Nullable Instance writer, int key, @Nullable String found) {
        boolean mayMiss = reader.isOfSourceFleet() && (writer == null || !writer.isOfSourceFleet());
        if (!Objects.equals(found, last[key]) && !(mayMiss && found == null)) {
            undone.add(when + " at " + reader.stage + ": " + found + " instead of " + last[key]);
        }
    }
}
