// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.ring.Ring;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.LeakCheck;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import io.memshard.testkit.fault.FaultProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Instances go through all stages of a move one after the other, and back where there is a way back, over ten
 * memcacheds that are stopped or killed, and whose connections are cut. Whatever was acknowledged by one of them is
 * what all others read.
 *
 * <p>Each key is written by all instances, one at a time. A key whose write has failed is used no more, because that
 * write may come late. A few keys are written often, and read when nobody writes them. Many others are seldom written,
 * so that the source fleet still has their first value. They are read at any moment, also while they are written and
 * taken over, and no read finds an earlier value than was acknowledged before it began.
 *
 * <p>With the system property {@code memshard.soak.seconds} they go to and fro for about that long before they end.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@NeedsProgram(Program.MEMCACHED)
class RollingMoveIT {

    private static final Logger LOG = LoggerFactory.getLogger(RollingMoveIT.class);

    private static final int SERVERS = 6;
    private static final int SLOTS = 64;
    private static final int SELDOM_PER_STEP = 200;
    private static final int LEAST_FAULTS = 15;

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration TTL = Duration.ofHours(3);
    private static final Duration SOAK = Duration.ofSeconds(Integer.getInteger("memshard.soak.seconds", 0));
    private static final Duration ONE_STEP = Duration.ofMillis(300);

    /** In this order; null for clients of the source fleet alone. */
    private static final List<@Nullable MigrationStage> WAY = way();

    private static CertificateAuthority authority;

    private final LeakCheck leaks = LeakCheck.start();
    private final List<MemcachedProcess> servers = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Instance> instances = new ArrayList<>();
    private final List<Slot> slots =
            IntStream.range(0, SLOTS).mapToObj(Slot::new).toList();
    private final List<Seldom> seldom = IntStream.range(0, WAY.size() * SELDOM_PER_STEP)
            .mapToObj(Seldom::new)
            .toList();

    /** The number of writes of those that are written at this step of the way. */
    private final AtomicInteger turn = new AtomicInteger();

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder checked = new LongAdder();

    /** Number of killings that have begun, and of those that are over. */
    private final AtomicInteger killings = new AtomicInteger();

    private volatile int step;
    private volatile boolean isOver;

    private static List<@Nullable MigrationStage> way() {
        List<@Nullable MigrationStage> way = new ArrayList<>();
        way.add(null);
        do {
            addTo(way, "PREPARING MOVING PREPARING MOVING LEAVING MOVING LEAVING MOVING");
        } while (ONE_STEP.multipliedBy(way.size()).compareTo(SOAK) < 0);
        addTo(way, "LEAVING ENDED LEAVING ENDED");
        return way;
    }

    private static void addTo(List<@Nullable MigrationStage> way, String stages) {
        for (String stage : stages.split(" ")) {
            way.add(MigrationStage.valueOf(stage));
        }
    }

    private static boolean isServedBySource(@Nullable MigrationStage stage) {
        return stage == null || stage == MigrationStage.PREPARING;
    }

    /** A key, and what decides who can see its value. */
    private static final class Slot extends SoakKey {

        /** Which fleet has the last value; null if the writer was changing its stage. */
        private @Nullable Boolean isLastInSource;

        /** Value of {@link #killings} before the last value was written. */
        private int killingsBefore;

        Slot(int number) {
            super(number);
        }
    }

    /** A key that only the source fleet has at first. Its value is the number of its writes. */
    private static final class Seldom extends ReentrantLock {

        private final String key;
        private volatile int acknowledged = 1;
        private volatile boolean isGivenUp;

        Seldom(int number) {
            key = "seldom" + number;
        }
    }

    /** An instance of the application, which begins with the source fleet alone. */
    private final class Instance implements AutoCloseable {

        private final MemshardMigration move;
        private final MemcachedClient<String> sourceAlone;
        private final MemcachedClient<String> blocking;
        private final AsyncMemcachedClient<String> async;
        private volatile @Nullable MigrationStage stage;

        /** Number of changes of the stage that have begun, and of those that are over. */
        private volatile int changes;

        private volatile @Nullable Thread writer;

        Instance(Memshard source, Memshard target) {
            move = MemshardMigration.of(source, target, MigrationOptions.DEFAULT.withStage(MigrationStage.PREPARING));
            sourceAlone = source.client(Transcoder.utf8());
            blocking = move.client(Transcoder.utf8());
            async = move.asyncClient(Transcoder.utf8());
        }

        void moveTo(MigrationStage next) {
            int before = changes;
            changes = before + 1;
            move.moveTo(next);
            stage = next;
            changes = before + 2;
        }

        /** Returns whether the stage has been the same since {@code changes} had that value. */
        boolean isSettledSince(int changesBefore) {
            return changesBefore % 2 == 0 && changes == changesBefore;
        }

        MemcachedClient<String> client() {
            return stage == null ? sourceAlone : blocking;
        }

        @Override
        public void close() {
            move.close();
        }
    }

    @BeforeAll
    static void create(@TempDir Path directory) {
        authority = CertificateAuthority.create(directory, "authority");
    }

    private void startServers(boolean withTls) throws IOException {
        CertificateAuthority.Issued own = authority.issue("127.0.0.1");
        for (int i = 0; i < SERVERS; i++) {
            servers.add(withTls ? MemcachedProcess.startTls(own.certificates(), own.key()) : MemcachedProcess.start());
            proxies.add(new FaultProxy(servers.get(i).address()));
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        instances.forEach(Instance::close);
        proxies.forEach(FaultProxy::close);
        servers.forEach(MemcachedProcess::close);
        leaks.assertNothingLeft();
    }

    private Memshard open(int from, int to, boolean isOld, boolean withTls) {
        MemshardBuilder builder = Memshard.builder()
                .servers(proxies.subList(from, to).stream()
                        .map(proxy -> "127.0.0.1:" + proxy.address().getPort())
                        .collect(Collectors.joining(",")))
                .ring(isOld ? Ring.spymemcached() : Ring.libmemcachedWeighted())
                .connectionsPerServer(1)
                .connectTimeout(LONG)
                .requestTimeout(Duration.ofSeconds(1)); // Calls may fail, and then count as not acknowledged.
        if (withTls) {
            builder.tls(TlsOptions.trusting(authority.certificate()));
        }
        return builder.build();
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, true"})
    void everyAcknowledgedWriteIsReadAfterwards(boolean haveServersInCommon, boolean withTls) throws Exception {
        everyAcknowledgedWriteIsReadAfterwards(haveServersInCommon, withTls, 3, 20);
    }

    @Tag("deep")
    @ParameterizedTest
    @CsvSource("false, true")
    void everyOneOfManyAcknowledgedWritesIsReadAfterwards(boolean haveServersInCommon, boolean withTls)
            throws Exception {
        everyAcknowledgedWriteIsReadAfterwards(haveServersInCommon, withTls, 6, 60);
    }

    /**
     * Moves the instances.
     *
     * @param writes how many are acknowledged, at least, at each combination of stages
     */
    private void everyAcknowledgedWriteIsReadAfterwards(
            boolean haveServersInCommon, boolean withTls, int count, int writes) throws Exception {
        startServers(withTls);
        int half = SERVERS / 2;
        for (int i = 0; i < count; i++) {
            instances.add(
                    haveServersInCommon
                            ? new Instance(open(0, SERVERS, true, withTls), open(0, SERVERS, false, withTls))
                            : new Instance(open(0, half, true, withTls), open(half, SERVERS, false, withTls)));
        }
        for (int i = 0; i < WAY.size(); i++) {
            Map<String, String> first = seldomOf(i).stream().collect(Collectors.toMap(each -> each.key, each -> "1"));
            instances.get(0).sourceAlone.withTimeout(LONG).multiSet(first, TTL).storedOrThrow();
        }
        List<Future<?>> running = new ArrayList<>();
        for (Instance instance : instances) {
            running.add(start(() -> write(instance)));
            running.add(start(() -> readWhatIsWritten(instance)));
        }
        RandomFaults faults = faults();
        LongAdder turns = new LongAdder();
        Future<Integer> chaos = threads.submit(() -> faults.causeUntil(() -> {
            turns.increment();
            return isOver;
        }));
        for (int i = 0; i < WAY.size(); i++) {
            MigrationStage next = WAY.get(i);
            step = i;
            if (next != null) {
                for (Instance instance : instances) {
                    instance.moveTo(next);
                    awaitMore(writes);
                }
            } else {
                awaitMore(writes);
            }
        }
        eventually("faults", () -> turns.sum() > LEAST_FAULTS);
        isOver = true;
        int faultsCaused = chaos.get(100, TimeUnit.SECONDS);
        for (Future<?> each : running) {
            each.get(100, TimeUnit.SECONDS);
        }
        for (Slot slot : slots) {
            for (Instance reader : instances) {
                eventually("a connection comes back", () -> isChecked(slot, reader));
            }
        }
        for (int i = 0; i < WAY.size(); i++) {
            List<Seldom> keys = seldomOf(i);
            Map<String, String> found = instances
                    .get(i % instances.size())
                    .client()
                    .multiGet(keys.stream().map(each -> each.key).toList())
                    .hits();
            keys.forEach(each -> checkIsNotOlder(each, each.acknowledged, found.get(each.key), "the end"));
        }
        LOG.info(
                "{} writes acknowledged, {} failed, {} reads checked, {} faults, {} of them killed servers",
                acknowledged,
                failed,
                checked,
                faultsCaused,
                killings.get() / 2);
        assertThat(wrong).isEmpty();
    }

    private void awaitMore(int writes) {
        long before = acknowledged.sum();
        eventually("written", () -> acknowledged.sum() >= before + writes);
    }

    private Future<?> start(Callable<@Nullable Void> task) {
        return threads.submit(task);
    }

    private @Nullable Void write(Instance by) {
        by.writer = Thread.currentThread();
        Random random = new Random(instances.indexOf(by));
        for (int i = 0; !isOver; i++) {
            if (random.nextInt(3) == 0) {
                writeSeldom(by, random);
                // A chosen one was interrupted.
                Thread.interrupted();
                continue;
            }
            Slot slot = slots.get(random.nextInt(SLOTS));
            if (!slot.tryLock()) {
                continue;
            }
            try {
                if (random.nextInt(3) > 0) {
                    write(slot, by, random, "value " + i + " of " + instances.indexOf(by));
                }
                isChecked(slot, instances.get(random.nextInt(instances.size())));
            } finally {
                slot.unlock();
                Thread.interrupted();
            }
        }
        by.writer = null;
        return null;
    }

    private void write(Slot slot, Instance by, Random random, String value) {
        int changes = by.changes;
        MigrationStage stage = by.stage;
        slot.killingsBefore = killings.get();
        try {
            String stored = random.nextInt(3) == 0 ? null : value;
            if (stage == null) {
                write(by.sourceAlone, slot.text(), stored);
            } else if (random.nextInt(4) == 0) {
                writeMany(by.blocking, List.of(slot.text(), slot.text() + "-too"), stored);
            } else if (random.nextBoolean()) {
                write(by.blocking, slot.text(), stored);
            } else {
                Futures.result(
                        stored == null
                                ? by.async.delete(slot.text()).thenApply(deleted -> null)
                                : by.async.set(slot.text(), stored, TTL));
            }
            slot.wrote(stored);
            slot.isLastInSource = by.isSettledSince(changes) ? isServedBySource(stage) : null;
            acknowledged.increment();
        } catch (MemcachedException e) {
            failed.increment();
            slot.giveUp();
            slot.isLastInSource = null;
        }
    }

    private static void write(MemcachedClient<String> client, String key, @Nullable String stored) {
        if (stored == null) {
            client.delete(key);
        } else {
            client.set(key, stored, TTL);
        }
    }

    private static void writeMany(MemcachedClient<String> client, List<String> keys, @Nullable String stored) {
        if (stored == null) {
            client.multiDelete(keys).deletedOrThrow();
        } else {
            client.multiSet(keys.stream().collect(Collectors.toMap(key -> key, key -> stored)), TTL)
                    .storedOrThrow();
        }
    }

    /** Compares what an instance reads with what was written last; false if it cannot read. */
    private boolean isChecked(Slot slot, Instance reader) {
        int changes = reader.changes;
        MigrationStage stage = reader.stage;
        String found;
        try {
            found = reader.client().get(slot.text());
        } catch (MemcachedException e) {
            return false;
        }
        String last = slot.last();
        checked.increment();
        boolean sees = slot.killingsBefore == killings.get()
                && reader.isSettledSince(changes)
                && (stage == MigrationStage.MOVING
                        || Boolean.valueOf(isServedBySource(stage)).equals(slot.isLastInSource));
        if (found == null ? last != null && sees : !found.equals(last)) {
            wrong.add(slot.text() + " at " + stage + " to " + reader.stage + ": " + found + " instead of " + last
                    + ", in the source fleet: " + slot.isLastInSource);
        }
        return true;
    }

    private List<Seldom> seldomOf(int stepOfTheWay) {
        return seldom.subList(stepOfTheWay * SELDOM_PER_STEP, (stepOfTheWay + 1) * SELDOM_PER_STEP);
    }

    private void writeSeldom(Instance by, Random random) {
        Seldom one = seldomOf(step).get(Math.floorMod(turn.getAndIncrement(), SELDOM_PER_STEP));
        if (!one.tryLock()) {
            return;
        }
        try {
            if (one.isGivenUp) {
                return;
            }
            int next = one.acknowledged + 1;
            write(by.client(), one.key, random.nextInt(3) == 0 ? null : String.valueOf(next));
            one.acknowledged = next;
            acknowledged.increment();
        } catch (MemcachedException e) {
            failed.increment();
            one.isGivenUp = true;
        } finally {
            one.unlock();
        }
    }

    /** Reads keys that are being written, have just been, or are next. */
    private @Nullable Void readWhatIsWritten(Instance by) {
        Random random = new Random(-1 - instances.indexOf(by));
        while (!isOver) {
            int near = turn.get() - random.nextInt(instances.size() + 1);
            List<Seldom> some = IntStream.rangeClosed(0, random.nextInt(4))
                    .mapToObj(i -> seldomOf(step).get(Math.floorMod(near - i, SELDOM_PER_STEP)))
                    .toList();
            int[] least = some.stream().mapToInt(each -> each.acknowledged).toArray();
            MigrationStage before = by.stage;
            try {
                Map<String, String> found = some.size() == 1
                        ? Collections.singletonMap(some.get(0).key, by.client().get(some.get(0).key))
                        : by.client()
                                .multiGet(some.stream().map(each -> each.key).toList())
                                .hits();
                for (int i = 0; i < least.length; i++) {
                    Seldom one = some.get(i);
                    checkIsNotOlder(one, least[i], found.get(one.key), before + " to " + by.stage);
                }
            } catch (MemcachedException e) {
                // A server is away.
            }
        }
        return null;
    }

    private void checkIsNotOlder(Seldom one, int least, @Nullable String found, String when) {
        checked.increment();
        if (found != null && Integer.parseInt(found) < least && !one.isGivenUp) {
            wrong.add(one.key + " at " + when + ": " + found + ", and " + least + " was acknowledged before");
        }
    }

    private RandomFaults faults() {
        return new RandomFaults(7, Duration.ofMillis(100))
                .with(1, random -> kill(RandomFaults.any(servers, random)))
                .cutting(3, proxies)
                .resetting(2, proxies)
                .hanging(2, servers, Duration.ofMillis(300))
                .with(2, random -> {
                    Thread writer = RandomFaults.any(instances, random).writer;
                    if (writer != null) {
                        writer.interrupt();
                    }
                });
    }

    /** Kills a server. Its values are gone, also those stored after the first increment and before the second. */
    private void kill(MemcachedProcess server) {
        killings.incrementAndGet();
        server.kill();
        killings.incrementAndGet();
        server.restart();
    }
}
