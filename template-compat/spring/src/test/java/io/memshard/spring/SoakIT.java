// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.MemshardBuilder;
import io.memshard.MemshardMigration;
import io.memshard.ZonedMemshard;
import io.memshard.client.MemcachedClient;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.listener.ConnectionState;
import io.memshard.client.listener.ServerState;
import io.memshard.client.multi.MultiGetResult;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.replica.ReplicaOptions;
import io.memshard.spring.cache.MemcachedCacheManager;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.RandomFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.Cache;

/**
 * All forms of a client at once, over six memcacheds that are killed and stopped: two zones, a fleet that moves to
 * another one and again, and a plain client with operations on many keys, loads and a cache. Two servers speak TLS.
 *
 * <p>Each key has one writer at a time. No reader finds less than what was acknowledged before it asked. Whoever
 * compares finds what was acknowledged last, or nothing if a server that had it was killed since. A key whose write has
 * failed is used no more. The system property {@code memshard.soak.seconds} says for how long at least.
 */
@NeedsProgram(Program.MEMCACHED)
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("deep")
class SoakIT {

    private static final Logger LOG = LoggerFactory.getLogger(SoakIT.class);

    private static final Duration DURATION = Duration.ofSeconds(Integer.getInteger("memshard.soak.seconds", 0));
    private static final Duration TTL = Duration.ofHours(3);
    private static final int LEAST_WRITES = 10_000;
    private static final int LEAST_FAULTS = 16;
    private static final int SERVERS = 6;
    private static final Set<Integer> WITH_TLS = Set.of(2, 5);
    private static final int KEYS = 300;
    private static final int WRITERS = 2;

    @TempDir
    private Path directory;

    private final LeakCheck leaks = LeakCheck.start();
    private final List<MemcachedProcess> servers = new ArrayList<>();

    /** Time of the end of the last killing of each server. */
    private final AtomicLongArray killed = new AtomicLongArray(SERVERS);

    private final List<AutoCloseable> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<CompletableFuture<?>> running = new ArrayList<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();
    private final AtomicInteger seeds = new AtomicInteger();
    private CertificateAuthority authority;
    private volatile boolean isOver;

    /**
     * What was acknowledged last under a name.
     *
     * @param version number of the write; 0 if there was none
     */
    private record Write(String name, long version, boolean isDelete, long beganNanos) {

        String value() {
            return name + '=' + version + '=' + "x".repeat((int) (version * 37 % 700));
        }

        Write next(boolean deletes) {
            return new Write(name, version + 1, deletes, System.nanoTime());
        }

        /** Returns the version of a value; -1 if it was never written under this name. */
        long versionOf(String value) {
            String[] parts = value.split("=", 3);
            long of = parts.length == 3 ? Long.parseLong(parts[1]) : -1;
            return of > 0 && value.equals(new Write(name, of, false, 0).value()) ? of : -1;
        }
    }

    /** Key that is locked by who writes or compares it. It gets a new name after a write that has failed. */
    private static final class Key extends ReentrantLock {

        private static final long serialVersionUID = 1;
        private static final AtomicInteger NAMES = new AtomicInteger();

        private transient volatile Write last = unwritten();

        private static Write unwritten() {
            return new Write("key" + NAMES.incrementAndGet(), 0, true, 0);
        }

        static List<Key> list() {
            return Stream.generate(Key::new).limit(KEYS).toList();
        }
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        for (AutoCloseable client : clients) {
            client.close();
        }
        servers.forEach(MemcachedProcess::close);
        leaks.assertNothingLeft();
    }

    private Memshard fleet(Integer... indexes) {
        MemshardBuilder builder = Memshard.builder()
                .servers(Stream.of(indexes)
                        .map(i -> "127.0.0.1:" + servers.get(i).port())
                        .collect(Collectors.joining(",")))
                .requestTimeout(Duration.ofSeconds(2)); // Calls may fail.
        if (WITH_TLS.contains(indexes[0])) {
            builder.tls(TlsOptions.trusting(authority.certificate()));
        }
        return builder.build();
    }

    private void count(String what) {
        counts.computeIfAbsent(what, any -> new LongAdder()).increment();
    }

    private long counted(String what) {
        return counts.getOrDefault(what, new LongAdder()).sum();
    }

    @Test
    void everyAcknowledgedWriteIsThereUnlessItsServerWasKilled() throws Exception {
        authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued issued = authority.issue("127.0.0.1");
        for (int i = 0; i < SERVERS; i++) {
            servers.add(
                    WITH_TLS.contains(i)
                            ? MemcachedProcess.startTls(issued.certificates(), issued.key())
                            : MemcachedProcess.start());
            killed.set(i, System.nanoTime());
        }
        List<Key> keysOfZones = Key.list();
        List<ZonedMemshard> zoned = Stream.of("a", "b")
                .map(own -> ZonedMemshard.of(
                        Map.of("a", fleet(0, 1), "b", fleet(2)),
                        ReplicaOptions.of(own).readingOthersOnMiss().addingOnMiss()))
                .toList();
        clients.addAll(zoned);
        List<MemcachedClient<String>> zones =
                zoned.stream().map(each -> each.client(Transcoder.utf8())).toList();
        running.addAll(useKeys(keysOfZones, zones, () -> !isOver));
        Memshard plain = fleet(0, 1, 3, 4);
        clients.add(plain);
        List<Key> keysOfPlain = Key.list();
        usePlain(plain, keysOfPlain);
        CompletableFuture<?> mover = start(() -> !isOver, random -> move());
        RandomFaults faults = new RandomFaults(7, Duration.ofMillis(600))
                .with(1, random -> kill(random.nextInt(SERVERS)))
                .hanging(1, servers, Duration.ofSeconds(2));
        Future<Integer> chaos = threads.submit(() -> faults.causeUntil(() -> {
            count("faults");
            return isOver;
        }));
        long start = System.nanoTime();
        BooleanSupplier isEnough = () -> System.nanoTime() - start >= DURATION.toNanos()
                && counted("written") >= LEAST_WRITES
                && counted("faults") > LEAST_FAULTS
                && counted("moved") > 0;
        eventually("enough", DURATION.plusMinutes(5), () -> isEnough.getAsBoolean() || mover.isDone());
        isOver = true;
        chaos.get(2, TimeUnit.MINUTES);
        mover.join();
        running.forEach(CompletableFuture::join);
        // A read over zones is a miss also if the only zone that has the item fails.
        eventually(
                "all are back",
                () -> zoned.stream()
                        .flatMap(each -> each.zones().values().stream())
                        .allMatch(SoakIT::isBack));
        compareAll(keysOfZones, zones, last -> wasKilled(last, 2) && (wasKilled(last, 0) || wasKilled(last, 1)));
        compareAll(keysOfPlain, List.of(plain.client(Transcoder.utf8())), last -> {
            int port = plain.serverOf(last.name).address().port();
            return IntStream.range(0, SERVERS).anyMatch(i -> servers.get(i).port() == port && wasKilled(last, i));
        });
        LOG.info("{}", counts);
        assertThat(wrong).isEmpty();
    }

    private static boolean isBack(Memshard zone) {
        return zone.serverStatuses().stream().allMatch(status -> status.state() == ServerState.UP)
                && !zone.connectionStates().contains(ConnectionState.RECONNECTING);
    }

    private void kill(int index) {
        killed.set(index, System.nanoTime() + TTL.toNanos()); // Whatever is written until it is back may be lost.
        servers.get(index).kill();
        servers.get(index).restart();
        killed.set(index, System.nanoTime());
        count("killed");
    }

    private boolean wasKilled(Write since, int... indexes) {
        return IntStream.of(indexes).anyMatch(i -> killed.get(i) - since.beganNanos > 0);
    }

    private void usePlain(Memshard memshard, List<Key> keys) {
        MemcachedClient<String> client = memshard.client(Transcoder.utf8());
        running.addAll(useKeys(keys, List.of(client), () -> !isOver));
        running.add(start(() -> !isOver, random -> {
            List<Write> before = Stream.generate(() -> RandomFaults.any(keys, random).last)
                    .limit(20)
                    .toList();
            List<String> names = before.stream().map(Write::name).toList();
            MultiGetResult<String> found = random.nextBoolean()
                    ? client.multiGet(names)
                    : client.async().multiGet(names).join();
            before.forEach(last -> compare(last, found.hits().get(last.name)));
        }));
        Cache cache = MemcachedCacheManager.create(memshard).getCache("books");
        running.add(start(() -> !isOver, random -> {
            String key = "book" + random.nextInt(KEYS);
            expectLoaded(key, cache.get(key, () -> key + " loaded"));
            if (random.nextInt(500) == 0) {
                cache.clear();
            }
        }));
        running.add(start(() -> !isOver, random -> {
            String key = "load" + random.nextInt(KEYS);
            expectLoaded(key, client.getOrLoad(key, Duration.ofSeconds(5), missing -> missing + " loaded"));
        }));
    }

    private void expectLoaded(String key, @Nullable Object found) {
        count("compared");
        if (!(key + " loaded").equals(found)) {
            wrong.add(key + ": loaded " + found);
        }
    }

    /** Moves a fleet by two instances, one after the other at each stage, while both are used. */
    private void move() {
        MigrationOptions preparing = MigrationOptions.DEFAULT.withStage(MigrationStage.PREPARING);
        List<MemshardMigration> instances = Stream.generate(
                        () -> MemshardMigration.of(fleet(3, 4), fleet(5), preparing))
                .limit(2)
                .toList();
        List<MemcachedClient<String>> callers =
                instances.stream().map(each -> each.client(Transcoder.utf8())).toList();
        List<Key> keys = Key.list();
        AtomicBoolean isMoved = new AtomicBoolean();
        try {
            List<CompletableFuture<?>> users = useKeys(keys, callers, () -> !isMoved.get());
            for (MigrationStage stage : List.of(MigrationStage.MOVING, MigrationStage.LEAVING, MigrationStage.ENDED)) {
                for (MemshardMigration instance : instances) {
                    long faults = counted("faults");
                    long writes = counted("written") + KEYS;
                    eventually(
                            "used at each stage",
                            () -> (counted("faults") > faults || isOver) && counted("written") >= writes);
                    instance.moveTo(stage);
                }
                if (stage == MigrationStage.MOVING) {
                    compareAll(keys, callers, last -> wasKilled(last, 3, 4, 5));
                }
            }
            isMoved.set(true);
            users.forEach(CompletableFuture::join);
            // What only the source fleet had is gone, but nothing else is there than what was written last.
            compareAll(keys, callers, last -> true);
            count("moved");
        } finally {
            isMoved.set(true);
            instances.forEach(MemshardMigration::close);
        }
    }

    /** Starts writers of the keys and a reader, for each client. */
    private List<CompletableFuture<?>> useKeys(
            List<Key> keys, List<MemcachedClient<String>> instances, BooleanSupplier goesOn) {
        List<CompletableFuture<?>> started = new ArrayList<>();
        for (MemcachedClient<String> client : instances) {
            for (int i = 0; i < WRITERS; i++) {
                started.add(start(goesOn, random -> write(RandomFaults.any(keys, random), client, random)));
            }
            started.add(start(goesOn, random -> {
                Write last = RandomFaults.any(keys, random).last;
                compare(last, client.get(last.name));
            }));
        }
        return started;
    }

    private CompletableFuture<?> start(BooleanSupplier goesOn, Consumer<Random> body) {
        Random random = new Random(seeds.incrementAndGet());
        return CompletableFuture.runAsync(
                () -> {
                    while (goesOn.getAsBoolean()) {
                        try {
                            body.accept(random);
                        } catch (MemcachedException e) {
                            count("failed");
                        }
                        LockSupport.parkNanos(1_000_000); // A small machine has to run the servers too.
                    }
                },
                threads);
    }

    private void write(Key key, MemcachedClient<String> client, Random random) {
        key.lock();
        try {
            Write next = key.last.next(random.nextInt(8) == 0);
            if (next.isDelete) {
                client.delete(next.name);
            } else {
                client.set(next.name, next.value(), TTL);
            }
            key.last = next;
            count("written");
        } catch (MemcachedException e) {
            count("failed");
            key.last = Key.unwritten();
        } finally {
            key.unlock();
        }
    }

    /** Compares what was read with the last write that had been acknowledged before. */
    private void compare(Write before, @Nullable String found) {
        count("compared");
        long version = found == null ? Long.MAX_VALUE : before.versionOf(found);
        if (version < 0 || version < before.version) {
            wrong.add(found + " after " + before);
        }
    }

    /** Compares what clients read with the last write of each key, which does not change meanwhile. */
    private void compareAll(List<Key> keys, List<MemcachedClient<String>> readers, Predicate<Write> mayBeGone) {
        for (Key key : keys) {
            key.lock();
            try {
                readers.forEach(
                        reader -> eventually("its server is back", () -> isCompared(key.last, reader, mayBeGone)));
            } finally {
                key.unlock();
            }
        }
    }

    /** Returns false if the client cannot read. */
    private boolean isCompared(Write last, MemcachedClient<String> reader, Predicate<Write> mayBeGone) {
        String found;
        try {
            found = reader.get(last.name);
        } catch (MemcachedException e) {
            return false;
        }
        count("compared");
        if (found == null ? !last.isDelete && !mayBeGone.test(last) : last.isDelete || !found.equals(last.value())) {
            wrong.add(found + " in the end, after " + last);
        }
        return true;
    }
}
