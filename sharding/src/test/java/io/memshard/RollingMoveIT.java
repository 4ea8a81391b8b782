// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static io.memshard.testkit.Eventually.eventually;

import io.memshard.client.AsyncMemcachedClient;
import io.memshard.client.MemcachedClient;
import io.memshard.client.concurrent.Futures;
import io.memshard.client.exception.MemcachedException;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.sharding.migration.MigrationOptions;
import io.memshard.sharding.migration.MigrationStage;
import io.memshard.sharding.ring.Ring;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
 * <p>In a soak they go to and fro for about as long before they end.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@NeedsProgram(Program.MEMCACHED)
class RollingMoveIT extends InstancesUnderFaults {

    private static final int SERVERS = 6;
    private static final int SLOTS = 64;
    private static final int SELDOM_PER_STEP = 200;
    private static final int LEAST_FAULTS = 15;

    private static final Duration ONE_STEP = Duration.ofMillis(300);

    /** In this order; null for clients of the source fleet alone. */
    private static final List<@Nullable MigrationStage> WAY = way();

    private final List<Instance> instances = new ArrayList<>();
    private final List<Slot> slots =
            IntStream.range(0, SLOTS).mapToObj(Slot::new).toList();
    private final List<Seldom> seldom = IntStream.range(0, WAY.size() * SELDOM_PER_STEP)
            .mapToObj(Seldom::new)
            .toList();

    /** The number of writes of those that are written at this step of the way. */
    private final AtomicInteger turn = new AtomicInteger();

    /** Number of killings that have begun, and of those that are over. */
    private final AtomicInteger killings = new AtomicInteger();

    private volatile int step;

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
    private final class Instance {

        private final MemshardMigration move;
        private final MemcachedClient<String> sourceAlone;
        private final MemcachedClient<String> blocking;
        private final AsyncMemcachedClient<String> async;
        private volatile @Nullable MigrationStage stage;

        /** Number of changes of the stage that have begun, and of those that are over. */
        private volatile int changes;

        private volatile @Nullable Thread writer;

        Instance(Memshard source, Memshard target) {
            move = opened(
                    MemshardMigration.of(source, target, MigrationOptions.DEFAULT.withStage(MigrationStage.PREPARING)));
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
    }

    private Memshard open(List<String> addresses, boolean isOld) {
        return builder(String.join(",", addresses))
                .ring(isOld ? Ring.spymemcached() : Ring.libmemcachedWeighted())
                .build();
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
        startServers(SERVERS, withTls);
        List<String> addresses = new ArrayList<>();
        for (MemcachedProcess server : servers) {
            addresses.add(proxied(server));
        }
        List<String> source = addresses.subList(0, haveServersInCommon ? SERVERS : SERVERS / 2);
        List<String> target = addresses.subList(haveServersInCommon ? 0 : SERVERS / 2, SERVERS);
        for (int i = 0; i < count; i++) {
            instances.add(new Instance(open(source, true), open(target, false)));
        }
        for (int i = 0; i < WAY.size(); i++) {
            Map<String, String> first = seldomOf(i).stream().collect(Collectors.toMap(each -> each.key, each -> "1"));
            instances.get(0).sourceAlone.withTimeout(LONG).multiSet(first, TTL).doneOrThrow();
        }
        for (Instance instance : instances) {
            start(() -> write(instance));
            start(() -> readWrittenKeys(instance));
        }
        start(faults());
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
        end(LEAST_FAULTS);
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
        assertNothingWrong();
    }

    private void awaitMore(int writes) {
        long before = acknowledged.sum();
        eventually("written", () -> acknowledged.sum() >= before + writes);
    }

    private void write(Instance by) {
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
            client.multiDelete(keys).doneOrThrow();
        } else {
            client.multiSet(keys.stream().collect(Collectors.toMap(key -> key, key -> stored)), TTL)
                    .doneOrThrow();
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
    private void readWrittenKeys(Instance by) {
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
